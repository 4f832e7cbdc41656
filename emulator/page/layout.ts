import { type Html, html, trustedHtml } from './html.ts';
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
  now: number,
): Html {
  const place = (id: string) => slot(id, fill(parts, id));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Emulator</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${trustedHtml(style)}</style>
<script src="/client.js" defer></script>
</head>
<body data-events="/events${writeQuery(query)}">
<a class="skip" href="#requests">Skip to the requests</a>
<header class="top">
<h1>Emulator</h1>
<p id="live" class="muted">Still picture of ${timeOfDay(now)}. Reload the page to update it.</p>
<nav aria-label="Parts of the page"><a href="#projects-title">Projects</a> <a href="#domains-title">Domains</a> <a href="#github-title">GitHub</a> <a href="#requests">Requests</a></nav>
</header>
${place('head')}
<main>
<div class="world">
<section aria-labelledby="projects-title"><h2 id="projects-title">Projects</h2>${place('projects')}</section>
<section aria-labelledby="domains-title"><h2 id="domains-title">Domains</h2>${place('domains')}</section>
<section aria-labelledby="github-title"><h2 id="github-title">GitHub</h2>${place('github')}</section>
</div>
${renderRequests(rows, query)}
</main>
</body>
</html>
`;
}
