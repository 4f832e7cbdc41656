import { extname } from 'node:path';
import { parseAst } from 'vitest/node';
import { isScalar, LineCounter, parseDocument, visit } from 'yaml';

/** A line of text that people read, and where it begins in the file. */
export interface Prose {
  line: number;
  text: string;
}

/** Parts of Markdown that are not prose: code, addresses, the titles of links, and what another file or a measurement generates. */
const notProse: readonly RegExp[] = [
  /^ *```[\s\S]*?^ *```$/gm,
  /<!-- ([a-z][\w -]*) -->[\s\S]*?<!-- \/\1 -->/g,
  /<!-- measured: ([\w-]+) -->[\s\S]*?<!-- end of \1 -->/g,
  /<!--[\s\S]*?-->/g,
  /`[^`\n]+`/g,
  /\]\([^)\s]*(?: "[^"\n]*")?\)/g,
  /\b(?:src|srcset)="[^"]*"/g,
  /https?:\/\/\S+/g,
];

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** Blanks everything but the prose, so that each line keeps its number. */
const proseOfMarkdown = (text: string): string =>
  notProse.reduce((rest, pattern) => rest.replace(pattern, blank), text);

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

const linesOf = (text: string, first: number): Prose[] =>
  proseOfMarkdown(text)
    .split('\n')
    .map((line, index) => ({ line: first + index, text: line }));

/** The comments, names and descriptions of a YAML file. */
function proseOfYaml(text: string): Prose[] {
  const found = [...text.matchAll(/(?<=^|\s)#.*$/gm)].map(({ index, 0: comment }) => ({
    line: lineAt(text, index),
    text: proseOfMarkdown(comment),
  }));
  const counter = new LineCounter();
  visit(parseDocument(text, { lineCounter: counter }), {
    Pair: (_, { key, value }) => {
      if (!isScalar(key) || !isScalar(value) || typeof value.value !== 'string') return;
      if (!/^(?:name|description)$/.test(String(key.value))) return;
      const { line } = counter.linePos(value.range?.[0] ?? 0);
      const isBlock = value.type?.startsWith('BLOCK') ?? false;
      found.push(...linesOf(value.value, isBlock ? line + 1 : line));
    },
  });
  return found;
}

/** What is read of a node of the syntax tree. */
interface Node {
  type?: string;
  start: number;
  value?: unknown;
  tag?: { name?: string };
  quasi?: {
    quasis: readonly { start: number; value: { cooked: string } }[];
    expressions: readonly unknown[];
  };
}

/** A string that is shown: one with a space, or a capitalized word, such as the head of a column. */
const isShown = (text: string): boolean => text.includes(' ') || /^[A-Z][a-z]+$/.test(text);

/** The text of a string or of a part of a template; undefined for another node. */
const shownText = ({ type, value }: Node): string | undefined => {
  const text = type === 'TemplateElement' ? (value as { cooked: string }).cooked : value;
  const isText = type === 'TemplateElement' || type === 'Literal';
  return isText && typeof text === 'string' && isShown(text) ? text : undefined;
};

/** The strings and templates of a TypeScript file that are shown; those with the tag `safe` all are. */
function proseOfTypeScript(source: string): Prose[] {
  const found: Prose[] = [];
  const take = (text: string, start: number) => found.push(...linesOf(text, lineAt(source, start)));
  const read = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as Node;
    if (node.tag?.name === 'safe' && node.quasi !== undefined) {
      for (const one of node.quasi.quasis) take(one.value.cooked, one.start);
      read(node.quasi.expressions);
      return;
    }
    const text = shownText(node);
    if (text !== undefined) take(text, node.start);
    for (const child of Object.values(node)) read(child);
  };
  read(parseAst(source, { lang: 'ts' }));
  return found;
}

const readers: Readonly<Record<string, (text: string) => Prose[]>> = {
  '.md': (text) => linesOf(text, 1),
  '.yml': proseOfYaml,
  '.ts': proseOfTypeScript,
};

/**
 * The prose of a file, by its extension.
 *
 * @throws Error for an unknown extension
 */
export function proseOf(path: string, text: string): Prose[] {
  const read = readers[extname(path)];
  if (read === undefined) throw new Error(`${path}: unknown extension`);
  return read(text);
}
