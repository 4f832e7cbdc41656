import examples from '@octokit/webhooks-examples/api.github.com/index.json' with { type: 'json' };

type Payload = Record<string, unknown>;

const isPayload = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** GitHub's own example of an event's payload: the first with this action, or the first of all. */
export function examplePayload(name: string, action?: string): Payload {
  const all: readonly unknown[] = examples.find((one) => one.name === name)?.examples ?? [];
  const found = all.filter(isPayload);
  const payload = found.find((one) => action === undefined || one['action'] === action);
  if (payload === undefined) throw new Error(`GitHub gives no example of ${name} ${action ?? ''}`);
  return structuredClone(payload);
}

/** Fields that GitHub sends only in some cases, and none of its examples shows. */
const sometimes = new Set(['issue.pull_request']);

/** Sets fields of a payload, named by their paths: `pull_request.head.sha`. Each must be there already. */
export function adjust(payload: Payload, fields: Readonly<Record<string, unknown>>): Payload {
  for (const [path, value] of Object.entries(fields)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let object = payload;
    for (const name of names) {
      const next = object[name];
      if (!isPayload(next)) throw new Error(`the example has no ${path}`);
      object = next;
    }
    if (!(last in object) && !sometimes.has(path)) throw new Error(`the example has no ${path}`);
    object[last] = value;
  }
  return payload;
}

/** A label of a pull request, as GitHub answers it. */
export const labelOf = (name: string) => ({
  id: 1,
  node_id: 'LA_1',
  url: 'https://api.github.com/repos/octo-org/octo-site/labels/1',
  name,
  description: null,
  color: 'ededed',
  default: false,
});
