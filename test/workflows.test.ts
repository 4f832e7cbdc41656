import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Document, isMap, isScalar, parseDocument, type Scalar, visit } from 'yaml';
import { diagnose } from './support/diagnose.ts';
import { examples as allExamples, starter } from './support/examples.ts';

const root = join(import.meta.dirname, '..');
const find = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: ['node_modules', '.git', 'dist', 'build'] }).toSorted();
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const own = find('.github/workflows/*.{yml,yaml}');
const examples = allExamples.map(({ path }) => path);
const actions = find('**/action.{yml,yaml}');

/** The scalar values of these keys, wherever they stand. */
function scalars(document: Document, isWanted: (key: string, path: string[]) => boolean): Scalar[] {
  const found: Scalar[] = [];
  visit(document, {
    Pair: (_index, { key, value }, ancestors) => {
      const path = ancestors.flatMap((node) =>
        'key' in node && isScalar(node.key) ? [String(node.key.value)] : [],
      );
      if (isScalar(key) && isScalar(value) && isWanted(String(key.value), path)) found.push(value);
    },
  });
  return found;
}

/** Actions of others that are not pinned by a commit with its version in a comment. `OWNER` is ourselves. */
const unpinned = (text: string) =>
  scalars(parseDocument(text), (key) => key === 'uses')
    .filter(({ value }) => !/^(\.|OWNER)\//.test(String(value)))
    .filter(
      ({ value, comment }) =>
        !/^[^@]+@[0-9a-f]{40}$/.test(String(value)) || !/^ v\d+(\.\d+)*$/.test(comment ?? ''),
    )
    .map(({ value }) => value);

/** Grants of a permission without a reason on their line. */
const unexplained = (text: string) =>
  scalars(
    parseDocument(text),
    (key, path) => key === 'permissions' || path.at(-1) === 'permissions',
  )
    .filter(({ value, comment }) => value !== 'none' && (comment ?? '').trim() === '')
    .map(({ value }) => value);

const grantsNothing = (text: string) => {
  const permissions = parseDocument(text).get('permissions');
  return isMap(permissions) && permissions.items.length === 0;
};

test('there are workflows and examples to check', () => {
  expect(own).not.toEqual([]);
  expect(examples).not.toEqual([]);
  expect(starter).not.toEqual([]);
});

test.each([...own, ...examples, ...actions])("%s passes GitHub's own checks", async (file) => {
  expect(await diagnose(file, read(file))).toEqual([]);
});

describe.each([...own, ...examples])('%s', (file) => {
  test('grants nothing at the top', () => {
    expect(grantsNothing(read(file))).toBe(true);
  });

  test('gives a reason for each grant', () => {
    expect(unexplained(read(file))).toEqual([]);
  });

  test('pins every action by a commit and names its version', () => {
    expect(unpinned(read(file))).toEqual([]);
  });
});

describe('the checks catch', () => {
  const workflow = (step: string, permissions = '{}') =>
    `on: push\npermissions: ${permissions}\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - ${step}\n`;
  const sha = '0123456789abcdef0123456789abcdef01234567';

  test.each([
    ['an unknown key', 'runs: npm test'],
    ['an unknown context', `run: echo \${{ secret.KEY }}`],
  ])('%s', async (name, step) => {
    // A file name of its own: the language service keeps what it parsed by name.
    const file = `.github/workflows/${name}.yml`;
    expect(await diagnose(file, workflow(step))).not.toEqual([]);
  });

  test('a wrong input of our own action', async () => {
    const step = 'uses: OWNER/site-deploy-action@v1\n        with: { no-such-input: x }';
    expect(await diagnose('examples/workflows/x.yml', workflow(step))).toContainEqual(
      expect.stringContaining("Invalid action input 'no-such-input'"),
    );
  });

  test.each([
    ['a tag', 'uses: a/b@v1 # v1'],
    ['a short commit', `uses: a/b@${sha.slice(0, 7)} # v1`],
    ['a commit without version', `uses: a/b@${sha}`],
  ])('%s instead of a pinned action', (_name, step) => {
    expect(unpinned(workflow(step))).toHaveLength(1);
    expect(unpinned(workflow(`uses: a/b@${sha} # v1.2.3`))).toEqual([]);
  });

  test.each([
    ['a bare grant', '\n  contents: read'],
    ['a grant of everything', 'write-all'],
  ])('%s', (_name, permissions) => {
    const text = workflow('run: npm test', permissions);
    expect(unexplained(text)).toHaveLength(1);
    expect(grantsNothing(text)).toBe(false);
  });
});
