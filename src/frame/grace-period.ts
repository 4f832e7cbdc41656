import { RunAborted } from './host.ts';

/** How long reporting the end to GitHub may take, in milliseconds; the runner soon kills a canceled step. */
const usual = 20_000;
const cancelled = 1500;

/** The share of it that requests begun during the run may take. */
const share = 0.3;

/** How long to wait for GitHub at the end of a run. */
export interface GracePeriod {
  /** Aborts the requests begun during the run, to leave time for the rest. */
  beginning: AbortSignal;
  /** Aborts everything. */
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
 * Starts the grace period: 20 s, and at most 1.5 s after the run is canceled.
 *
 * @param run the run's signal; undefined after the run
 */
export function startGracePeriod(run?: AbortSignal): GracePeriod {
  return { beginning: limit(run, share), whole: limit(run, 1) };
}
