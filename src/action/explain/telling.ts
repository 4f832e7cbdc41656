import type { Telling } from '../../frame/action.ts';
import type { Step } from '../../frame/step.ts';
import type { Inputs } from '../../inputs/input.ts';
import { safe } from '../../kernel/text/safe.ts';
import type { Sanitize } from '../../kernel/text/sanitize.ts';
import { describeEvent } from '../../report/explain/describe-event.ts';
import type { Explanation, Said, Statement } from '../../report/explain/explanation.ts';
import {
  closeExplanation,
  describeExplanation,
  explanationEntries,
  renderExplanation,
} from '../../report/explain/render.ts';

/** A step of any action that explains itself. */
export interface ExplainedStep {
  inputs: Pick<Inputs<{ 'api-key': string }>, 'get'>;
  context: Step<'deploy'>['context'];
}

/** That there is no key, which a run needs beside all that is told. */
const explainKey = ({ inputs }: ExplainedStep): Statement[] =>
  (inputs.get('api-key') ?? '') === ''
    ? [
        {
          about: safe`Key`,
          leaves: safe`api-key is empty. Explaining needs none; a run that does all this needs it.`,
        },
      ]
    : [];

/** Says of a step by which event it runs, and whether it has the key that a run needs. */
export function withStep(
  step: ExplainedStep,
  said: Said,
  { needsKey, clean }: { needsKey: boolean; clean: Sanitize },
): Said {
  const event = { about: safe`Event`, does: describeEvent(step.context.event, clean) };
  const key = needsKey ? explainKey(step) : [];
  return { ...said, statements: [event, ...said.statements, ...key] };
}

/** An explanation as a step tells it. */
export const telling = (
  explanation: Explanation,
  { outputs, problems = [] }: Pick<Telling, 'outputs'> & Partial<Pick<Telling, 'problems'>>,
): Telling => ({
  outputs,
  problems,
  outcome: explanation.outcome,
  title: describeExplanation(explanation),
  closing: closeExplanation(explanation),
  summary: () => renderExplanation(explanation),
  says: explanationEntries(explanation),
});
