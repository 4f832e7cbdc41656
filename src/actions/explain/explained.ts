import type { DeployValues } from '../../deploy/inputs.ts';
import type { Inputs } from '../../inputs/input.ts';
import type { RunEvent } from '../../kernel/event.ts';
import { type SafeText, type Sanitize, safe } from '../../kernel/text/safe.ts';
import { cacheOfferOf } from '../../ledger/cache/exchange.ts';
import type { StepEnvironment } from '../../platform.ts';
import type { Subject } from '../../report/closing.ts';
import {
  closeExplanation,
  describeEvent,
  describeExplanation,
  describeHosts,
  does,
  type Explanation,
  explanationEntries,
  fails,
  type NamedHost,
  needsOf,
  type Row,
  renderExplanation,
  tableOf,
} from '../../report/explanation.ts';
import type { ExplainedResult } from '../../step/end-step.ts';
import { explainProblem } from '../../step/input-problems.ts';
import type { Skip, Wrong } from '../../step/skip.ts';
import type { Step } from '../../step/step.ts';

/** A step of any action with mode: explain. */
interface ExplainedStep {
  inputs: Pick<Inputs<{ 'api-key': string; 'base-url': string; 'env-ledger': string }>, 'get'>;
  context: Step<DeployValues>['context'];
  environment: StepEnvironment;
}

/**
 * The end of a step that only explains. Adds its event, its hosts and, before all, that the key is missing.
 *
 * @param needsKey false if the run would be skipped without a key, too
 */
export function endExplained(
  step: ExplainedStep,
  subject: Subject,
  explanation: Explanation,
  { needsKey, clean }: { needsKey: boolean; clean: Sanitize },
): Pick<ExplainedResult, 'outcome' | 'title' | 'closing' | 'summary' | 'logEntries'> {
  const { would, outcome, rows } = explanation;
  const lacksKey = needsKey && (step.inputs.get('api-key') ?? '') === '';
  const isLater = lacksKey && outcome === 'planned';
  const whole: Explanation = {
    ...explanation,
    would: isLater ? safe`${would} once api-key is set` : would,
    rows: tableOf(
      lacksKey && missingKey,
      does(safe`Event`, describeEvent(step.context.event, clean)),
      ...rows,
      explainHosts(step, explanation, clean),
    ),
    needs: outcome === 'planned' && step.context.apiUrl !== '' ? needsOf(rows) : undefined,
  };
  return {
    outcome,
    title: describeExplanation(subject, whole),
    closing: closeExplanation(subject, whole),
    summary: () => renderExplanation(subject, whole),
    logEntries: explanationEntries(whole),
  };
}

/** What a run lacks that only mode: explain works without. */
const missingKey = does(safe`API key`, safe`Not set. Every mode except explain needs it.`);

/** The hosts that the explained run connects to, for jobs whose network is restricted. */
function explainHosts(
  { inputs, context, environment }: ExplainedStep,
  { outcome, rows, variables = [] }: Explanation,
  clean: Sanitize,
): Row | undefined {
  if (outcome !== 'planned') return undefined;
  const hosts: NamedHost[] = [];
  const add = (url: string | undefined, what: SafeText) => {
    const host = URL.parse(url ?? '')?.host;
    if (host !== undefined) hosts.push({ host: clean(host), what });
  };
  add(inputs.get('base-url'), safe`the service`);
  if (rows.some(readsGitHub)) add(context.apiUrl, safe`GitHub's API`);
  for (const row of rows) if ('does' in row) hosts.push(...(row.hosts ?? []));
  if (variables.length > 0 && inputs.get('env-ledger') === 'cache') {
    add(
      cacheOfferOf(environment)?.address.href,
      safe`GitHub's cache, for the record of written variables, and the storage hosts that it redirects to`,
    );
  }
  return hosts.length === 0 ? undefined : does(safe`Hosts`, describeHosts(hosts));
}

/** True if it sends requests to GitHub's API: it needs a permission, and names no other host. */
const readsGitHub = (row: Row): boolean =>
  'does' in row && row.needs !== undefined && row.hosts === undefined;

/** Explains why a run would be skipped, and how to change that; or that it would fail, because of which inputs. */
export function explainRefused(
  refused: Skip | Wrong,
  step: Pick<ExplainedStep, 'context' | 'environment'>,
  clean: Sanitize,
): Explanation {
  if (refused.kind === 'skip') {
    const { reason, message } = refused;
    const advised = adviceOnSkip(reason, step.context.event);
    const rows = tableOf(
      does(safe`Skipped`, safe`${clean(message)} (${reason}).`),
      advised && does(safe`To change that`, advised),
    );
    return { would: safe`be skipped`, outcome: 'skipped', rows };
  }
  const rows = refused.problems.slice(0, mostListed).map((problem) => {
    const { name, message } = explainProblem(problem, step);
    return fails(clean(name), clean(message));
  });
  const left = refused.problems.length - rows.length;
  if (left > 0) rows.push(fails(safe`Inputs`, safe`${left} more problems.`));
  return { would: safe`fail`, outcome: 'failed', rows };
}

/** The most mistakes that an explanation lists: the wrong file may have thousands. */
const mostListed = 50;

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
