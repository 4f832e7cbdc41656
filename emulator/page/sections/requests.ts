import { type Html, html } from '../html.ts';
import { isFailed, type RequestFilter, type RequestRow, sides } from '../request-log.ts';
import { shortPath, timeOfDay } from '../terminal-line.ts';

/** How many requests are shown first, and how many at most. */
export const shownRows = { first: 200, most: 1000 } as const;

const states = { failed: 'failed', open: 'not ended' } as const;

/** What is asked for of the requests: which, and how many. */
export interface RequestQuery {
  readonly filter: RequestFilter;
  readonly most: number;
}

const longestText = 200;

/** Reads what the address of the page asks for. What it doesn't know it leaves out. */
export function readQuery(search: URLSearchParams): RequestQuery {
  const side = sides.find((one) => one === search.get('side')) ?? '';
  const given = search.get('status');
  const status = given === 'failed' || given === 'open' ? given : '';
  const text = (search.get('text') ?? '').slice(0, longestText);
  const most = search.get('show') === 'all' ? shownRows.most : shownRows.first;
  return { filter: { side, status, text }, most };
}

/** The same as the query of an address: with its question mark, or an empty string. */
export function writeQuery({ filter, most }: RequestQuery): string {
  const entries = Object.entries(filter).filter(([, value]) => value !== '');
  const query = new URLSearchParams(entries);
  if (most > shownRows.first) query.set('show', 'all');
  return query.size === 0 ? '' : `?${query}`;
}

/** The name of the program that sent a request, of all that it says of itself: `git`. */
const programOf = (agent: string): string => agent.split(/[\s;(/]/, 1)[0] || 'unnamed';

/** A path without what is the same in many: where the repository is named, and most of each long id. */
const briefPath = (path: string): string =>
  shortPath(path).replace(/^\/(repos|twirp)\/[^/]+(?:\/[^/]+)?\/(?=[^/])/, '/$1/…/');

/** A request as a row of the table. */
export function renderRow(row: RequestRow): Html {
  const { n, at, side, method, path, operation, agent, status, ms } = row;
  const tone = isFailed(row) ? 'bad' : status === null ? 'busy' : 'good';
  const words = status ?? (ms === null ? '…' : 'cut');
  const time = ms === null ? '' : `${ms} ms`;
  return html`<tr id="request-${n}"><td class="time">${timeOfDay(at)}</td><td class="side ${side}">${side}</td><td class="method">${method}</td><td class="path" title="${operation} ${path}">${briefPath(path)}</td><td class="status ${tone}">${words}</td><td class="took number">${time}</td><td class="agent" title="${agent}">${programOf(agent)}</td></tr>`;
}

const option = (value: string, words: string, chosen: string): Html =>
  html`<option value="${value}"${value === chosen ? html` selected` : null}>${words}</option>`;

/** The form that filters the requests: it works without scripts, too. */
function renderFilter({ filter, most }: RequestQuery): Html {
  const { side, status, text } = filter;
  const isFiltered = writeQuery({ filter, most: 0 }) !== '';
  return html`<form method="get" action="/#requests" class="line" role="search">
<label>For <select name="side">${option('', 'everything', side)}${sides.map((one) => option(one, one, side))}</select></label>
<label>Status <select name="status">${option('', 'any', status)}${Object.entries(states).map(([value, words]) => option(value, words, status))}</select></label>
<label>With <input name="text" type="search" value="${text}" maxlength="${longestText}" placeholder="path, operation, sender" autocomplete="off"></label>
${most > shownRows.first && html`<input type="hidden" name="show" value="all">`}
<button>Filter</button>${isFiltered && html` <a href="/#requests">Clear</a>`}</form>`;
}

/** The requests, newest first. */
export function renderRequests(rows: readonly RequestRow[], query: RequestQuery): Html {
  const { filter, most } = query;
  const all = writeQuery({ filter, most: shownRows.most });
  return html`<section id="requests" aria-labelledby="requests-title">
<h2 id="requests-title">Requests <span class="count" id="request-count">${rows.length}</span></h2>
${renderFilter(query)}
<div class="table" tabindex="0" role="region" aria-labelledby="requests-title"><table>
<thead><tr><th scope="col" class="time">Time</th><th scope="col" class="side">For</th><th scope="col" class="method">Method</th><th scope="col">Path</th><th scope="col" class="status">Status</th><th scope="col" class="took number">Took</th><th scope="col" class="agent">Sender</th></tr></thead>
<tbody id="request-rows" data-most="${most}">${rows.slice(0, most).map(renderRow)}</tbody></table></div>
<p class="muted">The latest ${most} are shown.${most < shownRows.most && html` <a href="/${all}#requests">Show up to ${shownRows.most}</a>`}</p>
</section>`;
}
