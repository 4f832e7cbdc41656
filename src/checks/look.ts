import type { Host } from '../frame/host.ts';
import { type Check, wantsRedirect } from './model/check.ts';
import { judge, type Look } from './model/judge.ts';
import type { Probe } from './probe.ts';

/** How often a page that is only slow is asked: the best of these counts. */
const tries = 3;

/** Asks a page once, or a few times if it is only slow. */
export async function ask(
  probe: Probe,
  check: Check,
  host: Host,
  signal: AbortSignal,
): Promise<Look> {
  const { url, method } = check;
  const question = { url, method, follows: !wantsRedirect(check) };
  let look: Look | undefined;
  for (let left = tries; left > 0 && (look === undefined || look.isOnlySlow); left -= 1) {
    const answer = await probe.ask(question, signal).catch((error: unknown) => {
      // Its time is over: that it was slow is known.
      if (look !== undefined) return undefined;
      throw error;
    });
    if (answer === undefined) break;
    // A certificate ends by the calendar, whatever clock drives the run.
    const next = judge(check, answer, host.clean, Date.now());
    const isFaster = (next.milliseconds ?? 0) < (look?.milliseconds ?? Number.POSITIVE_INFINITY);
    if (look === undefined || !next.isOnlySlow || isFaster) look = next;
  }
  if (look === undefined) throw new Error('no try');
  return look;
}

/** One look within a time; undefined if that was over first. Rejects with the signal's reason. */
export async function lookWithin(
  longest: number,
  signal: AbortSignal,
  { clock }: Host,
  look: (signal: AbortSignal) => Promise<Look>,
): Promise<Look | undefined> {
  const giveUp = new AbortController();
  const done = new AbortController();
  clock.sleep(longest, AbortSignal.any([signal, done.signal])).then(
    () => giveUp.abort(),
    () => undefined,
  );
  try {
    const seen = await look(AbortSignal.any([signal, giveUp.signal]));
    signal.throwIfAborted();
    return seen;
  } catch (error) {
    signal.throwIfAborted();
    if (!giveUp.signal.aborted) throw error;
    return undefined;
  } finally {
    done.abort();
  }
}
