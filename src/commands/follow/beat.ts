import type { Host } from '../host.ts';

/** Something that takes a while. */
export interface Beating {
  /** Its status as last told, clean. */
  readonly status: string;
  /** Milliseconds since it began. */
  readonly elapsed: number;
}

/** How often what has no news is mentioned, in milliseconds. */
const heartbeat = 30_000;

/** Gives a sign of life from time to time, until the signal aborts. */
export async function beat(host: Host, beating: Beating, signal: AbortSignal): Promise<never> {
  for (;;) {
    await host.clock.sleep(heartbeat, signal);
    const { status, elapsed } = beating;
    host.report({ type: 'heartbeat', status, elapsed });
  }
}
