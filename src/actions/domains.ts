import { commentProblems } from '../comments/comment-problems.ts';
import { type DeclaredSite, readDomains } from '../declared/declared-domains.ts';
import type { DomainsRequest } from '../domains/domains.ts';
import { type DomainsValues, domains } from '../domains/inputs.ts';
import { checkedNameFault, checkedTogether } from '../domains/model/availability.ts';
import { readService } from '../follow/model/service.ts';
import { proxyProblems } from '../http/proxies.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import { clean } from '../kernel/text/safe.ts';
import type { Platform } from '../platform.ts';
import { type Prefetch, prefetch } from '../service/http.ts';
import type { StepResult } from '../step/end-step.ts';
import { connect, openStep } from '../step/open-step.ts';
import { insiders, unlessWrong, whyNotToStart } from '../step/skip.ts';
import type { Step } from '../step/step.ts';

const loadRest = () => import('./late/domains.ts');

/** The action that applies the site file's domains, or plans it. */
export async function domainsAction(platform: Platform): Promise<StepResult> {
  using step = await openStep(platform, domains.inputs, readDomains);
  const { inputs, declared, log } = step;
  const job =
    whyNotToStart(step, { allowed: insiders, checksProposers: false }) ??
    unlessWrong(inputs, problemsOf(step, declared));
  if (job.kind !== 'valid') {
    const { commentDomains, domainsView, refuse } = await loadRest();
    // An earlier comment shows the plan of another file.
    return await refuse(step, domainsView, job, (report) => commentDomains(step, report));
  }

  const { values } = job;
  for (const text of declared.notices) log.write({ kind: 'notice', text });
  const request = requestOf(values, declared.declared, step);
  const transport = await connect(step, values, firstRequest(request));
  const rest = await loadRest();
  const { commentDomains, domainsView: view, manageDomains, openService, withDomainsDrift } = rest;
  await using service = await openService(step, values, transport);
  const planned = rest.complete(step, await manageDomains(service, request));
  const report = await withDomainsDrift(step, planned, values);
  await rest.setOutputs(step, view, report);
  return await rest.finish(view, report, commentDomains(step, report), {
    isDrifted: report.drifted === true,
  });
}

function checkProblems(names: readonly string[]): Problem[] {
  return names.flatMap((name) => {
    const fault = checkedNameFault(name);
    if (fault === undefined) return [];
    return [
      {
        input: 'check',
        code: 'SD1113',
        message: `"${clean(name, 80)}" is not a valid domain name: it ${fault}`,
      },
    ];
  });
}

function problemsOf(step: Step<DomainsValues>, declared: DeclaredSite): Problem[] {
  const { inputs } = step;
  const check = inputs.get('check') ?? [];
  const found = checkProblems(check);
  if (inputs.get('max-price') !== undefined && check.length === 0) {
    found.push({
      input: 'max-price',
      code: 'SD1101',
      message: 'needs names in check',
    });
  }
  return [
    ...declared.problems,
    ...found,
    ...readService(inputs.get('service')).problems,
    ...commentProblems(step),
    ...proxyProblems(step),
  ];
}

function requestOf(
  values: DomainsValues,
  declared: DeclaredSite['declared'],
  { context }: Step<DomainsValues>,
): DomainsRequest {
  return {
    declared,
    check: values.check ?? [],
    maxPrice: values['max-price'],
    planOnly: values.mode === 'plan',
    gates: { expectedPlan: values['expected-plan'], maxChanges: values['max-changes'] },
    guarded: context.event.trust.code !== 'merged' && !values['allow-production'],
    customStatuses: readService(values.service).customStatuses,
    follow: values.wait === 0 ? undefined : values.wait,
  };
}

/** The first request of every run with these values; undefined if it may differ. */
function firstRequest({ check, declared }: DomainsRequest): Prefetch | undefined {
  const [names] = checkedTogether(check);
  if (names !== undefined) return prefetch.availability(names);
  return declared.connections.length === 0 ? undefined : prefetch.connectedDomains();
}
