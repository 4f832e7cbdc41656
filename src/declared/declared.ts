import type { SiteFileCheck } from '../checks/site-file.ts';
import type { Step } from '../frame/step.ts';
import { readWorkspaceFile } from '../github/workspace.ts';
import type { Inputs } from '../inputs/input.ts';
import type { Values } from '../inputs.ts';
import { trustIn } from '../kernel/event/trust.ts';
import type { Problem } from '../kernel/problem.ts';
import { printable } from '../kernel/text/clean.ts';
import { gatherDesired } from '../variables/model/desired.ts';
import type { SiteFile } from './model/read.ts';
import { readSite } from './open-site-file.ts';

/** The variables that a step declares, which of their values must not be shown, and what is wrong with them. */
export type DeclaredVariables = ReturnType<typeof gatherDesired>;

/** What a step declares: variables, and what must be seen of the site. */
export interface Declared extends DeclaredVariables {
  checks: readonly SiteFileCheck[];
  /** The files that were named. */
  files: readonly string[];
}

/** The inputs that say of all variables what they are. */
type TraitValues = Pick<Values<'env-sync'>, 'env-kind' | 'env-targets'>;

/** The inputs that declare variables. */
type DeclaringValues = TraitValues &
  Pick<Values<'env-sync'>, 'config' | 'env' | 'env-from' | 'env-file' | 'env-remove'>;

/** A step of any action with these inputs. */
interface StepWith<All> extends Omit<Step<'projects'>, 'inputs'> {
  inputs: Inputs<All>;
}

/** Where variables are declared, beside a step's environment. */
type Sources = Pick<
  Parameters<typeof gatherDesired>[0],
  'env' | 'envFrom' | 'envFiles' | 'siteVariables' | 'envRemove' | 'siteRemovals'
>;

/** Gathers what is declared. While an input is wrong, nothing is written and each value is hidden. */
function gather(
  { inputs, context, environment }: StepWith<TraitValues>,
  sources: Sources,
): DeclaredVariables {
  return gatherDesired({
    ...sources,
    isForeign: !trustIn(context.event).isOfWriters,
    stepEnvironment: environment,
    secretInputs: inputs.secrets,
    kind: inputs.get('env-kind') ?? 'secret',
    targets: inputs.get('env-targets') ?? { preview: false, production: false },
  });
}

async function readFiles(paths: readonly string[], workspace: string, problems: Problem[]) {
  const files: { path: string; text: string }[] = [];
  for (const path of paths) {
    const file = await readWorkspaceFile(workspace, path);
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

async function readFile(
  config: string | undefined,
  workspace: string,
  problems: Problem[],
): Promise<Pick<SiteFile, 'environment' | 'removals' | 'checks'>> {
  const nothing = { environment: [], removals: [] };
  if (config === undefined) return nothing;
  const read = await readSite(config, workspace);
  if ('siteFile' in read) return read.siteFile;
  // One by one, here and below: there may be more of them than a call can have arguments.
  for (const problem of read.problems) problems.push(problem);
  return nothing;
}

/** Reads the variables that the inputs declare, and the checks of the site file. It sends nothing and prints nothing. */
export async function readDeclared(step: StepWith<DeclaringValues>): Promise<Declared> {
  const { inputs } = step;
  const { workspace } = step.context;
  const problems: Problem[] = [];
  const config = inputs.get('config');
  const envFiles = inputs.get('env-file') ?? [];
  const file = await readFile(config, workspace, problems);
  const gathered = gather(step, {
    env: inputs.get('env') ?? '',
    envFrom: inputs.get('env-from') ?? [],
    envFiles: await readFiles(envFiles, workspace, problems),
    siteVariables: file.environment,
    envRemove: inputs.get('env-remove') ?? [],
    siteRemovals: file.removals,
  });
  for (const problem of gathered.problems) problems.push(problem);
  const files = [...(config === undefined ? [] : [config]), ...envFiles];
  return { ...gathered, problems, checks: file.checks ?? [], files };
}
