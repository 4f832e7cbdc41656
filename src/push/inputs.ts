import * as schema from '../input-schemas.ts';
import type { InputTable } from '../inputs/input.ts';

/** When a branch may lose commits: `auto`, `true`, `false`, or only while its head is this commit. */
const force = schema.matching(
  /^(auto|true|false|[0-9a-f]{40})$/i,
  'must be auto, true, false, or all 40 hex digits of a commit',
  schema.inLowerCase,
);

/** The inputs on the project's repository. */
export const pushInputs = {
  'git-url': {
    description:
      "The project's git repository, where the commit is pushed before it is deployed: one URL in which `{projectId}` is filled in, or lines `PROJECT_ID=URL`; https, ssh, or http on loopback. With `preview-projects`, no project may share a repository. Empty: the commit is there already.",
    schema: schema.text,
  },
  'git-username': {
    description: 'The user name for https.',
    schema: schema.text,
    default: 'git',
  },
  'git-token': {
    description: 'The password for https: a token that may push to that repository.',
    schema: schema.text,
    secret: true,
  },
  'git-branch': {
    description: 'The branch that is pushed to.',
    schema: schema.text,
    default: 'main',
  },
  'git-force': {
    description:
      'When a push may take commits from the branch: `auto`, only on a project of `preview-projects` that a pull request has taken, and on one that holds nothing but its template, whose commit is kept as a branch; a SHA, only while that is its head (to adopt a new project); `true`; `false`. What somebody pushes meanwhile is never lost.',
    schema: force,
    default: 'auto',
  },
} as const satisfies InputTable;
