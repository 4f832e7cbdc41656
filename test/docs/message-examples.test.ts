import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { entries } from '../support/messages.ts';

/** The pieces of text that a source writes out: what stands between the parts of its templates, and its strings. */
function wordsIn(source: string): string[] {
  const words: string[] = [];
  const read = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, value } = node as { type?: string; value?: unknown };
    if (type === 'Literal' && typeof value === 'string') words.push(value);
    if (type === 'TemplateElement') words.push((value as { cooked: string }).cooked);
    for (const child of Object.values(node)) read(child);
  };
  read(parseAst(source, { lang: 'ts' }));
  return words;
}

/** Shorter pieces stand in many texts. */
const shortest = 5;

test('docs/troubleshooting.md shows no example whose words no source has any more', () => {
  const words = globSync('src/**/*.ts')
    .flatMap((file) => wordsIn(readFileSync(file, 'utf8')))
    .filter(({ length }) => length >= shortest)
    .map((text) => text.trim());
  // What stands in no example takes nothing from one.
  const examples = entries.map(({ example }) => example).join('\n');
  const pieces = [...new Set(words)]
    .filter((piece) => examples.includes(piece))
    .sort((one, other) => other.length - one.length);
  const stale = entries.filter(({ code, example: whole }) => {
    const example = whole.replace(` (${code})`, '');
    let rest = example;
    for (const piece of pieces) rest = rest.replaceAll(piece, '');
    return rest.length > 0.55 * example.length;
  });
  expect(stale.map(({ code, example }) => `${code}: ${example}`)).toEqual([]);
});
