import type { Reply } from './exchange.ts';
import type { Call } from './operation.ts';
import type { World } from './state/world.ts';

const largest = 100;
const usual = 30;

/** A number from the query; GitHub takes the standard one for what is not positive. */
function positive(value: string | undefined, standard: number): number {
  const number = Number(value ?? standard);
  return number > 0 ? number : standard;
}

/**
 * One page of a list, as `per_page` and `page` ask for it, with links to the others. Like GitHub's, the links
 * name the repository by its number.
 */
export function pageOf(world: World, call: Call, items: readonly object[]): Reply {
  const size = Math.min(positive(call.query['per_page'], usual), largest);
  const page = positive(call.query['page'], 1);
  const last = Math.max(1, Math.ceil(items.length / size));
  const numbered = `/repositories/${world.numberOf(call.repository)}`;
  const path = call.path.replace(/^\/repos\/[^/]+\/[^/]+/, numbered);
  const link = (to: number, rel: string) => {
    const query = new URLSearchParams({ ...call.query, page: String(to) });
    return `<${world.api}${path}?${query}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [link(Math.min(page - 1, last), 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
    ...(page > 1 ? [link(1, 'first')] : []),
  ];
  return {
    status: 200,
    headers: links.length > 0 ? { link: links.join(', ') } : {},
    body: items.slice((page - 1) * size, page * size),
  };
}
