import type { Problem } from '../core/problem.ts';
import { titleOf } from '../core/report/closing.ts';
import { plain } from '../core/text/markdown.ts';
import type { ActionName } from '../inputs.ts';
import type { OpenLog } from './open-log.ts';
import { tellProblems } from './problems.ts';
import type { StepEnd } from './step.ts';

/** A step that ends before anything is sent. */
export interface Refusal {
  outcome: 'skipped' | 'failed';
  /** What is wrong; absent if nothing is. */
  error?: string;
  /** The job's summary of a step that is skipped: it has nothing else to say. */
  summary?: string;
}

/**
 * Ends a step before anything is sent, and tells why.
 *
 * @param skipped why it has nothing to do; undefined if it has
 * @returns undefined if it may go on
 */
export function refuse(
  skipped: string | undefined,
  problems: readonly Problem[],
  { log, redact }: OpenLog,
): Refusal | undefined {
  if (skipped !== undefined) {
    log.write({ kind: 'notice', text: `Skipped: ${skipped}.` });
    return { outcome: 'skipped', summary: `## ${titleOf('skipped')}\n\n${plain(skipped)}.\n` };
  }
  if (problems.length === 0) return undefined;
  return { outcome: 'failed', error: tellProblems(problems, log, redact) };
}

/** The end of a step that was refused. */
export function endRefused<Name extends ActionName>(
  { summary }: Refusal,
  end: StepEnd<Name>,
): StepEnd<Name> {
  return summary === undefined ? end : { ...end, summary };
}
