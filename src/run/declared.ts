import { type DesiredVariable, gatherDesired } from '../core/environment/desired.ts';
import { trustIn } from '../core/event/trust.ts';
import type { Problem } from '../core/problem.ts';
import type { SiteVariable } from '../core/site-file/site-file.ts';
import { printable } from '../core/text/clean.ts';
import { readWorkspaceFile } from '../github/workspace.ts';
import type { Values } from '../inputs.ts';
import { readSite } from './site-file.ts';
import type { Step } from './step.ts';

/** The variables that a step declares, and what is wrong with them. */
export interface Declared {
  variables: DesiredVariable[];
  /** Which of their values must not be shown. */
  secrets: string[];
  problems: Problem[];
  warnings: string[];
}

/** The inputs that declare variables. */
export type DeclaringValues = Partial<
  Pick<
    Values<'deploy'>,
    | 'config'
    | 'env'
    | 'env-from'
    | 'env-file'
    | 'env-kind'
    | 'env-targets'
    | 'env-prune'
    | 'env-ledger'
  >
>;

async function readFiles(paths: readonly string[], workspace: string, problems: Problem[]) {
  const files: { path: string; text: string }[] = [];
  for (const path of paths) {
    const file = await readWorkspaceFile(workspace, path);
    if ('text' in file) files.push({ path, text: file.text });
    else problems.push({ input: 'env-file', message: `${printable(path)} ${file.problem}` });
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
function pruneProblems(
  values: DeclaringValues,
  declared: readonly unknown[],
  scope: string | undefined,
): Problem[] {
  if (values['env-prune'] !== true) return [];
  if (scope === undefined) {
    const message =
      'is true, and this runner does not say which step of which workflow this is (GITHUB_WORKFLOW_REF or GITHUB_WORKFLOW, GITHUB_JOB, GITHUB_ACTION): what another step has created could be deleted. Prune on a runner that says it';
    return [{ input: 'env-prune', message }];
  }
  if (values['env-ledger'] === 'off') {
    const message = 'is true, and env-ledger is off: only the ledger knows what may be deleted';
    return [{ input: 'env-prune', message }];
  }
  if (declared.length > 0) return [];
  const message =
    'is true, and nothing is declared: it would delete every variable that this action has created. Declare variables by env-from, env, env-file or config';
  return [{ input: 'env-prune', message }];
}

/** A step whose inputs declare variables. */
type DeclaringStep = Pick<Step<'deploy'>, 'context' | 'environment' | 'secrets'> & {
  values: DeclaringValues;
};

/** Reads the variables that the inputs declare. It sends nothing and prints nothing. */
export async function readDeclared(step: DeclaringStep): Promise<Declared> {
  const { values, environment } = step;
  const { workspace, event, scope } = step.context;
  const problems: Problem[] = [];
  const envFiles = await readFiles(values['env-file'] ?? [], workspace, problems);
  const gathered = gatherDesired({
    env: values.env ?? '',
    envFrom: values['env-from'] ?? [],
    envFiles,
    siteVariables: await siteVariables(values.config, workspace, problems),
    isForeign: !trustIn(event).isOfWriters,
    stepEnvironment: environment,
    secretInputs: step.secrets,
    kind: values['env-kind'] ?? 'secret',
    targets: values['env-targets'] ?? { preview: true, production: true },
  });
  for (const problem of gathered.problems) problems.push(problem);
  if (problems.length === 0) problems.push(...pruneProblems(values, gathered.variables, scope));
  return { ...gathered, problems };
}
