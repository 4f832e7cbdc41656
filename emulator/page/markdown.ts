import { Marked, type RendererObject } from 'marked';
import { escapeHtml } from './html.ts';

/** Tags that GitHub lets stand in Markdown and that a text cannot leave its frame with. */
const tags =
  'b|blockquote|br|code|dd|del|details|dl|dt|em|h[1-6]|hr|i|ins|kbd|li|ol|p|pre|q|s|samp|strong|sub|summary|sup|table|tbody|td|th|thead|tr|ul|var|wbr';

const comment = /<!--.*?-->/gs;
const allowed = new RegExp(`&lt;(/?(?:${tags}))\\s*/?&gt;`, 'gi');

/** HTML that stands in Markdown: comments go, known tags without attributes stay, all else is shown as text. */
const cleanHtml = (html: string): string =>
  escapeHtml(html.replace(comment, ''))
    .replace(/&amp;(#\d+|#x[\da-f]+|\w+);/gi, '&$1;')
    .replace(allowed, '<$1>');

/** What GitHub colours of a `diff` block, by how a line begins; whatever else begins it is left as it is. */
const diffColours: readonly (readonly [string, string])[] = [
  ['@@', 'hunk'],
  ['+', 'added'],
  ['-', 'removed'],
  ['!', 'changed'],
];

/** A diff as HTML, in the colors that GitHub gives its lines. */
export const colorDiff = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      const [, colour] = diffColours.find(([begin]) => line.startsWith(begin)) ?? [];
      const shown = escapeHtml(line);
      return colour === undefined ? shown : `<span class="${colour}">${shown}</span>`;
    })
    .join('\n');

/** How Markdown is rendered. */
export interface MarkdownOptions {
  /** Whether the end of a line breaks the line, as in comments. */
  breaks: boolean;
  /** Where a link leads. By default to where it says. */
  resolve?: (href: string) => string;
}

const isSafe = (href: string): boolean => /^(?:https?:|mailto:|#)/i.test(href);

const rendererWith = (resolve: (href: string) => string): RendererObject => ({
  html: ({ text }) => cleanHtml(text),
  link({ href, tokens }) {
    const text = this.parser.parseInline(tokens);
    return isSafe(href)
      ? `<a href="${escapeHtml(resolve(href))}" rel="noreferrer">${text}</a>`
      : text;
  },
  // Nothing is loaded: GitHub would show it from a proxy of its own.
  image: ({ text }) => escapeHtml(text),
  code({ text, lang }) {
    const block = `<pre><code>${lang === 'diff' ? colorDiff(text) : escapeHtml(text)}</code></pre>\n`;
    if (lang !== 'mermaid') return block;
    return `<figure><figcaption>GitHub draws this as a chart (Mermaid).</figcaption>${block}</figure>\n`;
  },
});

/**
 * Markdown as GitHub shows it: its tables, task lists and bare links. No attribute of any HTML in it survives, and
 * nothing of it is loaded or run.
 */
export function renderMarkdown(text: string, options: MarkdownOptions): string {
  const { breaks, resolve = (href) => href } = options;
  return new Marked({ gfm: true, breaks, renderer: rendererWith(resolve) }).parse(text, {
    async: false,
  });
}
