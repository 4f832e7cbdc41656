import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { root } from './places.ts';

/** The page that an agent knows. */
export const page = readFileSync(join(root, 'docs/agents.md'), 'utf8');

/** The rules of the page, in its order: what a result has, and what to do then. */
const rules = [...page.matchAll(/^\| `([a-z.]+)` \| (Run|Stop|Done)\b/gm)].map(
  ([, field = '', verb]) => ({ field, verb }),
);

/** What the page says of how often. */
const [, mostRuns] = /Run at most (\d+) commands/.exec(page) ?? [];

/** The command line that the page begins with. */
const [, example = ''] = /^site-deploy (.+ --json)$/m.exec(page) ?? [];

/** How a command line ended. */
export interface Ended {
  status: number | null;
  stdout: string;
}

/** What an agent did, and why it stopped: it is done, it needs a person, or it gave up. */
export interface Work {
  end: 'done' | 'needs' | 'gave up';
  /** What it told the person. */
  needs: string;
  /** The command lines that it ran. The last is run again when the person has done it. */
  ran: (readonly string[])[];
}

/** A field of an object by its path, such as `error.next`. */
const fieldOf = (value: unknown, path: string): unknown =>
  path.split('.').reduce((of, name) => (of as Record<string, unknown> | undefined)?.[name], value);

/** The command line of the page, with other flags, as an agent begins. */
export const firstCommand = (...flags: string[]): string[] => [...example.split(' '), ...flags];

/**
 * Deploys as docs/agents.md says: it knows only that page, exit statuses and the fields of results that the page names.
 *
 * @param run runs `site-deploy`
 */
export async function work(
  first: readonly string[],
  run: (args: readonly string[]) => Promise<Ended>,
): Promise<Work> {
  const ran: Work['ran'] = [];
  let args = first;
  while (ran.length < Number(mostRuns)) {
    ran.push(args);
    const { status, stdout } = await run(args);
    const result: unknown = JSON.parse(stdout);
    const { field, verb } = rules.find((one) => fieldOf(result, one.field) !== undefined) ?? {};
    const found = fieldOf(result, field ?? '');
    if (verb === 'Done' && status === 0) return { end: 'done', needs: '', ran };
    if (verb === 'Stop' && typeof found === 'string') return { end: 'needs', needs: found, ran };
    // The page lets it run the same once more, a minute later; this one does not wait.
    const isRepeated = isDeepStrictEqual(args, ran.at(-2));
    if (verb !== 'Run' || (isRepeated && isDeepStrictEqual(found, args))) break;
    args = found as readonly string[];
  }
  return { end: 'gave up', needs: '', ran };
}
