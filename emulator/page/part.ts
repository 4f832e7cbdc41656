import type { CacheServer } from '../cache/index.ts';
import type { GitHubStandIn } from '../github/index.ts';
import type { Emulator } from '../index.ts';
import type { RunHistory } from '../workflow/run-history.ts';
import { type Content, type Html, html } from './html.ts';

/** What the page shows. */
export interface Watched {
  readonly emulator: Emulator;
  readonly github: GitHubStandIn;
  readonly cache?: CacheServer;
  /** The runs of the repository whose workflows are played. */
  readonly history?: RunHistory;
}

/** What a button did last, at the element with this id: shown, and read out, until the next one. */
export interface Notice {
  readonly at: number;
  readonly place: string;
  readonly text: string;
  readonly isError: boolean;
}

/** What every part of the page is made with. */
export interface View extends Watched {
  /** What each form has to bring along. */
  readonly token: string;
  readonly notice: Notice | null;
  /** In milliseconds since the epoch. */
  readonly now: number;
}

/** A part of the page that is replaced as a whole when it changes, without the parts in it. */
export interface Part {
  /** The id of its element. */
  readonly id: string;
  /** The id of the element that holds it: `slot` of another part or of the page. */
  readonly slot: string;
  /** Its element, around what its own slot holds. */
  render(inner: Content): Html;
}

/** The place for the parts of a part: an update of the outer one leaves it alone. */
export const slot = (id: string, inner: Content): Html =>
  html`<div id="${id}" data-slot>${inner}</div>`;

/** All parts of a slot, those in their own slots too, in order. */
export const fill = (parts: readonly Part[], id: string): Html[] =>
  parts
    .filter((part) => part.slot === id)
    .map((part) => part.render(fill(parts, `${part.id}-parts`)));

/** How a status word looks. */
export type Tone = 'good' | 'bad' | 'busy' | 'plain';

/** A status word. */
export const pill = (word: string, tone: Tone): Html =>
  html`<span class="pill ${tone}">${word}</span>`;

/** A commit's id as people know it: its first seven digits. */
export const shortCommit = (sha: string): Html =>
  html`<code title="${sha}">${sha.slice(0, 7)}</code>`;

/** What the last button did, beside it, if it is in this element. */
export const noticeAt = ({ notice }: View, place: string): Html | false =>
  notice?.place === place &&
  html`<span class="notice ${notice.isError ? 'bad' : ''}">${notice.text}</span>`;

/** A form with one button. @param fields with `place`, the element that shows what it did @param about what a listener hears beside the label: of what it is */
export function button(
  { token }: View,
  action: string,
  fields: Readonly<Record<string, string>> & { readonly place: string },
  label: string,
  about = '',
): Html {
  return html`<form method="post" action="/actions/${action}" class="button">${hidden({ token, ...fields })}<button>${label}<span class="unseen"> ${about}</span></button></form>`;
}

/** Fields of a form that nobody sees. Their values must be printable. */
export const hidden = (fields: Readonly<Record<string, string>>): Html[] =>
  Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );

/** A link, if the address is one of the web; its text alone if not. */
export const link = (href: string, text: Content): Content =>
  /^https?:\/\//i.test(href) && URL.canParse(href)
    ? html`<a href="${href}" rel="noreferrer noopener">${text}</a>`
    : text;

/** Where this machine serves what a link leads to: a connected domain is only reached at the emulator's own port. */
export function resolveIn({ emulator }: View, href: string): string {
  const url = URL.parse(href);
  const { port } = new URL(emulator.url);
  const isLocal = url?.protocol === 'https:' && url.hostname.endsWith('.localhost') && !url.port;
  return isLocal ? `http://${url.hostname}:${port}${url.pathname}${url.search}` : href;
}

/** How long something took, or takes: `320 ms`, `2.1 s`, `3 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  return ms < 120_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

/** What there is none of, or more than is shown. */
export const muted = (text: string): Html => html`<p class="muted">${text}</p>`;
