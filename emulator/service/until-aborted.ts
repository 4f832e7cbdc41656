import { once } from 'node:events';

/** Waits for the signal and nothing else. @throws the signal's reason, always */
export async function untilAborted(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  await once(signal, 'abort');
  throw signal.reason;
}
