import { isLoopback } from '../../src/contract/limits.ts';
import { itemsOf } from '../../src/input-schemas.ts';
import { asObject } from '../../src/kernel/json.ts';
import type { ToldEvent } from '../player/events.ts';
import { UsageError } from '../player/usage-error.ts';
import type { Request } from './arguments.ts';
import { isExplained } from './parts.ts';

/** The host of an address that leads away from this machine; undefined for any other, and for what is none. */
function hostElsewhere(address: string): string | undefined {
  const url = URL.parse(address);
  return url === null || isLoopback(url) ? undefined : url.host;
}

/** The first address of `git-url` that may lead away from this machine; an `ssh` address may have no scheme. */
const gitElsewhere = (given: string): boolean =>
  itemsOf(given)
    .map((line) => line.replace(/^[^\s=:/]+\s*=\s*/, ''))
    .some((address) => URL.parse(address) === null || hostElsewhere(address) !== undefined);

/** Refuses what would send an invented value, although nothing is to be invented. */
function guardOwnValues({ action, inputs, own, end, payload }: Request, told: ToldEvent): void {
  const [name] = own;
  if (name !== undefined) {
    throw new UsageError(`${name} needs a value: ${name}=…; with --real, nothing is filled in`);
  }
  if (end !== 'success') {
    throw new UsageError(`--end ${end} needs the local service: remove it or --real`);
  }
  if (action !== 'deploy' || payload !== undefined) return;
  const isAbout = ['pull_request', 'issue', 'workflow_run'].some(
    (one) => asObject(told.payload[one]) !== undefined,
  );
  if (isAbout) {
    throw new UsageError(
      `--event ${told.name} is about an example pull request: with --real, set --payload to your own`,
    );
  }
  if (!('commit-sha' in inputs) && inputs['deploy'] !== 'false') {
    throw new UsageError(
      'commit-sha needs a value: commit-sha=HEAD, or a commit; with --real, none is invented',
    );
  }
}

/**
 * Refuses a command that would send anything invented to somewhere else than this machine.
 *
 * @throws UsageError before anything is sent
 */
export function guardReal(request: Request, told: ToldEvent): void {
  const { inputs, real } = request;
  if (isExplained(request)) return;
  const { 'base-url': baseUrl = '', 'git-url': gitUrl = '' } = inputs;
  const host = hostElsewhere(baseUrl);
  if (host !== undefined && !real) {
    throw new UsageError(
      `base-url: ${host} is not this machine, and npm run try fills in invented values. Add --real to use only your inputs`,
    );
  }
  if (gitUrl !== '' && (real || gitElsewhere(gitUrl))) {
    throw new UsageError('git-url: npm run try has only an invented commit. Remove git-url');
  }
  if (real) guardOwnValues(request, told);
}
