import { extname } from 'node:path';
import { parseAst } from 'vitest/node';
import { isScalar, LineCounter, parseDocument, visit } from 'yaml';

/** A line of text that people read, and where it begins in the file. */
export interface Prose {
  line: number;
  text: string;
}

/** Parts of Markdown that are not prose: code, addresses, and what another file or a measurement generates. */
const notProse: readonly RegExp[] = [
  /^ *```[\s\S]*?^ *```$/gm,
  /<!-- ([a-z][\w -]*) -->[\s\S]*?<!-- \/\1 -->/g,
  /<!-- measured: ([\w-]+) -->[\s\S]*?<!-- end of \1 -->/g,
  /<!--[\s\S]*?-->/g,
  /`[^`\n]+`/g,
  /\]\([^)\s]*\)/g,
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

/** The strings and templates of a TypeScript file that contain a space. */
function proseOfTypeScript(source: string): Prose[] {
  const found: Prose[] = [];
  const read = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, value, start } = node as { type?: string; value?: unknown; start: number };
    const text = type === 'TemplateElement' ? (value as { cooked: string }).cooked : value;
    const isText = type === 'TemplateElement' || type === 'Literal';
    if (isText && typeof text === 'string' && text.includes(' ')) {
      found.push(...linesOf(text, lineAt(source, start)));
    }
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
