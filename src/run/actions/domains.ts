import { manageDomains } from '../../commands/domains.ts';
import { renderDomainsComment } from '../../core/comment/domains.ts';
import { pullRequestOf } from '../../core/event/pull-request.ts';
import {
  countSettings,
  type DomainsReport,
  emptyReport,
} from '../../core/report/domains-report.ts';
import { closeDomains, renderDomainsSummary } from '../../core/report/domains-section.ts';
import { hasDrift } from '../../core/report/environment-result.ts';
import { safe } from '../../core/text/safe.ts';
import type { Values } from '../../inputs.ts';
import type { Action, Recorded, WayIn } from '../action.ts';
import { ledgersFor } from '../ledgers/ledgers.ts';
import { commentOnThread } from '../recording/run-comment.ts';
import type { DomainsWork } from '../starts/domains.ts';
import type { Step } from '../step.ts';
import type { DeclaredSite } from '../way-in/declared-domains.ts';

function drifts({ digest, changes, environment }: DomainsReport): string {
  if (digest === '') return '';
  return String(changes.length > 0 || (environment !== undefined && hasDrift(environment)));
}

/** What a plan with drift asks of somebody. */
const driftError = safe`The service is not as the site file says, and fail-on-drift is true: see the plan above. Run with mode: apply to change it.`;

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
  const { inputs, context } = step;
  const source = pullRequestOf(context.event);
  const key = commentKey(step);
  if (source?.kind !== 'known' || key === undefined || inputs.get('comment') === 'false') return {};
  const comment = {
    number: source.pullRequest.number,
    key: `domains ${key}`,
    render: (shell: Parameters<typeof renderDomainsComment>[1]) =>
      renderDomainsComment(report, shell),
    // A plan that neither changes nor sets anything is worth a comment only where an earlier one says otherwise.
    mayCreate: report.changes.length + countSettings(report) > 0 || report.error !== undefined,
  };
  const access = {
    'api-key': inputs.get('api-key') ?? '',
    'env-ledger-key': inputs.get('env-ledger-key'),
    'github-token': inputs.get('github-token'),
  };
  return { commentUrl: await commentOnThread(context, access, comment, by) };
}

/** Brings domains to what the site file says. */
export const domainsAction: Action<'domains', DeclaredSite, DomainsWork, DomainsReport> = {
  execute: async (step, { variables }, { values, request }, open) => {
    const { host, warn } = open;
    const ledgers = ledgersFor({ ...values, 'env-prune': false }, { variables }, step, host);
    const { 'project-id': projectId, 'env-on-conflict': onConflict } = values;
    const environment =
      projectId === undefined || variables.length === 0
        ? undefined
        : { projectId, variables, ledgers, onConflict };
    const report = await manageDomains(open, {
      ...request,
      ...(environment && { environment }),
    });
    const fails =
      report.outcome === 'planned' && values['fail-on-drift'] && drifts(report) === 'true';
    const { signal } = host;
    return {
      report: fails ? { ...report, error: driftError } : report,
      fails,
      ledgers,
      tell: (told) => commentOn(step, told, { signal, warn }),
    };
  },
  unsent: (_step, end) => ({ ...emptyReport(), ...end }),
  // An earlier comment shows the plan of another file.
  tellWrong: commentOn,
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
