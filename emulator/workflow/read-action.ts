import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { find, type Token } from './expressions.ts';
import { loadParser } from './parser.ts';
import { mistakesIn, readSteps, type WorkflowStep } from './read-workflow.ts';

/** A composite action as its file has it. */
export type Action = {
  inputs: readonly { id: string; default?: Token | undefined }[];
  outputs: readonly { id: string; value: Token }[];
  steps: readonly WorkflowStep[];
};

/**
 * Reads a composite action as GitHub does.
 * @returns undefined if it is an action of another kind
 * @throws Error if there is none, or for each mistake with its line
 */
export async function readAction(folder: string): Promise<Action | undefined> {
  const { parseAction, convertActionTemplate } = await loadParser();
  const { file, source } = await readFrom(folder);
  const { context, value } = parseAction(file, source);
  const runs = find(value, 'runs');
  if (runs !== undefined && String(find(runs, 'using')).toLowerCase() !== 'composite')
    return undefined;
  const template = value && convertActionTemplate(context, value);
  const mistakes = mistakesIn(context, file);
  if (mistakes.length > 0 || template?.runs?.using !== 'composite')
    throw new Error(mistakes.join('\n') || `${file}: Top level 'runs:' section is required`);
  const { inputs = [], outputs = [] } = template;
  return {
    inputs,
    outputs: outputs.flatMap(({ id, value: token }) =>
      token === undefined ? [] : [{ id, value: token }],
    ),
    steps: readSteps(template.runs.steps, find(runs, 'steps')),
  };
}

async function readFrom(folder: string): Promise<{ file: string; source: string }> {
  for (const file of ['action.yml', 'action.yaml']) {
    const source = await readFile(join(folder, file), 'utf8').catch(() => undefined);
    if (source !== undefined) return { file, source };
  }
  throw new Error(
    `Can't find 'action.yml', 'action.yaml' or 'Dockerfile' under '${folder}'. Did you forget to run actions/checkout before running your local action?`,
  );
}
