import { explainError, type SameAs } from '../frame/ending.ts';
import type { Run } from '../frame/step.ts';
import { printed } from '../kernel/diagnostic.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import { changeLines } from './model/domain-lines.ts';
import type { ChangeResult } from './result.ts';

/** How many domains are processed at once. */
export const concurrency = 6;

/** A run that applies a plan of domains. */
export interface Applying extends Run {
  /** Shortens the reason of a failure that was already logged. */
  sameAs: SameAs;
}

type Doing = Omit<ChangeResult, 'outcome'>;

/** Logs a result and returns it. */
function conclude({ host }: Run, result: ChangeResult): ChangeResult {
  host.report({ type: 'lines', entries: changeLines(result) });
  return result;
}

/**
 * Does one write and logs its result; a failure does not stop the others.
 *
 * @param work returns what differs from the planned result
 */
export async function attempt(
  run: Applying,
  doing: Doing,
  work: () => Promise<Partial<Pick<ChangeResult, 'outcome' | 'reason'>> | undefined>,
): Promise<ChangeResult> {
  const { host } = run;
  try {
    return conclude(run, { ...doing, outcome: 'done', ...(await work()) });
  } catch (error) {
    const isCut = host.signal.aborted;
    if (isCut) {
      const reason = safe`the run ended before this was confirmed`;
      return conclude(run, { ...doing, outcome: 'not-reached', reason });
    }
    const repeated = run.sameAs(doing.name, error);
    const failed = { ...doing, outcome: 'failed' } as const;
    if (repeated !== undefined) return conclude(run, { ...failed, reason: repeated });
    const cause = explainError(error, host.clean);
    return conclude(run, { ...failed, reason: printed(cause), cause });
  }
}

/** Logs that a write is skipped because an earlier one failed. */
export function skip(run: Run, doing: Doing, reason: SafeText): ChangeResult {
  return conclude(run, { ...doing, outcome: 'not-reached', reason });
}

export const isUndone = ({ outcome }: ChangeResult): boolean =>
  outcome === 'failed' || outcome === 'not-reached';
