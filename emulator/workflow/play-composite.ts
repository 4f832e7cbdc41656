import type { Conclusion } from '../runner/conditions.ts';
import {
  type Contexts,
  find,
  knownText,
  type Scope,
  textOf,
  textsOf,
  Unknown,
} from './expressions.ts';
import { leftOut, type StepEnd, type StepRun } from './play-step.ts';
import { type Action, readAction } from './read-action.ts';

/** The contexts of the job that the steps of an action have too. */
const shared = ['github', 'strategy', 'matrix', 'job', 'runner'];

/** How deep GitHub lets actions use each other. */
const maxDepth = 9;

/**
 * Plays the steps of an action that is in the workspace. One that is not composite is named and left out.
 * @throws why it cannot be read, or an expression of it can't be evaluated
 */
export async function playComposite(run: StepRun): Promise<StepEnd> {
  const { step, job, scope, play, onLine, depth, env, variables, within } = run;
  const { uses = '' } = step;
  if (depth > maxDepth) throw new Error(`Composite action depth exceeded max depth ${maxDepth}`);
  const folder = `${job.workspace}/${uses}`;
  const action = await readAction(folder);
  if (action === undefined) {
    onLine(`Not played: ${uses}, which is no composite action`);
    return { outputs: new Unknown(`the outputs of ${uses} are unknown`), conclusion: 'success' };
  }
  const left = leftOut(action.steps, play);
  onLine(`Run ${uses}`);
  if (left.length > 0) onLine(`Not played: ${left.join(', ')}`);
  const of = Object.fromEntries(shared.map((name) => [name, scope.contexts[name] ?? null]));
  const contexts: Contexts = {
    ...of,
    github: { ...of['github'], action_path: folder },
    inputs: inputsOf(action, textsOf(find(step.token, 'with'), scope), { ...scope, contexts: of }),
  };
  const standing: { status: Conclusion } = { status: 'success' };
  const after = await within({
    ...{ steps: action.steps, depth: depth + 1, standing, contexts, env, defaults: [] },
    variables: { ...variables, GITHUB_ACTION_PATH: folder },
  });
  const outputs = action.outputs.map(({ id, value }) => [id, knownText(value, after)]);
  const conclusion = job.status === 'cancelled' ? 'cancelled' : standing.status;
  return { outputs: Object.fromEntries(outputs), conclusion };
}

/** What the step gives, and the defaults of the rest; names in any case are the same. */
function inputsOf({ inputs }: Action, given: Record<string, string>, scope: Scope) {
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  const missing = inputs.filter(({ id }) => !names.has(id.toLowerCase()));
  const defaults = missing.map(({ id, default: token }) => [id, token ? textOf(token, scope) : '']);
  return { ...given, ...Object.fromEntries(defaults) };
}
