import type { Environment } from '../contract/environment.ts';
import type { Host } from '../frame/host.ts';
import { coded } from '../kernel/catalogue/coded.ts';
import { joinSafe, safe, trusted } from '../kernel/text/safe.ts';
import { seemsWrittenOver } from './model/fresh.ts';
import { writtenOver } from './model/version-step.ts';
import type { WriteContext } from './perform.ts';
import type { SyncRequest } from './plan-sync.ts';
import { removeDuplicates } from './remove-duplicates.ts';
import type { WriteAttempt } from './sync.ts';

/**
 * Removes the second variables that lost answers may have left, and warns of those that cannot be told apart.
 *
 * @returns the error that stopped it; undefined if none did
 */
export async function tidyUp(
  context: WriteContext,
  host: Host,
  { observed }: SyncRequest,
  written: readonly WriteAttempt[],
): Promise<unknown> {
  const doubtful = written
    .filter(({ lostCreates }) => lostCreates > 0)
    .map(({ result, lostCreates: creates, confirmed }) => ({
      name: result.name,
      creates,
      kept: confirmed?.variable.id,
    }));
  const before = new Set(observed.variables.map(({ id }) => id));
  const { left, error } = await removeDuplicates(context, doubtful, before);
  if (left.length > 0) {
    const text = safe`The service has more than one variable called ${joinSafe(left, ', ')}: a request of this run took effect once more, or somebody else made one in the same moment. Remove all but one.`;
    host.report({ type: 'warning', text: coded('SD4005', text) });
  }
  return error;
}

/** The names that this run created and that seem to have been written more than once since: they may be shared. */
export function sharedNames(
  written: readonly WriteAttempt[],
  { variables }: Environment,
): ReadonlySet<string> {
  const confirmed = written.flatMap((one) => one.confirmed ?? []);
  const known = [...variables, ...confirmed.map(({ variable }) => variable)];
  const shared = confirmed.filter(
    ({ created, variable }) => created && seemsWrittenOver(variable, known),
  );
  return new Set(shared.map(({ variable: { name } }) => name));
}

/** Warns of writes of which something remains unknown: what they were written over, or whether they were taken. */
export function warnOfUncertainty(
  host: Host,
  { ledger }: SyncRequest,
  written: readonly WriteAttempt[],
  latest: Environment,
  shared: ReadonlySet<string>,
): void {
  if (shared.size > 0) {
    const text = safe`${trusted([...shared].join(', '))} was written more than once since it was created: somebody else created one of its name in the same moment and ours took its place, or our request was carried out twice.`;
    host.report({ type: 'warning', text: coded('SD4006', text) });
  }
  const steps = written.flatMap((one) => one.steps);
  const versions = latest.variables.map(({ version }) => version);
  const over = [...new Set(writtenOver(steps, ledger.ledger.versionStep, versions))];
  if (over.length > 0) {
    const text = safe`The version of ${trusted(over.join(', '))} moved further than one write moves it: what somebody else wrote in the same moment was overwritten, or our request was carried out twice. The service did not refuse it.`;
    host.report({ type: 'warning', text: coded('SD4007', text) });
  }
  const unknown = written.filter((one) => one.isUnknowable === true);
  if (unknown.length > 0) {
    const names = joinSafe(
      unknown.map(({ result: { name } }) => name),
      ', ',
    );
    const text = safe`Whether the service took what was written to ${names} cannot be known: it answered with success, and neither the version nor the time of a variable moves there.`;
    host.report({ type: 'warning', text: coded('SD4008', text) });
  }
}
