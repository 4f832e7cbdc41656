import type { GitHubStandIn } from '../../emulator/github/index.ts';
import type { Emulator } from '../../emulator/index.ts';
import type { ActionResult, RunningAction } from '../../emulator/runner.ts';

/** Whom a run asks when it is killed: the service (its site too) before or after the request's effect, or GitHub. */
export type Side = 'service before' | 'service' | 'GitHub';

/** Starts a run, and kills it while its n-th request to one side, counted from 1, waits for its answer. */
export async function killAt(
  { emulator, github }: { emulator: Emulator; github: GitHubStandIn },
  side: Side,
  n: number,
  start: () => Promise<RunningAction>,
): Promise<ActionResult> {
  const reached = Promise.withResolvers<void>();
  if (side === 'GitHub') {
    let count = 0;
    github.latency = () => {
      count += 1;
      if (count !== n) return 0;
      reached.resolve();
      return 600_000;
    };
  } else {
    const effect = side === 'service';
    const fault = emulator.faults.add({ kind: 'stall', effect, after: n - 1 });
    void emulator.journal.waitFor(() => fault.fired === 1).then(() => reached.resolve());
  }
  await using step = await start();
  const isReached = await Promise.race([
    reached.promise.then(() => true),
    step.done.then(() => false),
  ]);
  if (!isReached)
    throw new Error(`the run ended before its request ${n} to ${side}: it was not killed`);
  github.latency = 0;
  step.kill();
  return await step.done;
}
