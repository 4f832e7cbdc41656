import { RunAborted } from '../../commands/host.ts';
import { formatDuration } from '../../core/text/duration.ts';
import { type SafeText, safe, trusted } from '../../core/text/safe.ts';
import { onCancel } from '../../github/runner.ts';

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
  const abort = (outcome: 'timed-out' | 'cancelled', message: SafeText) =>
    controller.abort(new RunAborted(outcome, message));
  const stopListening = onCancel((name) =>
    abort('cancelled', safe`Cancelled by ${trusted(name)}.`),
  );
  const timer = setTimeout(
    () =>
      abort(
        'timed-out',
        safe`The step's deadline (timeout: ${formatDuration(timeout)}) has passed.`,
      ),
    timeout,
  );
  return {
    signal: controller.signal,
    deadline: Date.now() + timeout,
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      stopListening();
    },
  };
}
