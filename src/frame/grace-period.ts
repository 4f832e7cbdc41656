import { RunAborted } from './host.ts';

/** How long GitHub may take to be told of the end, in milliseconds; the runner kills a cancelled step soon. */
const usual = 20_000;
const cancelled = 1500;

/** The part of it that is left to what began with the run: less than a third. */
const share = 0.3;

/** How long GitHub is waited for at the end of a run. */
export interface GracePeriod {
  /** Aborts when what began with the run has to give way to the end. */
  beginning: AbortSignal;
  /** Aborts when nothing more is waited for. */
  whole: AbortSignal;
}

function limit(run: AbortSignal | undefined, part: number): AbortSignal {
  const cutShort = new AbortController();
  const shorten = () => {
    if (!(run?.reason instanceof RunAborted) || run.reason.outcome !== 'cancelled') return;
    setTimeout(() => cutShort.abort(), cancelled * part).unref();
  };
  if (run?.aborted === true) shorten();
  else run?.addEventListener('abort', shorten, { once: true });
  return AbortSignal.any([AbortSignal.timeout(usual * part), cutShort.signal]);
}

/**
 * Starts the grace period: 20 s, and no more than 1.5 s from when the run is cancelled, before or meanwhile.
 *
 * @param run the run's signal; undefined after the run
 */
export function startGracePeriod(run?: AbortSignal): GracePeriod {
  return { beginning: limit(run, share), whole: limit(run, 1) };
}
