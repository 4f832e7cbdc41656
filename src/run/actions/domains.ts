import { type DomainsRequest, manageDomains } from '../../commands/domains.ts';
import { renderDomainsComment } from '../../core/comment/domains.ts';
import { askedNameFault } from '../../core/domains/availability.ts';
import { pullRequestOf } from '../../core/event/pull-request.ts';
import { trustIn } from '../../core/event/trust.ts';
import { idempotencyKey } from '../../core/idempotency.ts';
import type { Problem } from '../../core/problem.ts';
import {
  countSettings,
  type DomainsReport,
  emptyReport,
} from '../../core/report/domains-report.ts';
import { closeDomains, renderDomainsSummary } from '../../core/report/domains-section.ts';
import { hasDrift } from '../../core/report/environment.ts';
import { clean } from '../../core/text/clean.ts';
import type { Values } from '../../inputs.ts';
import { type Action, type WayIn, workUnlessWrong } from '../action.ts';
import { ledgersFor } from '../ledgers/ledgers.ts';
import { commentOnThread } from '../recording/comment.ts';
import type { Step } from '../step.ts';
import { type DeclaredDomains, readDomains } from '../way-in/declared-domains.ts';
import { proxyProblems } from '../way-in/proxy.ts';
import { whyNotToStart } from '../way-in/skip.ts';

interface Work {
  values: Values<'domains'>;
  variables: DeclaredDomains['variables'];
  request: Omit<DomainsRequest, 'environment'>;
}

function drifts({ digest, changes, environment }: DomainsReport): string {
  if (digest === '') return '';
  return String(changes.length > 0 || (environment !== undefined && hasDrift(environment)));
}

/** What a plan with drift asks of somebody. */
const driftError =
  'The service is not as the site file says, and fail-on-drift is true: see the plan above. Run with mode: apply to change it.';

function checkProblems(names: readonly string[]): Problem[] {
  return names.flatMap((name) => {
    const fault = askedNameFault(name);
    if (fault === undefined) return [];
    return [{ input: 'check', message: `"${clean(name, 80)}" is no domain name: it ${fault}` }];
  });
}

function problemsOf(step: Step<'domains'>, declared: DeclaredDomains): Problem[] {
  const { inputs, context } = step;
  const found = inputs.with(['check'], ({ check = [] }) => checkProblems(check)) ?? [];
  const hasNoProject = inputs.with(['project-id'], (values) => values['project-id'] === undefined);
  if (declared.hasEnvironment && hasNoProject === true) {
    const message = 'is empty, and the site file declares an environment: it needs a project';
    found.push({ input: 'project-id', message });
  }
  const isUseless = inputs.with(
    ['max-price', 'check'],
    ({ 'max-price': price, check = [] }) => price !== undefined && check.length === 0,
  );
  if (isUseless === true) {
    found.push({ input: 'max-price', message: 'needs names in the input check' });
  }
  const mustComment = inputs.with(['comment'], ({ comment }) => comment === 'true') === true;
  if (mustComment && pullRequestOf(context.event)?.kind !== 'known') {
    found.push({ input: 'comment', message: 'true needs a pull request: use auto' });
  }
  return [...declared.problems, ...found, ...proxyProblems(step)];
}

const forComment = [
  'comment',
  'comment-key',
  'config',
  'project-id',
  'api-key',
  'env-ledger-key',
  'github-token',
] as const;

/** Comments on the run's pull request, if there is one and a comment is wanted. */
async function commentOn(
  { inputs, context }: Step<'domains'>,
  report: DomainsReport,
  by: WayIn,
): Promise<void> {
  const source = pullRequestOf(context.event);
  if (source?.kind !== 'known') return;
  await inputs.with(forComment, async (values) => {
    if (values.comment === 'false') return;
    const { config, 'project-id': projectId = '' } = values;
    const comment = {
      number: source.pullRequest.number,
      key: `domains ${values['comment-key'] ?? `${config} ${projectId}`}`,
      render: (shell: Parameters<typeof renderDomainsComment>[1]) =>
        renderDomainsComment(report, shell),
      // A plan that neither changes nor sets anything is worth a comment only where an earlier one says otherwise.
      mayCreate: report.changes.length + countSettings(report) > 0 || report.error !== undefined,
    };
    await commentOnThread(context, values, comment, by);
  });
}

function makeWork(
  values: Values<'domains'>,
  { declared, variables, warnings, notices }: DeclaredDomains,
  { event, identity }: Step<'domains'>['context'],
) {
  const request: Work['request'] = {
    declared,
    check: values.check ?? [],
    maxPrice: values['max-price'],
    planOnly: values.mode === 'plan',
    gates: { expectedPlan: values['expected-plan'], maxChanges: values['max-changes'] },
    guarded: trustIn(event).code !== 'merged' && !values['allow-production'],
    follow: values.wait ? values['domain-timeout'] : undefined,
    keyFor: (operation, target) => idempotencyKey(identity, operation, target),
  };
  const says = [
    ...warnings.map((text) => ({ kind: 'warning', text }) as const),
    ...notices.map((text) => ({ kind: 'notice', text }) as const),
  ];
  return { work: { values, variables, request }, says };
}

/** The action that brings domains to what the site file says. */
export const domainsAction: Action<'domains', DeclaredDomains, Work, DomainsReport> = {
  read: readDomains,
  prepare: (step, declared, wayIn) => {
    const skip = whyNotToStart(step, false);
    if (skip !== undefined) return skip;
    const prepared = workUnlessWrong(step.inputs, problemsOf(step, declared), (values) =>
      makeWork(values, declared, step.context),
    );
    if (prepared.kind === 'work') return prepared;
    // An earlier comment shows the plan of another file.
    const tell = async (report: DomainsReport) => {
      await commentOn(step, report, wayIn);
      return {};
    };
    return { ...prepared, tell };
  },
  execute: async (step, { values, variables, request }, { client, host, warn }) => {
    const ledgers = ledgersFor({ ...values, 'env-prune': false }, { variables }, step, host);
    const { 'project-id': projectId, 'env-on-conflict': onConflict } = values;
    const environment =
      projectId === undefined || variables.length === 0
        ? undefined
        : { projectId, variables, ledgers, onConflict };
    const report = await manageDomains(client, host, {
      ...request,
      ...(environment && { environment }),
    });
    const fails =
      report.outcome === 'planned' && values['fail-on-drift'] && drifts(report) === 'true';
    const { signal } = host;
    return {
      report: fails ? { ...report, error: driftError } : report,
      fails,
      tell: async (told) => {
        await Promise.all([ledgers.settled(), commentOn(step, told, { signal, warn })]);
        return {};
      },
    };
  },
  unsent: (_step, end) => ({ ...emptyReport(), ...end }),
  report: (report) => {
    const { digest, changes, connected, availability, undeclared } = report;
    const results = availability.map(
      ({ result, name, reason }) => result ?? { name, registrable: false, reason },
    );
    return {
      outputs: {
        plan: digest === '' ? '' : JSON.stringify({ digest, changes }),
        'plan-digest': digest,
        drift: drifts(report),
        domains: JSON.stringify(connected),
        availability: JSON.stringify(results),
        undeclared: JSON.stringify(undeclared.map(({ domain, whole }) => ({ domain, ...whole }))),
      },
      closing: closeDomains(report),
      summary: renderDomainsSummary(report),
    };
  },
};
