import { type Content, type Html, html, trustedHtml } from './html.ts';
import { fill, type Part, slot } from './part.ts';
import type { RequestRow } from './request-log.ts';
import { type RequestQuery, renderRequests, writeQuery } from './sections/requests.ts';
import { style } from './style.ts';
import { timeOfDay } from './terminal-line.ts';

/** The whole page: a still picture, which a script keeps up to date where scripts run. */
export function renderPage(
  parts: readonly Part[],
  rows: readonly RequestRow[],
  query: RequestQuery,
  frame: Frame,
): Html {
  const place = (id: string) => slot(id, fill(parts, id));
  const hasRuns = parts.some((part) => part.slot === 'runs');
  const runs =
    hasRuns &&
    html`<section aria-labelledby="runs-title"><h2 id="runs-title">Workflow runs</h2>${place('runs')}</section>`;
  const links = html`${hasRuns && html`<a href="#runs-title">Runs</a> `}<a href="#projects-title">Projects</a> <a href="#domains-title">Domains</a> <a href="#github-title">GitHub</a> <a href="#requests">Requests</a>`;
  const content = html`${place('head')}
<main>
<div class="world">
${runs}
<section aria-labelledby="projects-title"><h2 id="projects-title">Projects</h2>${place('projects')}</section>
<section aria-labelledby="domains-title"><h2 id="domains-title">Domains</h2>${place('domains')}</section>
<section aria-labelledby="github-title"><h2 id="github-title">GitHub</h2>${place('github')}</section>
</div>
${renderRequests(rows, query)}
</main>`;
  const skip = html`<a class="skip" href="#requests">Skip to the requests</a>`;
  const title = html`<h1>Emulator</h1>`;
  return renderFrame({
    ...frame,
    name: 'Emulator',
    title,
    links,
    skip,
    content,
    events: writeQuery(query),
  });
}

/** A page of one thing, with a way back. @param events which events keep it up to date; null for one that stays as it is */
export const renderOne = (
  name: string,
  content: Content,
  events: string | null,
  frame: Frame,
): Html =>
  renderFrame({
    ...frame,
    name: `${name} · Emulator`,
    title: html`<h1><a href="/">Emulator</a></h1>`,
    links: html`<a href="/">Everything</a>`,
    skip: null,
    content: html`<main class="one">${content}</main>`,
    events,
  });

/** What all pages have in common. */
export interface Frame {
  /** Which emulator it is of: another one has other pages. */
  readonly emulator: string;
  readonly now: number;
}

function renderFrame(
  page: Frame & {
    readonly name: string;
    readonly title: Html;
    readonly links: Html;
    readonly skip: Html | null;
    readonly content: Html;
    readonly events: string | null;
  },
): Html {
  const { emulator, now, name, title, links, skip, content, events } = page;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${trustedHtml(style)}</style>
${events !== null && html`<script src="/client.js" defer></script>`}
</head>
<body data-emulator="${emulator}" data-events="/events${events}">
${skip}
<header class="top">
${title}
<p id="live" class="muted">${events !== null && `Still picture of ${timeOfDay(now)}. Reload the page to update it.`}</p>
<nav aria-label="Parts of the page">${links}</nav>
</header>
${content}
</body>
</html>
`;
}
