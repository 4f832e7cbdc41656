import type { Telling } from '../../frame/action.ts';
import type { Step } from '../../frame/step.ts';
import type { StepEnvironment } from '../../github/runner.ts';
import type { Inputs } from '../../inputs/input.ts';
import { type SafeText, type Sanitize, safe } from '../../kernel/text/safe.ts';
import { cacheOfferOf } from '../../ledger/cache/exchange.ts';
import { describeEvent } from '../../report/explain/describe-event.ts';
import {
  describeHosts,
  type Explanation,
  type NamedHost,
  type Said,
  type Statement,
} from '../../report/explain/explanation.ts';
import {
  closeExplanation,
  describeExplanation,
  explanationEntries,
  renderExplanation,
} from '../../report/explain/render.ts';

/** A step of any action with mode: explain. */
export interface ExplainedStep {
  inputs: Pick<Inputs<{ 'api-key': string; 'base-url': string; 'env-ledger': string }>, 'get'>;
  context: Step<'deploy'>['context'];
  environment: StepEnvironment;
}

const hostOf = (url: string): string | undefined => URL.parse(url)?.host;

/** True of what needs a permission: that is for GitHub's API, where no other host is named. */
const readsGitHub = (one: Statement): boolean =>
  'does' in one && one.needs !== undefined && one.hosts === undefined;

/** Where a run connects to that does all that is said: for rules that let a job reach nothing else. */
function explainHosts(
  { inputs, context, environment }: ExplainedStep,
  said: Said,
  clean: Sanitize,
) {
  if (said.outcome !== 'planned') return [];
  const named = (url: string | undefined, what: SafeText): NamedHost[] => {
    const host = hostOf(url ?? '');
    return host === undefined ? [] : [{ host: clean(host), what }];
  };
  const cache = cacheOfferOf(environment)?.address.href;
  const hosts = [
    ...named(inputs.get('base-url'), safe`the service`),
    ...(said.statements.some(readsGitHub) ? named(context.apiUrl, safe`GitHub's API`) : []),
    ...said.statements.flatMap((one) => ('does' in one ? (one.hosts ?? []) : [])),
    ...(said.variables.length > 0 && inputs.get('env-ledger') === 'cache'
      ? named(cache, safe`the ledger's cache, with the storage hosts that it names`)
      : []),
  ];
  return hosts.length === 0 ? [] : [{ about: safe`Hosts`, does: describeHosts(hosts) }];
}

/** A statement if the key is missing, which a run needs. */
const explainKey = ({ inputs }: ExplainedStep): Statement[] =>
  (inputs.get('api-key') ?? '') === ''
    ? [
        {
          about: safe`Key`,
          leaves: safe`api-key is empty. mode: explain works without it, a run does not.`,
        },
      ]
    : [];

/** Adds the step's event and, if it is missing, the key. */
export function withStep(
  step: ExplainedStep,
  said: Said,
  { needsKey, clean }: { needsKey: boolean; clean: Sanitize },
): Said {
  const event = { about: safe`Event`, does: describeEvent(step.context.event, clean) };
  const key = needsKey ? explainKey(step) : [];
  return {
    ...said,
    statements: [event, ...said.statements, ...explainHosts(step, said, clean), ...key],
  };
}

/** An explanation as the end of a step. */
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
