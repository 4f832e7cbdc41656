import type { PlannedChange } from '../kernel/change.ts';
import { type SafeText, safe, trusted } from '../kernel/text/safe.ts';
import type { Beginning } from '../release/context.ts';
import { refuseForeign, type SwapTarget, view } from './find-idle.ts';
import { readSituation } from './model/situation.ts';

/** What a run would move, or why that cannot be told. */
export type SwapPlan = { projectId: string; moves: readonly PlannedChange[] } | { why: SafeText };

/** Says which project a run would deploy to, and which domains it would move. It reads once, and does not wait. */
export async function planSwap(run: Beginning, target: SwapTarget): Promise<SwapPlan> {
  const seen = await view(run, target);
  const situation = readSituation(seen);
  refuseForeign(run, situation);
  if (situation.kind === 'apart') {
    return {
      why: safe`the domains of swap-domains are not all on one project: a run would gather them first, on the one whose checks hold, and what it deploys to depends on that`,
    };
  }
  const { live, idle } = situation;
  const to = trusted(idle);
  const moves = target.swap.domains.map((hostname): PlannedChange => {
    const isConnected = seen.seats.has(hostname);
    const seat = seen.seats.get(hostname);
    const from = seat === undefined ? null : trusted(seat);
    return {
      type: 'domain',
      resource: 'connected-domain',
      name: trusted(hostname),
      action: isConnected ? 'assign' : 'connect',
      reason:
        live === undefined
          ? safe`neither project serves it`
          : safe`served by ${trusted(live)}, until the one deployed to is checked`,
      project: { from, to },
    };
  });
  return { projectId: idle, moves };
}
