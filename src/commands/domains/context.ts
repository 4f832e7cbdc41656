import type { ChangeResult } from '../../core/report/domains-report.ts';
import { explain } from '../explain.ts';
import type { Run } from '../run.ts';

/** What the parts of an apply share. */
export interface Applying extends Run {
  /** Takes each result as it comes. */
  results: ChangeResult[];
}

/** How many domains are worked on at once. */
export const atOnce = 6;

type Doing = Omit<ChangeResult, 'outcome'>;

/** Notes a result, and tells it. */
export function conclude({ host, results }: Applying, result: ChangeResult): void {
  results.push(result);
  host.report({ type: 'change', result });
}

/**
 * Does one write and notes how it went; what fails does not stop the others.
 *
 * @param work gives what there is to say beside what was planned
 * @returns false if it failed
 */
export async function attempt(
  applying: Applying,
  doing: Doing,
  work: () => Promise<Partial<Pick<ChangeResult, 'outcome' | 'reason'>> | undefined>,
): Promise<boolean> {
  const { host } = applying;
  try {
    conclude(applying, { ...doing, outcome: 'done', ...(await work()) });
    return true;
  } catch (error) {
    const isCut = host.signal.aborted;
    const reason = isCut ? 'the run ended before this was confirmed' : explain(error, host.clean);
    conclude(applying, { ...doing, outcome: isCut ? 'not-reached' : 'failed', reason });
    return false;
  }
}

/** Notes that something is not done because of what came before it. */
export function skip(applying: Applying, doing: Doing, reason: string): void {
  conclude(applying, { ...doing, outcome: 'not-reached', reason });
}
