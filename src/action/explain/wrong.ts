import type { Step } from '../../frame/step.ts';
import type { Inputs } from '../../inputs/input.ts';
import { explainEmpty } from '../../kernel/event/empty-input.ts';
import type { Problem } from '../../kernel/problem.ts';
import { safe } from '../../kernel/text/safe.ts';
import type { Sanitize } from '../../kernel/text/sanitize.ts';
import type { Said, Statement } from '../../report/explain/explanation.ts';
import { describeEvent } from './event.ts';
import { sayKey } from './shared.ts';

/** The most mistakes that an explanation lists: a file of another kind may have thousands. */
const mostListed = 50;

/** A step of any action that explains itself. */
interface StepWithKey {
  inputs: Inputs<{ 'api-key': string }>;
  context: Step<'deploy'>['context'];
}

/** That there is no key, which a run needs beside all that is told. */
export function keyStatements({ inputs }: StepWithKey): Statement[] {
  const key = sayKey({ 'api-key': inputs.get('api-key') ?? '' });
  return key === undefined ? [] : [{ about: safe`Key`, ...key }];
}

/** Explains that a run would fail before it asks anybody, and for which inputs. */
export function explainWrong(
  step: StepWithKey,
  problems: readonly Problem[],
  clean: Sanitize,
): Said {
  const { event } = step.context;
  const listed = problems.slice(0, mostListed).map((problem): Statement => {
    const { input, message } = explainEmpty(problem, event);
    return { about: clean(input), does: clean(message) };
  });
  const left = problems.length - listed.length;
  return {
    would: safe`fail`,
    outcome: 'failed',
    variables: [],
    checks: [],
    grants: [],
    statements: [
      { about: safe`Event`, does: describeEvent(event, clean) },
      ...listed,
      ...(left > 0 ? [{ about: safe`Inputs`, does: safe`${left} more mistakes.` }] : []),
      ...keyStatements(step),
    ],
  };
}
