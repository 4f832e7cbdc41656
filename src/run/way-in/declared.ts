import { gatherDesired } from '../../core/environment/desired.ts';
import { trustIn } from '../../core/event/trust.ts';
import type { Problem } from '../../core/problem.ts';
import type { SiteVariable } from '../../core/site-file/site-file.ts';
import { clean } from '../../core/text/clean.ts';
import { readWorkspaceFile } from '../../github/workspace.ts';
import type { Values } from '../../inputs.ts';
import type { Step } from '../step.ts';
import type { Inputs } from './inputs.ts';
import { readSite } from './site-file.ts';

/** The variables that a step declares, which of their values must not be shown, and what is wrong with them. */
export type Declared = ReturnType<typeof gatherDesired>;

/** The inputs that declare variables. */
type DeclaringValues = Pick<
  Values<'env-sync'>,
  | 'config'
  | 'env'
  | 'env-from'
  | 'env-file'
  | 'env-kind'
  | 'env-targets'
  | 'env-prune'
  | 'env-ledger'
>;

/** A step whose inputs declare variables. */
interface DeclaringStep extends Omit<Step<'env-sync'>, 'inputs'> {
  inputs: Inputs<DeclaringValues>;
}

/** What a variable is that does not say it. While an input is wrong, nothing is written and each value is hidden. */
export function undeclaredTraits(
  inputs: Inputs<Pick<DeclaringValues, 'env-kind' | 'env-targets'>>,
) {
  return (
    inputs.with(['env-kind', 'env-targets'], (values) => ({
      kind: values['env-kind'],
      targets: values['env-targets'],
    })) ?? { kind: 'secret' as const, targets: { preview: false, production: false } }
  );
}

async function readFiles(paths: readonly string[], workspace: string, problems: Problem[]) {
  const files: { path: string; text: string }[] = [];
  for (const path of paths) {
    const file = await readWorkspaceFile(workspace, path);
    if ('text' in file) files.push({ path, text: file.text });
    else problems.push({ input: 'env-file', message: `${clean(path)} ${file.problem}` });
  }
  return files;
}

async function siteVariables(
  config: string | undefined,
  workspace: string,
  problems: Problem[],
): Promise<readonly SiteVariable[]> {
  if (config === undefined) return [];
  const read = await readSite(config, workspace);
  if ('siteFile' in read) return read.siteFile.environment;
  // One by one, here and below: there may be more of them than a call can have arguments.
  for (const problem of read.problems) problems.push(problem);
  return [];
}

/** To delete all that was created needs more than to forget to declare anything. */
function pruneProblem(
  { inputs, context: { scope } }: DeclaringStep,
  declared: readonly unknown[],
): string | undefined {
  const prunes = inputs.with(['env-prune'], (values) => values['env-prune']) === true;
  if (!prunes) return undefined;
  if (scope === undefined) {
    return 'is true, and this runner does not say which step of which workflow this is (GITHUB_WORKFLOW_REF or GITHUB_WORKFLOW, GITHUB_JOB, GITHUB_ACTION): what another step has created could be deleted. Prune on a runner that says it';
  }
  const isOff = inputs.with(['env-ledger'], (values) => values['env-ledger'] === 'off') === true;
  if (isOff) return 'is true, and env-ledger is off: only the ledger knows what may be deleted';
  return declared.length > 0
    ? undefined
    : 'is true, and nothing is declared: it would delete every variable that this action has created. Declare variables by env-from, env, env-file or config';
}

/** Reads the variables that the inputs declare. It sends nothing and prints nothing. */
export async function readDeclared(step: DeclaringStep): Promise<Declared> {
  const { inputs, environment } = step;
  const { workspace, event } = step.context;
  const problems: Problem[] = [];
  const texts = inputs.with(['config', 'env', 'env-from', 'env-file'], (values) => values);
  const envFiles = await readFiles(texts?.['env-file'] ?? [], workspace, problems);
  const gathered = gatherDesired({
    env: texts?.env ?? '',
    envFrom: texts?.['env-from'] ?? [],
    envFiles,
    siteVariables: await siteVariables(texts?.config, workspace, problems),
    isForeign: !trustIn(event).isOfWriters,
    stepEnvironment: environment,
    secretInputs: inputs.secrets,
    ...undeclaredTraits(inputs),
  });
  for (const problem of gathered.problems) problems.push(problem);
  const pruning = problems.length === 0 ? pruneProblem(step, gathered.variables) : undefined;
  if (pruning !== undefined) problems.push({ input: 'env-prune', message: pruning });
  return { ...gathered, problems };
}
