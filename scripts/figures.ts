// Prints how large src/ is, how often it has what makes code hard to follow, and how much of it a plain deploy calls.
import { globSync, mkdtempDisposableSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseAst } from 'vitest/node';
import { startEmulator } from '../emulator/index.ts';
import { startProcess } from '../emulator/runner/process.ts';
import { runAction } from '../emulator/runner.ts';
import { root } from '../test/support/places.ts';

const src = join(root, 'src');

/** The parts of a node of the syntax tree by which it is counted. */
interface Node {
  type: string;
  name?: string;
  key?: Node;
  argument?: Node;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** A node and all that it contains, each with its parent. */
function* nodesIn(node: Node, parent = node): Generator<[Node, Node]> {
  yield [node, parent];
  for (const child of Object.values(node).flat()) if (isNode(child)) yield* nodesIn(child, node);
}

const isConditionalSpread = ({ type, argument }: Node): boolean =>
  type === 'SpreadElement' && /^(Conditional|Logical)Expression$/.test(argument?.type ?? '');

/** What is counted, by a node and its parent. */
const figures: Readonly<Record<string, (node: Node, parent: Node) => boolean>> = {
  types: ({ type }) => /^TS(Interface|TypeAlias)Declaration$/.test(type),
  onX: ({ type, key }) => /(Signature|Definition)$/.test(type) && /^on[A-Z]/.test(key?.name ?? ''),
  '{...?}': (node, parent) => isConditionalSpread(node) && parent.type === 'ObjectExpression',
  '[...?]': (node, parent) => isConditionalSpread(node) && parent.type !== 'ObjectExpression',
  unsafeText: ({ name }, { type }) => name === 'unsafeText' && type === 'CallExpression',
  'import()': ({ type }) => type === 'ImportExpression',
};

/** The figures of the files of one folder, or of all. */
function countIn(files: readonly string[]): Record<string, number> {
  const codes = files.map((file) => readFileSync(join(src, file), 'utf8'));
  const nodes = codes.flatMap((code) => [...nodesIn(parseAst(code, { lang: 'ts' }) as Node)]);
  const counts = Object.entries(figures).map(([name, isCounted]) => [
    name,
    nodes.filter(([node, parent]) => isCounted(node, parent)).length,
  ]);
  const lines = codes.join('').split('\n').length - 1;
  return { files: files.length, lines, ...Object.fromEntries(counts) };
}

/** V8's report: the first function of a script is the script itself. */
interface Coverage {
  result: { url: string; functions: { functionName: string; ranges: { count: number }[] }[] }[];
}

/** How many functions of each file of `src/` run on a push with the required inputs alone, without GitHub. */
async function calledByDeploy(): Promise<number[]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'figures-'));
  await using emulator = await startEmulator();
  const project = await emulator.world.createProject();
  const main = pathToFileURL(join(src, 'main.ts')).href;
  const script = `import { main } from '${main}'; await main('deploy');`;
  const { conclusion, log } = await runAction({
    action: root,
    inputs: {
      'api-key': emulator.key,
      'base-url': emulator.url,
      'project-id': project.id,
      'github-deployment': 'false',
    },
    env: { NODE_V8_COVERAGE: folder.path },
    event: { name: 'push', payload: { ref: 'refs/heads/main', after: await project.head() } },
    post: false,
    // Instead of dist/, in which V8 sees no files of src/.
    launch: (options) =>
      startProcess({ ...options, args: ['--input-type=module', '--eval', script] }),
  });
  if (conclusion !== 'success') throw new Error(log.join('\n'));
  const [report = ''] = readdirSync(folder.path);
  const { result }: Coverage = JSON.parse(readFileSync(join(folder.path, report), 'utf8'));
  return result
    .filter(({ url }) => url.startsWith(`${dirname(main)}/`))
    .map(({ functions }) => functions.slice(1))
    .map((functions) => functions.filter(({ ranges: [whole] }) => whole?.count !== 0).length)
    .filter((called) => called > 0);
}

const files = globSync('**/!(*.test).ts', { cwd: src }).map((file) => file.replaceAll('\\', '/'));
const folders = Object.groupBy(files.sort(), (file) =>
  file.includes('/') ? file.replace(/\/.*/, '') : '.',
);
console.table(
  Object.fromEntries(
    Object.entries({ ...folders, all: files }).map(([name, of = []]) => [name, countIn(of)]),
  ),
);
const called = await calledByDeploy();
const functions = called.reduce((sum, count) => sum + count, 0);
console.log(`The plainest deploy calls ${functions} functions of ${called.length} files.`);
