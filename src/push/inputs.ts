import * as schema from '../input-schemas.ts';
import type { InputTable } from '../inputs/input.ts';

/** The inputs on the project's repository. */
export const pushInputs = {
  'git-url': {
    description:
      "The project's git repository: the action pushes the commit there before the deployment. One URL, in which the action fills in `{projectId}`, or lines of `PROJECT_ID=URL`: https, ssh, or http on loopback. With `preview-projects`, each project needs its own repository. Empty: nothing is pushed, and the repository must already have the commit.",
    schema: schema.text,
  },
  'git-token': {
    description:
      'Password for https: a token that can push to the repository. The user name is that in `git-url`, such as `https://user@git.example.com/site.git`, or else `git`.',
    schema: schema.text,
    secret: true,
  },
  'git-branch': {
    description:
      'Branch to push to. Default: `main`; if the repository has other branches but no `main`, the run fails. A branch that is set here is created.',
    schema: schema.text,
  },
  'git-force': {
    description:
      'Whether a push may remove commits from the branch. `auto`: only in the project of `preview-projects` that the pull request uses, and in a project that contains only its template, whose commit is kept as a branch. `adopt`: as `auto`, even if no GitHub deployments can show that such a project is new. A SHA: only while it is the head of the branch. `true` or `false`. Commits that others push during the run are never removed.',
    schema: schema.matching(
      /^(auto|adopt|true|false|[0-9a-f]{40})$/i,
      'must be auto, adopt, true, false, or all 40 hex digits of a commit',
      schema.inLowerCase,
    ),
    default: 'auto',
  },
} as const satisfies InputTable;
