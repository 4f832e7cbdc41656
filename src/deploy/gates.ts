import type { EarlyEnd } from '../frame/host.ts';
import type { Beginning } from '../release/context.ts';
import { whyOlder } from './never-backwards.ts';
import { whyUnverified } from './promotion.ts';

/** Why our records keep a run from deploying, before it has written anything; undefined if they do not. */
export async function whyHeldBack(run: Beginning): Promise<EarlyEnd | undefined> {
  return (await whyOlder(run, false)) ?? (await whyUnverified(run));
}

/**
 * Asks our records whether the run may deploy, before its first write, and then records it, unless it is still to be
 * seen whether it has to.
 *
 * @throws EarlyEnd if it may not
 */
export async function guardHistory(run: Beginning): Promise<void> {
  const { history, ifNeeded } = run.request;
  if (history === undefined) return;
  const why = await whyHeldBack(run);
  if (why !== undefined) throw why;
  // Beside what comes next: other runs have to see it only once something is deployed.
  if (ifNeeded !== true) void history.announce();
}
