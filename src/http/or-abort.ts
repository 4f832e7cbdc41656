/**
 * Waits for some work, but no longer than until the signal aborts. For what does not listen to a signal at
 * all times, such as a connection that is being opened; it is left behind then.
 *
 * @throws the signal's reason, or what the work throws
 */
export async function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
