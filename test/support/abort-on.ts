import type { Progress } from '../../src/step/step.ts';
import type { World } from './world.ts';

/** Ends a world's run by its deadline (or a cancel) as soon as something is told. */
export function abortOn(
  world: World,
  isIt: (progress: Progress) => boolean,
  outcome: 'timed-out' | 'cancelled' = 'timed-out',
): void {
  const { report } = world.host;
  world.host.report = (progress) => {
    report(progress);
    if (isIt(progress)) world.abort(outcome);
  };
}
