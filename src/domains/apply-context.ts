import { explainError } from '../frame/ending.ts';
import type { SameAs } from '../frame/repeated-failure.ts';
import type { Run } from '../frame/step.ts';
import { printed } from '../kernel/diagnostic.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import { changeLines } from './model/domain-lines.ts';
import type { ChangeResult } from './result.ts';

/** How many domains are worked on at once. */
export const concurrency = 6;

/** A run that applies a plan of domains. */
export interface Applying extends Run {
  /** Says of a write that fails like an earlier one only that. */
  sameAs: SameAs;
}

type Doing = Omit<ChangeResult, 'outcome'>;

/** Tells a result. */
function conclude({ host }: Run, result: ChangeResult): ChangeResult {
  host.report({ type: 'lines', entries: changeLines(result) });
  return result;
}

/**
 * Does one write and tells how it went; what fails does not stop the others.
 *
 * @param work gives what there is to say beside what was planned
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

/** Tells that something is not done because of what came before it. */
export function skip(run: Run, doing: Doing, reason: SafeText): ChangeResult {
  return conclude(run, { ...doing, outcome: 'not-reached', reason });
}

/** True if a write failed, or was not reached. */
export const isUndone = ({ outcome }: ChangeResult): boolean =>
  outcome === 'failed' || outcome === 'not-reached';
