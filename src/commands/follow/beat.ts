import type { Host } from '../host.ts';
import type { Tracker } from './tracker.ts';

/** How often what has no news is mentioned, in milliseconds. */
const heartbeat = 30_000;

/** Gives a sign of life from time to time, until the signal aborts. */
export async function beat(host: Host, tracker: Tracker, signal: AbortSignal): Promise<never> {
  for (;;) {
    await host.clock.sleep(heartbeat, signal);
    const { status, elapsed } = tracker;
    host.report({ type: 'heartbeat', status, elapsed });
  }
}
