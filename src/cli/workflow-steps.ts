import { itemsOf } from '../input-schemas.ts';
import { asObject } from '../kernel/json.ts';
import type { Path } from '../site-file/position.ts';

/** A step that uses the deploy action or `env-sync`. */
export interface ActionStep {
  /** Its path in the workflow. */
  path: Path;
  inputs: Readonly<Record<string, string>>;
  /** The items of its `env-from`. */
  items: readonly string[];
  /** What it has in `env:`, or its job or the workflow has there. */
  env: Readonly<Record<string, string>>;
  isPreview: boolean;
}

/** The action in any account, or in a folder of the repository. */
const actionPattern =
  /^(?:[\w.-]+\/site-deploy-action|\.(?:\/[^@]*?)?)(?:\/(env-sync|domains|message|projects))?\/?(?:@\S+)?$/i;

/** True of a step that may sync variables. In a folder the action may have any name: it is known by its required inputs. */
function isThisAction(uses: string, inputs: ActionStep['inputs']): boolean {
  const [match, folder = 'env-sync'] = actionPattern.exec(uses) ?? [];
  const isKnown = !uses.startsWith('.') || ('api-key' in inputs && 'base-url' in inputs);
  return match !== undefined && isKnown && folder === 'env-sync';
}

/** The steps of a workflow that use the deploy action or `env-sync`, in the order of the file. */
export function actionStepsOf(workflow: unknown): ActionStep[] {
  const { on, env, jobs } = asObject(workflow) ?? {};
  const isOfPulls = /"pull_request/.test(JSON.stringify(on ?? ''));
  return Object.entries(asObject(jobs) ?? {}).flatMap(([id, job]) => {
    const outside = { ...textsIn(env), ...textsIn(asObject(job)?.['env']) };
    return stepsIn(job, ['jobs', id]).map(({ path, inputs, env: own }) => {
      const isGiven = (name: string) => (inputs[name] ?? '').trim() !== '';
      const isPreview = isGiven('preview-projects') || (isGiven('preview-domain') && isOfPulls);
      const items = itemsOf(inputs['env-from'] ?? '');
      return { path, inputs, items, env: { ...outside, ...own }, isPreview };
    });
  });
}

/** The steps in a part of a workflow, also those that are nested, which run in parallel. */
function stepsIn(part: unknown, path: Path): Pick<ActionStep, 'path' | 'inputs' | 'env'>[] {
  if (Array.isArray(part)) return part.flatMap((item, index) => stepsIn(item, [...path, index]));
  const { uses, with: given, env, ...others } = asObject(part) ?? {};
  const inputs = textsIn(given);
  if (typeof uses === 'string' && isThisAction(uses, inputs)) {
    return [{ path, inputs, env: textsIn(env) }];
  }
  return Object.entries(others).flatMap(([key, inner]) => stepsIn(inner, [...path, key]));
}

const textsIn = (values: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(asObject(values) ?? {}).map(([name, value]) => [name, String(value ?? '')]),
  );
