import { commentProblems } from '../../comments/comment-problems.ts';
import { type DeclaredSite, readDomains } from '../../declared/declared-domains.ts';
import type { DomainsRequest } from '../../domains/domains.ts';
import { domains } from '../../domains/inputs.ts';
import { checkedNameFault, checkedTogether } from '../../domains/model/availability.ts';
import type { DomainsReport } from '../../domains/result.ts';
import { readService } from '../../follow/model/service.ts';
import { entries, type Start, type WorkOf, workUnlessWrong } from '../../frame/action.ts';
import { proxyProblems } from '../../frame/first-request.ts';
import { insiders, whyNotToStart } from '../../frame/skip.ts';
import type { Step } from '../../frame/step.ts';
import type { Values } from '../../inputs.ts';
import type { Problem } from '../../kernel/diagnostic.ts';
import { clean } from '../../kernel/text/safe.ts';
import { prefetch } from '../../service/prefetch.ts';

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

function problemsOf(step: Step<'domains'>, declared: DeclaredSite): Problem[] {
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

function makeWork(
  values: Values<'domains'>,
  { declared, notices }: DeclaredSite,
  { context }: Step<'domains'>,
) {
  const request: DomainsRequest = {
    declared,
    check: values.check ?? [],
    maxPrice: values['max-price'],
    planOnly: values.mode === 'plan',
    gates: { expectedPlan: values['expected-plan'], maxChanges: values['max-changes'] },
    guarded: context.event.trust.code !== 'merged' && !values['allow-production'],
    customStatuses: readService(values.service).customStatuses,
    follow: values.wait === 0 ? undefined : values.wait,
  };
  return { work: { values, request }, logEntries: entries('notice', notices) };
}

/** The action that applies the site file's domains. */
export const domainsStart: Start<
  'domains',
  DeclaredSite,
  WorkOf<'domains', DomainsRequest>,
  DomainsReport
> = {
  inputs: domains.inputs,
  read: readDomains,
  prepare: (step, declared) =>
    whyNotToStart(step, { allowed: insiders, checksProposers: false }) ??
    workUnlessWrong(step.inputs, problemsOf(step, declared), (values) =>
      makeWork(values, declared, step),
    ),
  firstRequest: ({ request: { check, declared } }) => {
    const [names] = checkedTogether(check);
    if (names !== undefined) return prefetch.availability(names);
    return declared.connections.length === 0 ? undefined : prefetch.connectedDomains();
  },
  load: async () => (await import('../actions/domains.ts')).domainsAction,
};
