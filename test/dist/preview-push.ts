import type { RunOptions } from '../../emulator/runner.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { type HistoryWorld, repository } from './history-world.ts';

/** The hostname of the pull request's preview. */
export const previewHostname = 'pr-7.preview.example.com';

/** What a run that leases a preview project is given. */
export const previewInputs = ({ project }: HistoryWorld) => ({
  'project-id': '',
  'preview-projects': project.id,
  'preview-domain': 'pr-{number}.preview.example.com',
  'verify-timeout': '10s',
});

/** Makes a commit the head of pull request 7 at GitHub, and gives the event that tells of it. */
export function pushToPullRequest(
  { github, commits }: HistoryWorld,
  sha: string,
): NonNullable<RunOptions['event']> {
  const head = { ref: 'topic', sha, repo: { full_name: repository, fork: false } };
  github.pullRequests.set(`${repository}#7`, {
    number: 7,
    state: 'open',
    head,
    base: { ref: 'main', sha: commits.first },
  });
  const payload = adjust(examplePayload('pull_request', 'synchronize'), {
    number: 7,
    'pull_request.number': 7,
    'pull_request.head.sha': sha,
    'pull_request.head.ref': 'topic',
    'pull_request.head.repo.full_name': repository,
    'pull_request.base.repo.full_name': repository,
  });
  return { name: 'pull_request', payload };
}
