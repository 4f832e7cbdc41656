import type { Issue } from '../../emulator/github/index.ts';
import { escapeHtml, type Html } from '../../emulator/page/html.ts';
import { renderAnnotations, renderLines, renderText } from '../../emulator/page/shown.ts';
import type { Annotation } from '../../emulator/runner.ts';
import { style } from './style.ts';

/** What a run left behind where people can see it. */
export interface Shown {
  title: string;
  /** How it was played, in a line. */
  played: string;
  annotations: readonly Annotation[];
  /** The bodies of the comments, oldest first. */
  comments: readonly string[];
  /** The issues that it may have written, oldest first. */
  issues: readonly Pick<Issue, 'number' | 'title' | 'state' | 'reason' | 'body'>[];
  summary: string;
  log: readonly string[];
}

const part = (title: string, content: string | Html): string =>
  `<h2 class="part">${escapeHtml(title)}</h2>\n${content}`;

const none = (what: string): string => `<p class="none">${escapeHtml(what)}</p>`;

const renderComment = (body: string): string =>
  `<section class="comment"><div class="avatar" aria-hidden="true">⚙️</div><div class="box">
<div class="head"><b>github-actions</b> <i>bot</i> commented</div>
<div class="body">${renderText(body, { breaks: true })}</div></div></section>`;

const renderIssue = ({ number, title, state, reason, body }: Shown['issues'][number]): string =>
  `<section class="comment issue"><div class="avatar" aria-hidden="true">⚙️</div><div class="box">
<div class="head"><span class="state ${state}">${state}${state === 'closed' ? ` as ${reason}` : ''}</span> <b>${escapeHtml(title)}</b> #${number}</div>
<div class="body">${renderText(body ?? '', { breaks: true })}</div></div></section>`;

const renderSummary = (summary: string): string =>
  `<section class="summary box"><div class="head">Job summary</div>
<div class="body">${renderText(summary, { breaks: false })}</div></section>`;

const themes = (['system', 'light', 'dark'] as const)
  .map(
    (theme, index) =>
      `<label><input type="radio" name="theme" id="${theme}"${index === 0 ? ' checked' : ''}> ${theme}</label>`,
  )
  .join('');

/**
 * One page of what a run left behind, as it looks on GitHub, in both themes. It holds all that it needs, loads
 * nothing, and runs nothing.
 */
export function renderPage({ title, played, ...shown }: Shown): string {
  const comments = shown.comments.map(renderComment).join('\n');
  const issues = shown.issues.map(renderIssue).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<header class="top"><h1>${escapeHtml(title)}</h1><fieldset class="theme">Theme:${themes}</fieldset></header>
<p class="played">${escapeHtml(played)}</p>
${shown.annotations.length === 0 ? '' : part('Annotations', renderAnnotations(shown.annotations))}
${part('Comment', comments || none('No comment.'))}
${issues === '' ? '' : part('Issue', issues)}
${part('Summary', shown.summary === '' ? none('No summary.') : renderSummary(shown.summary))}
${part('Log', renderLines(shown.log))}
</body>
</html>
`;
}
