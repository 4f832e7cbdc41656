import { stripVTControlCharacters } from 'node:util';
import { escapeHtml } from '../../emulator/page/html.ts';
import { renderMarkdown } from '../../emulator/page/markdown.ts';
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
  summary: string;
  log: readonly string[];
}

const part = (title: string, content: string): string =>
  `<h2 class="part">${escapeHtml(title)}</h2>\n${content}`;

const none = (what: string): string => `<p class="none">${escapeHtml(what)}</p>`;

function renderAnnotations(annotations: readonly Annotation[]): string {
  if (annotations.length === 0) return '';
  const items = annotations.map(
    ({ level, title, message }) =>
      `<li class="${level}"><strong>${escapeHtml(title ?? level)}</strong><span>${escapeHtml(message)}</span></li>`,
  );
  return part('Annotations', `<ul class="annotations">${items.join('\n')}</ul>`);
}

const renderComment = (body: string): string =>
  `<section class="comment"><div class="avatar" aria-hidden="true">⚙️</div><div class="box">
<div class="head"><b>github-actions</b> <i>bot</i> commented</div>
<div class="body">${renderMarkdown(body, { breaks: true })}</div></div></section>`;

const renderSummary = (summary: string): string =>
  `<section class="summary box"><div class="head">Job summary</div>
<div class="body">${renderMarkdown(summary, { breaks: false })}</div></section>`;

const levelOf = (line: string): string => /^\s*(Error|Warning|Notice): /.exec(line)?.[1] ?? '';

/** The log with its groups folded. */
function renderLog(lines: readonly string[]): string {
  const rendered: string[] = [];
  let isOpen = false;
  for (const line of lines.map(stripVTControlCharacters)) {
    const isTitle = line.startsWith('▾ ');
    if (isOpen && (isTitle || !(line === '' || line.startsWith('  ')))) {
      rendered.push('</details>');
      isOpen = false;
    }
    if (isTitle) {
      rendered.push(`<details><summary>${escapeHtml(line.slice(2))}</summary>`);
      isOpen = true;
    } else {
      const text = escapeHtml(isOpen ? line.replace(/^ {2}/, '') : line);
      rendered.push(`<p class="${levelOf(line).toLowerCase()}">${text || '&nbsp;'}</p>`);
    }
  }
  if (isOpen) rendered.push('</details>');
  return `<div class="log">${rendered.join('\n')}</div>`;
}

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
${renderAnnotations(shown.annotations)}
${part('Comment', comments || none('No comment.'))}
${part('Summary', shown.summary === '' ? none('No summary.') : renderSummary(shown.summary))}
${part('Log', renderLog(shown.log))}
</body>
</html>
`;
}
