import type { StepEnvironment } from '../platform.ts';
import { UsageError } from './arguments.ts';
import type { Build } from './ci.ts';
import { inputsOf, type RunName } from './commands.ts';
import { gitLabComments, gitLabProject } from './gitlab-notes.ts';

const noToken =
  'No note is written on the merge request: CI_JOB_TOKEN can only read notes. Set SITE_GITLAB_TOKEN to a project access token with the scope api, or keep the report with --report FILE.';

/**
 * The place for a run's comment: the notes on a merge request of GitLab, if there is a token that may write them.
 *
 * @param given the texts of the command's inputs
 * @throws UsageError if the token can't be one
 */
export function runComments(
  command: RunName,
  given: Readonly<Record<string, string>>,
  environment: StepEnvironment,
  { pullRequest }: Pick<Build, 'pullRequest'>,
) {
  const token = environment['SITE_GITLAB_TOKEN']?.trim() ?? '';
  if (!/^[\x21-\x7e]*$/.test(token)) {
    throw new UsageError("SITE_GITLAB_TOKEN contains a character that a header can't have");
  }
  const project = pullRequest === undefined ? undefined : gitLabProject(environment);
  const server = project && token !== '' ? gitLabComments(project, token) : undefined;
  const wouldComment = 'comment' in inputsOf(command) && given['comment']?.trim() !== 'false';
  const isMissing = project !== undefined && server === undefined && wouldComment;
  return { server, notices: isMissing ? [noToken] : [] };
}
