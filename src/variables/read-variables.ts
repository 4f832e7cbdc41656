import type { ValuesOf } from '../inputs/input.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import { printable } from '../kernel/text/safe.ts';
import type { ReadFile } from '../platform.ts';
import type { Step } from '../step/step.ts';
import type { variableInputs } from './inputs.ts';
import type { VariablesRequest } from './intent.ts';
import { gatherDesired } from './model/desired.ts';
import type { SiteRemoval, SiteVariable } from './site-file.ts';

/** A step of any action that syncs variables. */
export type VariablesStep = Step<ValuesOf<typeof variableInputs>>;

/**
 * The desired variables, which of their values must not be shown, what is wrong with them, and what to warn of.
 * While an input is wrong, nothing is written and each value is hidden.
 */
export type DeclaredVariables = ReturnType<typeof gatherDesired> & VariablesRequest;

async function readFiles(paths: readonly string[], readFile: ReadFile, problems: Problem[]) {
  const files: { path: string; text: string }[] = [];
  for (const path of paths) {
    const file = await readFile(path);
    if ('text' in file) files.push({ path, text: file.text });
    else
      problems.push({
        input: 'env-file',
        code: 'SD1210',
        message: `${printable(path)} ${file.problem}`,
      });
  }
  return files;
}

/** Reads the variables that the inputs and the site file declare. It sends nothing and prints nothing. */
export async function readVariables(
  { inputs, context, environment, secrets, readFile }: VariablesStep,
  site: { environment: readonly SiteVariable[]; removals: readonly SiteRemoval[] },
): Promise<DeclaredVariables & { files: readonly string[] }> {
  const problems: Problem[] = [];
  const files = inputs.get('env-file') ?? [];
  const gathered = gatherDesired({
    env: inputs.get('env') ?? '',
    envFrom: inputs.get('env-from') ?? [],
    envFiles: await readFiles(files, readFile, problems),
    siteVariables: site.environment,
    envRemove: inputs.get('env-remove') ?? [],
    siteRemovals: site.removals,
    isForeign: !context.event.trust.isOfWriters,
    isWithheld: context.withholds,
    stepEnvironment: environment,
    secretInputs: inputs.secrets,
    tokens: secrets,
    targets: inputs.get('env-targets') ?? { preview: false, production: false },
  });
  // One by one: there may be more of them than a call can have arguments.
  for (const problem of gathered.problems) problems.push(problem);
  return {
    ...gathered,
    onConflict: inputs.get('env-on-conflict') ?? 'fail',
    problems,
    files,
  };
}
