import { type DomainsRequest, manageDomains } from '../../commands/domains.ts';
import { coded } from '../../core/catalogue/coded.ts';
import { renderDomainsComment } from '../../core/comment/domains.ts';
import { askedNameFault } from '../../core/domains/availability.ts';
import { trustIn } from '../../core/event/trust.ts';
import type { Problem } from '../../core/problem.ts';
import { nameOf } from '../../core/report/closing.ts';
import {
  countSettings,
  type DomainsReport,
  emptyReport,
} from '../../core/report/domains-report.ts';
import { closeDomains, renderDomainsSummary } from '../../core/report/domains-section.ts';
import { hasDrift } from '../../core/report/environment-result.ts';
import { clean } from '../../core/text/clean.ts';
import { safe } from '../../core/text/safe.ts';
import type { Values } from '../../inputs.ts';
import {
  type Action,
  entries,
  type Recorded,
  type WayIn,
  warningEntries,
  workUnlessWrong,
} from '../action.ts';
import { ledgersFor } from '../ledgers/ledgers.ts';
import { commentPlan, commentProblems, type PlanComment } from '../recording/plan-comment.ts';
import type { Step } from '../step.ts';
import { type DeclaredSite, readDomains } from '../way-in/declared-domains.ts';
import { proxyProblems } from '../way-in/proxy.ts';
import { whyNotToStart } from '../way-in/skip.ts';

interface DomainsWork {
  values: Values<'domains'>;
  request: Omit<DomainsRequest, 'environment'>;
}

/** Whether the service is otherwise than declared: a plan changes something, or not all of it was done. */
function drifts({ digest, changes, environment, isPlanned, results }: DomainsReport): string {
  if (digest === '') return '';
  const wanted = changes.filter(({ type }) => type === 'domain');
  const done = results.filter(
    ({ resource, outcome }) => resource !== 'registered-domain' && outcome === 'done',
  );
  const isLeft = isPlanned ? wanted.length > 0 : done.length < wanted.length;
  return String(isLeft || (environment !== undefined && hasDrift(environment)));
}

/** What a plan with drift asks of somebody. */
const driftError = coded(
  'SD6109',
  safe`The service is not as the site file says, and fail-on-drift is true: see its plan. Run with mode: apply to change it.`,
);

function checkProblems(names: readonly string[]): Problem[] {
  return names.flatMap((name) => {
    const fault = askedNameFault(name);
    if (fault === undefined) return [];
    return [
      {
        input: 'check',
        code: 'SD1113',
        message: `"${clean(name, 80)}" is no domain name: it ${fault}`,
      },
    ];
  });
}

function problemsOf(step: Step<'domains'>, declared: DeclaredSite): Problem[] {
  const { inputs } = step;
  const check = inputs.get('check') ?? [];
  const found = checkProblems(check);
  const hasNoProject = inputs.with(['project-id'], (values) => values['project-id'] === undefined);
  if (declared.hasEnvironment && hasNoProject === true) {
    const message = 'is empty, and the site file declares an environment: it needs a project';
    found.push({ input: 'project-id', code: 'SD1115', message });
  }
  if (inputs.get('max-price') !== undefined && check.length === 0) {
    found.push({
      input: 'max-price',
      code: 'SD1101',
      message: 'needs names in the input check',
    });
  }
  return [...declared.problems, ...found, ...commentProblems(step), ...proxyProblems(step)];
}

type ForKey = Pick<Values<'domains'>, 'config' | 'project-id'>;

/** Which comment a step writes; undefined if an input that says it is wrong. */
function commentKey({ inputs }: Step<'domains'>): string | undefined {
  const standard = ({ config, 'project-id': id = '' }: ForKey) => `${config} ${id}`;
  return inputs.get('comment-key') ?? inputs.with(['config', 'project-id'], standard);
}

/** Comments on the run's pull request, if there is one and a comment is wanted. */
async function commentOn(
  step: Step<'domains'>,
  report: DomainsReport,
  by: WayIn,
): Promise<Partial<Recorded>> {
  const comment: PlanComment = {
    key: commentKey(step),
    render: (context) => renderDomainsComment(report, context),
    // A plan that neither changes nor sets anything is worth a comment only where an earlier one says otherwise.
    mayCreate: report.changes.length + countSettings(report) > 0 || report.error !== undefined,
  };
  return await commentPlan('domains', step, comment, by);
}

function makeWork(
  values: Values<'domains'>,
  { declared, warnings, notices }: DeclaredSite,
  { context }: Step<'domains'>,
) {
  const request: DomainsWork['request'] = {
    declared,
    check: values.check ?? [],
    maxPrice: values['max-price'],
    planOnly: values.mode === 'plan',
    gates: { expectedPlan: values['expected-plan'], maxChanges: values['max-changes'] },
    replaceUndeclared: values['replace-undeclared'],
    guarded: trustIn(context.event).code !== 'merged' && !values['allow-production'],
    follow: values.wait ? values['domain-timeout'] : undefined,
  };
  const says = [...warningEntries(warnings), ...entries('notice', notices)];
  return { work: { values, request }, says };
}

/** The action that brings domains to what the site file says. */
export const domainsAction: Action<'domains', DeclaredSite, DomainsWork, DomainsReport> = {
  read: readDomains,
  prepare: (step, declared, wayIn) => {
    const skip = whyNotToStart(step, false);
    if (skip !== undefined) return skip;
    const prepared = workUnlessWrong(step.inputs, problemsOf(step, declared), (values) =>
      makeWork(values, declared, step),
    );
    if (prepared.kind === 'work') return prepared;
    // An earlier comment shows the plan of another file.
    return { ...prepared, tell: (report) => commentOn(step, report, wayIn) };
  },
  execute: async (step, { variables, declared }, { values, request }, open) => {
    const { host, warn } = open;
    const hasRecords = declared.registrations.some(({ records }) => records !== undefined);
    const remembered = { variables, hasRecords };
    const ledgers = ledgersFor({ ...values, 'env-prune': false }, remembered, step, host);
    const { 'project-id': projectId, 'env-on-conflict': onConflict } = values;
    const environment =
      projectId === undefined || variables.length === 0
        ? undefined
        : { projectId, variables, ledgers, onConflict };
    const report = await manageDomains(open, {
      ...request,
      ...(environment && { environment }),
      ...(hasRecords && { memory: { ledgers, projectId: projectId ?? '', file: values.config } }),
    });
    const fails =
      report.outcome === 'planned' && values['fail-on-drift'] && drifts(report) === 'true';
    const { signal } = host;
    return {
      report: fails ? { ...report, error: driftError, drifted: true } : report,
      fails,
      ledgers,
      tell: (told) => commentOn(step, told, { signal, warn }),
    };
  },
  unsent: (_step, end) => ({ ...emptyReport(), ...end }),
  report: (report) => {
    const { digest, changes, connected, availability, undeclared } = report;
    const results = availability.map(
      ({ result, name }) => result ?? { name, registrable: false, reason: 'not-in-answer' },
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
      title: `Domains: ${nameOf(report.outcome).toLowerCase()}`,
      closing: closeDomains(report),
      summary: renderDomainsSummary(report),
    };
  },
};
