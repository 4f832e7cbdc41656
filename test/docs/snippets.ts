import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** The pages that people read, as paths from the root. */
export const pages = [
  ...[
    'README.md',
    'examples/README.md',
    'CONTRIBUTING.md',
    'AGENTS.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'SUPPORT.md',
  ],
  ...globSync('docs/**/*.md', { cwd: root }),
].map((path) => path.replaceAll('\\', '/'));

/** A block of a page that is set in type. */
export interface Snippet {
  page: string;
  line: number;
  language: string;
  text: string;
}

/** The text without the spaces that each of its lines begins with. */
function unindented(text: string): string {
  const lines = text.split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const least = Math.min(...indents);
  return lines.map((line) => line.slice(least)).join('\n');
}

/** The blocks of a page. */
function snippetsOf(page: string): Snippet[] {
  const source = readFileSync(join(root, page), 'utf8');
  const blocks = [...source.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```$/gm)];
  return blocks.map(({ index, 1: language = '', 2: text = '' }) => ({
    page,
    line: source.slice(0, index).split('\n').length,
    language,
    text: unindented(text),
  }));
}

export const snippets: readonly Snippet[] = pages.flatMap(snippetsOf);

/** Commands within sentences. */
export const inlineCommands: readonly string[] = pages.flatMap((page) =>
  [
    ...readFileSync(join(root, page), 'utf8').matchAll(/`((?:npm|npx|gh|curl) [^`]*|\.ci\/run)`/g),
  ].map(([, command = '']) => command),
);
