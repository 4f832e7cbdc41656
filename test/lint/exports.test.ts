import { expect, test } from 'vitest';
import { exportProblems, problems } from './exports.ts';

test('what src/ exports is imported by another file, has a docstring, and a name of its own', () => {
  expect(problems()).toEqual([]);
});

const told = (files: Record<string, string>) =>
  exportProblems(Object.keys(files), (file) => files[file] ?? '');

test.each(['import { one } from', 'import type { one } from', 'export { one } from'])(
  'takes `%s` for a use',
  (statement) => {
    const files = {
      'src/a.ts': '/** One. */\nexport const one = 1;',
      'src/deep/b.ts': `${statement} '../a.ts';`,
    };
    expect(told(files)).toEqual([]);
  },
);

test('takes an import by a call for a use', () => {
  const b = "const load = async () => (await import('./a.ts')).one;";
  expect(told({ 'src/a.ts': '/** One. */\nexport const one = 1;', 'test/b.ts': b })).toHaveLength(
    1,
  );
  expect(told({ 'src/a.ts': '/** One. */\nexport const one = 1;', 'src/b.ts': b })).toEqual([]);
});

test('finds what only its own file needs, and what has no docstring', () => {
  const a = 'export const one = 1;\n// No docstring.\nexport type Two = typeof one;\n';
  expect(told({ 'src/a.ts': a, 'src/b.ts': "import { one as two } from './a.ts';" })).toEqual([
    'src/a.ts:1 exports one without a docstring',
    'src/a.ts:3 exports Two, which nothing imports',
    'src/a.ts:3 exports Two without a docstring',
  ]);
});

test('a type that is inferred from a shape shares its docstring', () => {
  const a = '/** One. */\nexport const one = z.string();\nexport type One = z.infer<typeof one>;\n';
  expect(
    told({ 'src/a.ts': a, 'test/b.ts': "import { one, type One } from '../src/a.ts';" }),
  ).toEqual([]);
});

test('finds a name that two rooms have for two things, but for shapes', () => {
  const one = '/** One. */\nexport const one = 1;';
  const files = {
    'src/a.ts': one,
    'src/b.ts': one,
    'src/contract/c.ts': one,
    'src/d/more-inputs.ts': one,
    'test/e.ts': ['a', 'b', 'contract/c', 'd/more-inputs']
      .map((path) => `import { one } from '../src/${path}.ts';`)
      .join('\n'),
  };
  expect(told(files)).toEqual(['src/b.ts:2 exports one, as src/a.ts does']);
});
