import type { CommentServer, StepEnvironment } from '../platform.ts';
import type { CiContext } from './ci-context.ts';
import { gitLabComments, gitLabProject } from './gitlab-notes.ts';

/** Where a run can comment, and what is to be said of it. */
interface RunComments {
  server?: CommentServer;
  /** Texts that must not be shown. */
  secrets: readonly string[];
  /** Why there is no place for comments, and what to do. */
  notice?: string;
}

const noToken =
  'No note is written on the merge request: CI_JOB_TOKEN may only read notes. Set SITE_GITLAB_TOKEN to a project access token with the scope api, or keep the report with --report FILE.';

/** The comments of a run: the notes on a merge request of GitLab, with a token of their own. */
export function runComments(environment: StepEnvironment, ci: CiContext): RunComments {
  const project = ci.pullRequest === undefined ? undefined : gitLabProject(environment);
  const token = environment['SITE_GITLAB_TOKEN']?.trim() ?? '';
  const secrets = token === '' ? [] : [token];
  if (project === undefined) return { secrets };
  if (token === '') return { secrets, notice: noToken };
  return { server: gitLabComments(project, token), secrets };
}
