import type { SiteFileCheck } from '../checks/site-file.ts';
import type { planning, ValuesOf } from '../inputs/input.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import type { ReadFile } from '../platform.ts';
import { siteProblem } from '../site-file/position.ts';
import type { Step } from '../step/step.ts';
import {
  type DeclaredVariables,
  readVariables,
  type VariablesStep,
} from '../variables/read-variables.ts';
import type { SiteFile } from './model/read.ts';
import { readSite } from './open-site-file.ts';

/** The variables and checks that a step declares. */
export interface Declared extends DeclaredVariables {
  checks: readonly SiteFileCheck[];
  /** The files that the inputs name. */
  files: readonly string[];
}

async function readSiteFile(
  config: string | undefined,
  readFile: ReadFile,
  problems: Problem[],
): Promise<Pick<SiteFile, 'environment' | 'removals' | 'checks'>> {
  const nothing = { environment: [], removals: [] };
  if (config === undefined) return nothing;
  const read = await readSite(config, readFile);
  if ('siteFile' in read) return read.siteFile;
  // One by one, here and below: there may be more of them than a call can have arguments.
  for (const problem of read.problems) problems.push(problem);
  return nothing;
}

/** Reads the variables that the inputs declare, and the checks of the site file. It sends nothing and prints nothing. */
export async function readDeclared(
  step: VariablesStep & Step<Pick<ValuesOf<typeof planning>, 'config'>>,
): Promise<Declared> {
  const problems: Problem[] = [];
  const config = step.inputs.get('config');
  const site = await readSiteFile(config, step.readFile, problems);
  const declared = await readVariables(step, site);
  for (const problem of declared.problems)
    problems.push(config && problem.input === 'config' ? siteProblem(config, problem) : problem);
  const files = [...(config === undefined ? [] : [config]), ...declared.files];
  return { ...declared, problems, checks: site.checks ?? [], files };
}
