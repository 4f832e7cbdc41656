import { hostnamePattern, limits } from '../contract/limits.ts';
import * as schema from '../input-schemas.ts';
import type { InputTable, ValuesOf } from '../inputs/input.ts';

/** Two projects' ids. */
const projectPair: schema.InputSchema<readonly [string, string]> = (text) => {
  const read = schema.projectIds(text);
  if ('fault' in read) return read;
  const [one, two, more] = read.value;
  return one === undefined || two === undefined || more !== undefined
    ? { fault: 'must be exactly two different projects' }
    : { value: [one, two] };
};

/** Hostnames as the service takes them (section "Connected domains"), a list. Gives lower case, each once. */
const hostnames: schema.InputSchema<string[]> = (text) => {
  const items = schema.itemsOf(text).map(schema.inLowerCase);
  const { min, max } = limits.hostname;
  const isName = (item: string) =>
    hostnamePattern.test(item) && item.length >= min && item.length <= max;
  return items.length > 0 && items.every(isName)
    ? { value: [...new Set(items)] }
    : { fault: 'must be hostnames such as www.example.com, one per line' };
};

/** The inputs on two projects of which one serves. */
export const swapInputs = {
  'swap-projects': {
    description:
      'Blue/green deployment: UUIDs of two projects, one of which serves `swap-domains`. The action deploys to the other one, checks it at `preview-domain`, and moves the domains to it. If the checks then fail at the domains, it moves them back. Replaces `project-id`; not for pull requests.',
    schema: projectPair,
  },
  'swap-domains': {
    description: 'The domains that move between the two projects.',
    schema: hostnames,
  },
} as const satisfies InputTable;

/** Two projects, of which one serves some domains: what is deployed goes to the other, and then the domains do. */
export interface SwapSettings {
  projects: readonly [string, string];
  domains: readonly string[];
}

/** What the inputs say of a swap; undefined unless it is whole. */
export function swapSettings(values: ValuesOf<typeof swapInputs>): SwapSettings | undefined {
  const { 'swap-projects': projects, 'swap-domains': domains } = values;
  return projects && domains && { projects, domains };
}
