import type { DomainsRequest } from '../commands/domains.ts';
import { readDeclaredDomains } from '../core/domains/declared.ts';
import { type DesiredVariable, gatherDesired } from '../core/environment/desired.ts';
import { idempotencyKey } from '../core/idempotency.ts';
import type { Problem } from '../core/problem.ts';
import { pullRequestOf } from '../core/pull-request.ts';
import type { Values } from '../inputs.ts';
import { proxyProblems } from './cross-problems.ts';
import { readSite, type SiteReading } from './site-file.ts';
import type { Step } from './step.ts';

type DomainsValues = Partial<Values<'domains'>>;

/** What a step of the domains action is to do. */
export interface PreparedDomains {
  request: Omit<DomainsRequest, 'environment'>;
  variables: readonly DesiredVariable[];
  problems: readonly Problem[];
  notices: readonly string[];
  warnings: readonly string[];
}

const nothing: Extract<SiteReading, { siteFile: unknown }> = {
  siteFile: { environment: [], connectedDomains: [], registeredDomains: [] },
  placeOf: () => ({ line: 1, column: 1 }),
};

/** Reads the site file. With names to check it may be missing. */
async function readFile(
  { values, context }: Step<'domains'>,
  problems: Problem[],
): Promise<typeof nothing> {
  const { config, check = [] } = values;
  if (config === undefined) return nothing;
  const read = await readSite(config, context.workspace);
  if ('siteFile' in read) return read;
  if (!read.isMissing || check.length === 0) problems.push(...read.problems);
  return nothing;
}

function crossProblems(
  values: DomainsValues,
  { event }: Step<'domains'>['context'],
  hasVariables: boolean,
): Problem[] {
  const found: Problem[] = [];
  if (hasVariables && values['project-id'] === undefined) {
    const message = 'is empty, and the site file declares an environment: it needs a project';
    found.push({ input: 'project-id', message });
  }
  if (values['max-price'] !== undefined && (values.check ?? []).length === 0) {
    found.push({ input: 'max-price', message: 'needs names in the input check' });
  }
  if (values.comment === 'true' && pullRequestOf(event)?.kind !== 'known') {
    found.push({ input: 'comment', message: 'true needs a pull request: use auto' });
  }
  return found;
}

/** Turns the inputs and the site file into what is to be done. Nothing is sent. */
export async function prepareDomains(step: Step<'domains'>): Promise<PreparedDomains> {
  const { values, context, environment } = step;
  const problems: Problem[] = [...step.problems];
  const { siteFile, placeOf } = await readFile(step, problems);
  const self = values['project-id'];
  const reading = readDeclaredDomains(siteFile, { self, placeOf });
  const gathered = gatherDesired({
    env: '',
    envFrom: [],
    envFiles: [],
    siteVariables: siteFile.environment,
    stepEnvironment: environment,
    kind: 'secret',
    targets: { preview: true, production: true },
  });
  problems.push(
    ...reading.problems,
    ...gathered.problems,
    ...crossProblems(values, context, siteFile.environment.length > 0),
    ...proxyProblems(values['base-url'], environment),
  );
  return {
    problems,
    notices: reading.notices,
    warnings: gathered.warnings,
    variables: gathered.variables,
    request: {
      declared: reading.declared,
      check: values.check ?? [],
      maxPrice: values['max-price'],
      planOnly: values.mode !== 'apply',
      gates: { expectedPlan: values['expected-plan'], maxChanges: values['max-changes'] },
      follow: values.wait === true ? values['domain-timeout'] : undefined,
      keyFor: (operation, target) => idempotencyKey(context.identity, operation, target),
    },
  };
}
