import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';

/** Words that no name in src/ has, as no text has them: see test/docs/plain-words.yml. */
const refused = new Set(
  `begun bring brings brought deeds everybody findings glance held holds house look looks mend
  nobody ours rooms seen settle somebody stands told undoing unseen walk whoever`.split(/\s+/),
);

const wordsOf = (name: string): string[] =>
  name.split(/(?=[A-Z])|[_#]/).map((part) => part.toLowerCase());

/** The names in a file of TypeScript that have one of the words, each once. */
function refusedNames(code: string): string[] {
  const names = new Set<string>();
  JSON.stringify(parseAst(code, { lang: 'ts' }), (_, value) => {
    const isName = ['Identifier', 'PrivateIdentifier'].includes(value?.type);
    if (isName && wordsOf(value.name).some((word) => refused.has(word))) names.add(value.name);
    return typeof value === 'bigint' ? String(value) : value;
  });
  return [...names];
}

/** The keys of an output that users read. */
const outputKeys = {
  'src/actions/late/deploy.ts': ['seen', 'held'],
  'src/checks/outputs.ts': ['seen', 'held'],
};

test('no name in src/ has a word that the texts do not use', () => {
  const root = join(import.meta.dirname, '../..');
  const found = globSync('src/**/!(*.test).ts', { cwd: root }).flatMap((path) => {
    const file = path.replaceAll('\\', '/');
    const allowed = Object.entries(outputKeys).find(([one]) => one === file)?.[1] ?? [];
    const names = refusedNames(readFileSync(join(root, file), 'utf8'));
    return names.filter((name) => !allowed.includes(name)).map((name) => `${file}: ${name}`);
  });
  expect(found).toEqual([]);
});

test.each([
  'const seenUrl = 1;',
  'interface A { isHeld: true }',
  'class A { #told() {} }',
  'f(({ ours }) => 1)',
])('finds the name in %s', (code) => expect(refusedNames(code)).toHaveLength(1));
