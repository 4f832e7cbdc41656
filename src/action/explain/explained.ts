import type { ExplainedEnd } from '../../frame/action.ts';
import type { Skip } from '../../frame/skip.ts';
import type { Step } from '../../frame/step.ts';
import type { Inputs } from '../../inputs/input.ts';
import type { Problem } from '../../kernel/diagnostic.ts';
import type { RunEvent } from '../../kernel/event.ts';
import { type SafeText, type Sanitize, safe, unsafeText } from '../../kernel/text/safe.ts';
import { cacheOfferOf } from '../../ledger/cache/exchange.ts';
import type { StepEnvironment } from '../../platform.ts';
import {
  closeExplanation,
  describeEvent,
  describeExplanation,
  describeHosts,
  type Explanation,
  explanationEntries,
  type NamedHost,
  renderExplanation,
  type Statement,
  type SubjectlessExplanation,
} from '../../report/explanation.ts';
import { explainEmpty } from '../preflight/problems.ts';

/** A step of any action with mode: explain. */
interface ExplainedStep {
  inputs: Pick<Inputs<{ 'api-key': string; 'base-url': string; 'env-ledger': string }>, 'get'>;
  context: Step<'deploy'>['context'];
  environment: StepEnvironment;
}

const hostOf = (url: string): string | undefined => URL.parse(url)?.host;

/** True if it sends requests to GitHub's API: it needs a permission, and names no other host. */
const readsGitHub = (one: Statement): boolean =>
  'does' in one && one.needs !== undefined && one.hosts === undefined;

/** The hosts that the explained run connects to, for jobs whose network is restricted. */
function explainHosts(
  { inputs, context, environment }: ExplainedStep,
  explanation: SubjectlessExplanation,
  clean: Sanitize,
) {
  if (explanation.outcome !== 'planned') return [];
  const named = (url: string | undefined, what: SafeText): NamedHost[] => {
    const host = hostOf(url ?? '');
    return host === undefined ? [] : [{ host: clean(host), what }];
  };
  const cache = cacheOfferOf(environment)?.address.href;
  const hosts = [
    ...named(inputs.get('base-url'), safe`the service`),
    ...(explanation.statements.some(readsGitHub) ? named(context.apiUrl, safe`GitHub's API`) : []),
    ...explanation.statements.flatMap((one) => ('does' in one ? (one.hosts ?? []) : [])),
    ...(explanation.variables.length > 0 && inputs.get('env-ledger') === 'cache'
      ? named(
          cache,
          safe`GitHub's cache, for the record of written variables, and the storage hosts that it redirects to`,
        )
      : []),
  ];
  return hosts.length === 0 ? [] : [{ about: safe`Hosts`, does: describeHosts(hosts) }];
}

/** What a run lacks that only mode: explain works without. */
const missingKey: Statement = {
  about: safe`API key`,
  does: safe`Not set. Every mode except explain needs it.`,
};

/** Adds the step's event and, before all, that the key is missing. */
export function withStep(
  step: ExplainedStep,
  explanation: SubjectlessExplanation,
  { needsKey, clean }: { needsKey: boolean; clean: Sanitize },
): SubjectlessExplanation {
  const event = { about: safe`Event`, does: describeEvent(step.context.event, clean) };
  const lacksKey = needsKey && (step.inputs.get('api-key') ?? '') === '';
  const isLater = lacksKey && explanation.outcome === 'planned';
  return {
    ...explanation,
    would: isLater ? safe`${explanation.would} once api-key is set` : explanation.would,
    statements: [
      ...(lacksKey ? [missingKey] : []),
      event,
      ...explanation.statements,
      ...explainHosts(step, explanation, clean),
    ],
  };
}

/** An explanation as the end of a step. */
export const explainedEnd = (
  explanation: Explanation,
  {
    outputs,
    problems = [],
  }: Pick<ExplainedEnd, 'outputs'> & Partial<Pick<ExplainedEnd, 'problems'>>,
): ExplainedEnd => ({
  outputs,
  problems,
  outcome: explanation.outcome,
  title: describeExplanation(explanation),
  closing: closeExplanation(explanation),
  summary: () => renderExplanation(explanation),
  logEntries: explanationEntries(explanation),
});

/** The most mistakes that an explanation lists: the wrong file may have thousands. */
const mostListed = 50;

const nothing = { variables: [], checks: [], needs: [] };

/** What to do about a run that would be skipped. */
const advice: Readonly<Record<string, SafeText>> = {
  fork: safe`Deploy pull requests from forks with a second workflow: examples/workflows/fork-preview.yml.`,
  dependabot: safe`Add the key to the Dependabot secrets (Settings → Secrets and variables → Dependabot).`,
  'branch-deleted': safe`To deploy anyway, set commit-sha.`,
  'pull-request-closed': safe`With preview-domain, the run removes the preview of a closed pull request.`,
};

/** What to do about a run that would be skipped for this reason; undefined if there is nothing. */
function adviceOnSkip(reason: string, { trust }: RunEvent): SafeText | undefined {
  if (reason !== 'not-allowed') return Object.hasOwn(advice, reason) ? advice[reason] : undefined;
  const { starter } = trust;
  return 'association' in starter
    ? safe`Have someone with one of these associations start the run. The deploy action can allow others (allowed-associations).`
    : safe`Use another event, such as workflow_dispatch.`;
}

/** Explains why a run would be skipped, and how to change that. */
export function explainSkip(
  { reason, message }: Skip,
  event: RunEvent,
  clean: Sanitize,
): SubjectlessExplanation {
  const advised = adviceOnSkip(reason, event);
  return {
    ...nothing,
    would: safe`be skipped`,
    outcome: 'skipped',
    statements: [
      { about: safe`Skipped`, does: safe`${clean(message)} (${unsafeText(reason)}).` },
      ...(advised === undefined ? [] : [{ about: safe`To change that`, does: advised }]),
    ],
  };
}

/** Explains that a run would fail before any request, and because of which inputs. */
export function explainWrong(
  problems: readonly Problem[],
  event: RunEvent,
  clean: Sanitize,
): SubjectlessExplanation {
  const listed = problems.slice(0, mostListed).map((problem): Statement => {
    const { input, message } = explainEmpty(problem, event);
    return { about: clean(input), does: clean(message) };
  });
  const left = problems.length - listed.length;
  return {
    ...nothing,
    would: safe`fail`,
    outcome: 'failed',
    statements: [
      ...listed,
      ...(left > 0 ? [{ about: safe`Inputs`, does: safe`${left} more problems.` }] : []),
    ],
  };
}
