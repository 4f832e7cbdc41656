import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { attacksOf, renderAttacks } from '../../scripts/attacks.ts';
import { root } from './snippets.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

test.each(globSync('test/attacks/*.test.ts', { cwd: root }))('%s describes its attack', (path) => {
  expect(attacksOf(path, read(path))).not.toEqual([]);
});

test('the attacks of a file are a row each', () => {
  const source =
    "// Attack (git): A token is in\n// an argument | a log\n// Defense: It is not\n// Attack (page): Two\n// Defense: `b`\n\nimport 'a';\n// Attack (git): c\n";
  const attacks = attacksOf('test/git/a.test.ts', source);
  expect(attacks.map(({ topic }) => topic)).toEqual(['git', 'page']);
  expect(renderAttacks(attacks).split('\n').slice(2)).toEqual([
    '| A token is in an argument \\| a log | It is not | [git/a](../test/git/a.test.ts) |',
    '| Two | `b` | [git/a](../test/git/a.test.ts) |',
  ]);
});

test.each([
  '// Attack (git): a\n',
  '// Attack: a\n// Defense: b\n',
  '// Attack (git) a\n// Defense: b\n',
])('an attack without a topic or a defense is an error: %j', (source) => {
  expect(() => attacksOf('test/a.test.ts', source)).toThrow('test/a.test.ts: ');
});
