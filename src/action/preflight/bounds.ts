import { RunAborted } from '../../frame/host.ts';
import { onCancel } from '../../github/runner.ts';
import { type Coded, coded } from '../../kernel/catalogue/coded.ts';
import { formatDuration } from '../../kernel/text/duration.ts';
import { safe } from '../../kernel/text/safe.ts';

/** The longest that a timer takes, in milliseconds: nothing is sent in a step whose input `timeout` is wrong. */
const longest = 2 ** 31 - 1;

/** The bounds of a run: its signal, which aborts at the deadline or when the run is cancelled. */
export interface Bounds extends Disposable {
  signal: AbortSignal;
  /** Milliseconds since the epoch. */
  deadline: number;
}

/**
 * Sets the bounds of a run.
 *
 * @param timeout milliseconds from now; undefined if the input is wrong
 */
export function boundRun(timeout = longest): Bounds {
  const controller = new AbortController();
  const abort = (outcome: 'timed-out' | 'cancelled', message: Coded) =>
    controller.abort(new RunAborted(outcome, message));
  const stopListening = onCancel(() => abort('cancelled', coded('SD9002', safe`Cancelled.`)));
  // Said only when it has passed: what formats a span takes long to make.
  const expire = () =>
    abort(
      'timed-out',
      coded('SD9001', safe`The step's deadline (timeout: ${formatDuration(timeout)}) has passed.`),
    );
  const timer = setTimeout(expire, timeout);
  return {
    signal: controller.signal,
    deadline: Date.now() + timeout,
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      stopListening();
    },
  };
}
