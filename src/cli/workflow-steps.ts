import { posix } from 'node:path';
import { itemsOf } from '../input-schemas.ts';
import { asObject } from '../kernel/json.ts';
import type { Path } from '../site-file/position.ts';

/** A step that uses the deploy action or `env-sync`. */
export interface ActionStep {
  /** Its path in the workflow. */
  path: Path;
  /** Its site file; empty if it has none. */
  site: string;
  /** The items of its `env-from`. */
  items: readonly string[];
  /** What it has in `env:`, or its job or the workflow has there. */
  env: Readonly<Record<string, string>>;
  isPreview: boolean;
}

/** The deploy action or `env-sync`, in any account. */
const thisAction = /^[\w.-]+\/site-deploy-action(?:\/env-sync)?\/?@/i;

/** The steps of a workflow that use the deploy action or `env-sync`, in the order of the file. */
export function actionStepsOf(workflow: unknown): ActionStep[] {
  const { on, env, jobs } = asObject(workflow) ?? {};
  const isOfPulls = /"pull_request/.test(JSON.stringify(on ?? ''));
  return [...stepsIn(jobs, ['jobs'], textsIn(env), isOfPulls)];
}

/** The steps in a part of a workflow, also those that are nested, which run in parallel. */
function* stepsIn(
  part: unknown,
  path: Path,
  outside: ActionStep['env'],
  isOfPulls: boolean,
): Generator<ActionStep> {
  const { uses, with: given, env: own, ...others } = asObject(part) ?? {};
  const inputs = textsIn(given);
  const env = { ...outside, ...textsIn(own) };
  if (typeof uses === 'string' && thisAction.test(uses)) {
    const [config = '', projects, domain] = ['config', 'preview-projects', 'preview-domain'].map(
      (name) => inputs[name]?.trim(),
    );
    const site = config === '' ? '' : posix.normalize(config);
    const items = itemsOf(inputs['env-from'] ?? '');
    yield { path, site, items, env, isPreview: Boolean(projects || (domain && isOfPulls)) };
  }
  const inner = Array.isArray(part) ? part.entries() : Object.entries(others);
  for (const [key, value] of inner) yield* stepsIn(value, [...path, key], env, isOfPulls);
}

const textsIn = (values: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(asObject(values) ?? {}).map(([name, value]) => [name, String(value ?? '')]),
  );
