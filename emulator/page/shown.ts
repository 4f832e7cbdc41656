import type { Annotation } from '../runner.ts';
import { renderColored } from './escape-codes.ts';
import { type Html, html, longText, showInvisible, trustedHtml } from './html.ts';
import { type MarkdownOptions, renderMarkdown } from './markdown.ts';

/** The messages that GitHub shows beside a run. */
export const renderAnnotations = (annotations: readonly Annotation[]): Html =>
  html`<ul class="annotations">${annotations.map(
    ({ level, title, message }) =>
      html`<li class="${level}"><strong>${title ?? level}</strong><span>${longText(message)}</span></li>`,
  )}</ul>`;

/** A job's summary, or a comment: Markdown in which every invisible character is named. */
export const renderText = (text: string, options: MarkdownOptions): Html =>
  trustedHtml(renderMarkdown(showInvisible(text), options));

const levelOf = (line: string): string =>
  /^\s*(Error|Warning|Notice): /.exec(line)?.[1]?.toLowerCase() ?? '';

const renderLine = (line: string): Html =>
  html`<p class="${levelOf(line)}">${line === '' ? trustedHtml('&nbsp;') : renderColored(line)}</p>`;

/** Lines of a log with its groups folded: a group is `▾ title`, and what is in it is indented by two spaces. */
export function renderLines(lines: readonly string[]): Html {
  const blocks: { title: string | null; lines: string[] }[] = [{ title: null, lines: [] }];
  for (const line of lines) {
    const { title = null } = blocks.at(-1) ?? {};
    const isTitle = line.startsWith('▾ ');
    if (isTitle) blocks.push({ title: line.slice(2), lines: [] });
    else if (title !== null && line !== '' && !line.startsWith('  '))
      blocks.push({ title: null, lines: [line] });
    else blocks.at(-1)?.lines.push(title === null ? line : line.replace(/^ {2}/, ''));
  }
  const rendered = blocks.map(({ title, lines: inner }) => {
    const shown = inner.map(renderLine);
    return title === null
      ? shown
      : html`<details><summary>${renderColored(title)}</summary>${shown}</details>`;
  });
  return html`<div class="lines">${rendered}</div>`;
}
