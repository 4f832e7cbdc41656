import { numberOf } from '../../emulator/github/index.ts';
import { traitsOf } from '../../src/github/runner/webhook.ts';
import { asObject } from '../../src/kernel/json.ts';
import { adjust, type ToldEvent } from './events.ts';
import { repository } from './play.ts';
import { UsageError } from './usage-error.ts';

/** The stranger's copy of the repository. */
const fork = 'octo-stranger/octo-site';

/**
 * The same event, about a pull request that comes from a fork.
 *
 * @throws UsageError if it says nothing of where a pull request comes from
 */
export function fromFork({ name, payload }: ToldEvent): ToldEvent {
  if (name !== 'workflow_run' && asObject(payload['pull_request']) === undefined) {
    throw new UsageError(
      `--fork needs an event with a pull request's repository, such as pull_request, pull_request_target or workflow_run; ${name} has none`,
    );
  }
  const forked = structuredClone(payload);
  adjust(forked, {
    'pull_request.head.repo.full_name': fork,
    'pull_request.head.repo.fork': true,
    'pull_request.author_association': 'NONE',
    'workflow_run.event': 'pull_request',
    'workflow_run.head_branch': 'topic',
    'workflow_run.head_repository.full_name': fork,
    'workflow_run.head_repository.id': numberOf(fork),
    'workflow_run.repository.id': numberOf(repository),
  });
  return { name, payload: forked };
}

/** Whether GitHub gives the run of a fork's pull request no secrets. */
export const withholdsSecrets = ({ name }: ToldEvent): boolean =>
  traitsOf(name)?.withholdsSecrets === true;
