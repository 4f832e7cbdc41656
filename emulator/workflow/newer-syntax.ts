import { isMap, isNode, parseDocument } from 'yaml';

/** Keys of a workflow and of a job that GitHub knows, and its parser does not yet. */
const newer = ['cache-mode'];

/**
 * Blanks what GitHub takes and its parser refuses: newer keys, and `inputs:` without a value. Lines stay where they are.
 * @returns the rest, and the newer keys
 */
export function takeOutNewer(source: string): { known: string; unread: string[] } {
  const document = parseDocument(source);
  const mapAt = (...path: string[]) => {
    const found = document.getIn(path);
    return isMap(found) ? found.items : [];
  };
  const jobs = mapAt('jobs').map(({ key }) => String(key));
  const taken = [mapAt(), ...jobs.map((job) => mapAt('jobs', job))]
    .flat()
    .filter(({ key }) => newer.includes(String(key)));
  const empty = ['workflow_dispatch', 'workflow_call']
    .flatMap((event) => mapAt('on', event))
    .filter(({ key, value }) => String(key) === 'inputs' && isNode(value) && !value.toJSON());
  let known = source;
  for (const { key, value } of [...taken, ...empty]) {
    const [start = 0] = (isNode(key) && key.range) || [];
    const [, end = start] = (isNode(value) && value.range) || [];
    const comma = /^\s*,/.exec(known.slice(end))?.[0].length ?? 0;
    const blank = known.slice(start, end + comma).replace(/[^\n]/g, ' ');
    known = known.slice(0, start) + blank + known.slice(end + comma);
  }
  return { known, unread: [...new Set(taken.map(({ key }) => String(key)))] };
}
