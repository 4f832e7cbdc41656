import { isMap, isScalar, isSeq, type Node, type Pair, visit, type YAMLMap } from 'yaml';
import { itemsOf } from '../input-schemas.ts';
import { asObject } from '../kernel/json.ts';
import { type ParsedText, resolved } from '../site-file/add-entry.ts';

/** A step that uses the deploy action or `env-sync`. */
export interface ActionStep {
  map: YAMLMap;
  /** The line of its `uses:`, from 1. */
  line: number;
  /** Its inputs. */
  inputs: Readonly<Record<string, string>>;
  /** The items of its `env-from`. */
  items: readonly string[];
  isPreview: boolean;
  /** The names that its job or its workflow has in `env:`. */
  inherited: readonly string[];
}

/** The action in any account, or in a folder of the repository. */
const actionPattern =
  /^(?:[\w.-]+\/site-deploy-action|\.(?:\/[^@]*?)?)(?:\/(env-sync|domains|message|projects))?\/?(?:@\S+)?$/i;

/** True of a step that may sync variables. In a folder the action may have any name: it is known by its required inputs. */
function isThisAction(uses: string, inputs: ActionStep['inputs']): boolean {
  const [match, folder] = actionPattern.exec(uses) ?? [];
  const isKnown = !uses.startsWith('.') || ('api-key' in inputs && 'base-url' in inputs);
  return match !== undefined && isKnown && (folder ?? 'env-sync') === 'env-sync';
}

/** The steps of a workflow that use the deploy action or `env-sync`, in the order of the file. */
export function actionStepsOf({ text, document }: ParsedText): ActionStep[] {
  const root = document.contents;
  const steps = new Map<YAMLMap, ActionStep>();
  const mapAt = (map: unknown, key: string) => {
    const value = isMap(map) ? resolved(map.get(key, true), document) : undefined;
    return isMap(value) ? value : undefined;
  };
  const stepsIn = (value: unknown): YAMLMap[] => {
    const list = resolved(value, document);
    return (isSeq(list) ? list.items : []).flatMap((item) => {
      const map = resolved(item, document);
      return isMap(map) ? [map, ...stepsIn(map.get('parallel', true))] : [];
    });
  };
  const events = isMap(root) ? JSON.stringify(root.get('on')) : '';
  const isOfPulls = /\bpull_request/.test(events);
  for (const { value } of mapAt(root, 'jobs')?.items ?? []) {
    const job = resolved(value, document);
    const inherited = [mapAt(root, 'env'), mapAt(job, 'env')].flatMap(namesIn);
    for (const map of isMap(job) ? stepsIn(job.get('steps', true)) : []) {
      const uses = resolved(map.get('uses', true), document);
      if (!isScalar(uses)) continue;
      const inputs = textsIn(mapAt(map, 'with')?.toJS(document));
      if (!isThisAction(String(uses.value), inputs)) continue;
      const isGiven = (name: string) => (inputs[name] ?? '').trim() !== '';
      const known = steps.get(map);
      const [start = 0] = uses.range ?? [];
      steps.set(map, {
        map,
        line: text.slice(0, start).split('\n').length,
        inputs,
        items: itemsOf(inputs['env-from'] ?? ''),
        isPreview: isGiven('preview-projects') || (isGiven('preview-domain') && isOfPulls),
        // A step that an alias puts into several jobs has only what all of them have.
        inherited: known?.inherited.filter((name) => inherited.includes(name)) ?? inherited,
      });
    }
  }
  return [...steps.values()];
}

/** The names of a mapping. */
export const namesIn = (map: YAMLMap | undefined): string[] =>
  map?.items.flatMap(({ key }) => (isScalar(key) ? [String(key.value)] : [])) ?? [];

const textsIn = (values: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(asObject(values) ?? {}).map(([name, value]) => [name, String(value ?? '')]),
  );

/** The entry of a mapping with a name. */
export const pairAt = (map: YAMLMap, name: string): Pair | undefined =>
  map.items.find(({ key }) => isScalar(key) && key.value === name);

/** True if a value is also used elsewhere than in these entries, by an anchor and its aliases. */
export function isShared({ document }: ParsedText, value: Node, entries: readonly Pair[]): boolean {
  const uses = new Set(entries.map((entry) => entry.value));
  let isElsewhere = value.anchor !== undefined && !uses.has(value);
  visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document) === value && !uses.has(alias)) isElsewhere = true;
    },
  });
  return isElsewhere;
}
