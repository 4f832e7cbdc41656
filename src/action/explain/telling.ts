import type { Telling } from '../../frame/action.ts';
import type { Explanation } from '../../report/explain/explanation.ts';
import {
  closeExplanation,
  describeExplanation,
  explanationEntries,
  renderExplanation,
} from '../../report/explain/render.ts';

/** What an explanation comes to for the steps behind it. */
export type ToldOutputs = Pick<Telling, 'outputs'> & Partial<Pick<Telling, 'problems'>>;

/** An explanation as a step tells it. */
export const telling = (
  explanation: Explanation,
  { outputs, problems = [] }: ToldOutputs,
): Telling => ({
  outputs,
  problems,
  outcome: explanation.outcome,
  title: describeExplanation(explanation),
  closing: closeExplanation(explanation),
  summary: () => renderExplanation(explanation),
  says: explanationEntries(explanation),
});
