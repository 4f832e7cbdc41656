import { type DesiredVariable, gatherDesired } from '../core/environment/desired.ts';
import type { Problem } from '../core/problem.ts';
import type { RunContext, StepEnvironment } from '../github/runner.ts';
import { readWorkspaceFile } from '../github/workspace.ts';
import type { Values } from '../inputs.ts';

/** The variables that a step declares, and what is wrong with them. */
export interface Declared {
  variables: DesiredVariable[];
  problems: Problem[];
}

/** Reads the variables that the inputs declare. It sends nothing and prints nothing. */
export async function readDeclared(
  values: Partial<Values<'deploy'>>,
  context: RunContext,
  stepEnvironment: StepEnvironment,
): Promise<Declared> {
  const problems: Problem[] = [];
  const envFiles: { path: string; text: string }[] = [];
  for (const path of values['env-file'] ?? []) {
    const file = await readWorkspaceFile(context.workspace, path);
    if ('text' in file) envFiles.push({ path, text: file.text });
    else problems.push({ input: 'env-file', message: `${path} ${file.problem}` });
  }
  const gathered = gatherDesired({
    env: values.env ?? '',
    envFrom: values['env-from'] ?? [],
    envFiles,
    stepEnvironment,
    kind: values['env-kind'] ?? 'secret',
    targets: values['env-targets'] ?? { preview: true, production: true },
  });
  return { variables: gathered.variables, problems: [...problems, ...gathered.problems] };
}
