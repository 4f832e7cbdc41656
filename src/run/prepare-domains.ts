import type { DomainsRequest } from '../commands/domains.ts';
import { askedNameFault } from '../core/domains/availability.ts';
import { readDeclaredDomains } from '../core/domains/declared.ts';
import { type DesiredVariable, gatherDesired } from '../core/environment/desired.ts';
import { pullRequestOf } from '../core/event/pull-request.ts';
import { trustIn } from '../core/event/trust.ts';
import type { Problem } from '../core/problem.ts';
import { inOrder, type Mistake, type Path, type Place } from '../core/site-file/place.ts';
import type { SiteFile } from '../core/site-file/site-file.ts';
import { clean } from '../core/text/clean.ts';
import type { Values } from '../inputs.ts';
import { proxyProblems } from './cross-problems.ts';
import { openSite, siteProblem, siteProblems } from './site-file.ts';
import type { Step } from './step.ts';

type DomainsValues = Partial<Values<'domains'>>;

/** What a step of the domains action is to do. */
export interface PreparedDomains {
  request: Omit<DomainsRequest, 'environment'>;
  variables: readonly DesiredVariable[];
  /** Which of their values must not be shown. */
  secrets: readonly string[];
  problems: readonly Problem[];
  notices: readonly string[];
  warnings: readonly string[];
}

/** The site file as far as it is right, and what is wrong with it. */
interface ReadFile {
  siteFile: SiteFile;
  placeOf: (path: Path) => Place;
  mistakes: readonly Mistake[];
  /** Why there is nothing to read. */
  problems: readonly Problem[];
}

const nothing: ReadFile = {
  siteFile: { environment: [], connectedDomains: [], registeredDomains: [] },
  placeOf: () => ({ line: 1, column: 1 }),
  mistakes: [],
  problems: [],
};

/** Reads the site file. With names to check it may be missing. */
async function readFile({ values, context }: Step<'domains'>): Promise<ReadFile> {
  const { config, check = [] } = values;
  if (config === undefined) return nothing;
  const opened = await openSite(config, context.workspace);
  if ('reading' in opened) {
    const { reading } = opened;
    return { ...reading, mistakes: reading.ok ? [] : reading.mistakes, problems: [] };
  }
  const isFine = opened.isMissing && check.length > 0;
  return isFine ? nothing : { ...nothing, problems: [opened.problem] };
}

/** The variables that the site file declares, in a run whose mistakes name that file. */
function gatherVariables(
  { values, context, environment, secrets }: Step<'domains'>,
  { siteFile }: ReadFile,
) {
  const gathered = gatherDesired({
    env: '',
    envFrom: [],
    envFiles: [],
    siteVariables: siteFile.environment,
    isForeign: !trustIn(context.event).isOfWriters,
    stepEnvironment: environment,
    secretInputs: secrets,
    kind: values['env-kind'] ?? 'secret',
    targets: values['env-targets'] ?? { preview: true, production: true },
  });
  const problems = gathered.problems.map((problem) =>
    problem.input === 'config' ? siteProblem(values.config ?? '', problem.message) : problem,
  );
  return { ...gathered, problems };
}

function checkProblems(names: readonly string[]): Problem[] {
  return names.flatMap((name) => {
    const fault = askedNameFault(name);
    if (fault === undefined) return [];
    return [{ input: 'check', message: `"${clean(name, 80)}" is no domain name: it ${fault}` }];
  });
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
  const file = await readFile(step);
  const { siteFile, placeOf } = file;
  const reading = readDeclaredDomains(siteFile, { self: values['project-id'], placeOf });
  const gathered = gatherVariables(step, file);
  const mistakes = inOrder(file.mistakes, reading.mistakes);
  return {
    problems: [
      ...step.problems,
      ...file.problems,
      ...siteProblems(values.config ?? '', mistakes),
      ...gathered.problems,
      ...checkProblems(values.check ?? []),
      ...crossProblems(values, context, siteFile.environment.length > 0),
      ...proxyProblems(values['base-url'], environment),
    ],
    notices: reading.notices,
    warnings: gathered.warnings,
    variables: gathered.variables,
    secrets: gathered.secrets,
    request: {
      declared: reading.declared,
      check: values.check ?? [],
      maxPrice: values['max-price'],
      planOnly: values.mode !== 'apply',
      gates: { expectedPlan: values['expected-plan'], maxChanges: values['max-changes'] },
      guarded: trustIn(context.event).code !== 'merged' && values['allow-production'] !== true,
      follow: values.wait === true ? values['domain-timeout'] : undefined,
    },
  };
}
