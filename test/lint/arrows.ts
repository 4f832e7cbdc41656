import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, posix } from 'node:path';
import process from 'node:process';
import { parseAst } from 'vitest/node';
import manifest from '../../package.json' with { type: 'json' };
import { rooms } from './rooms.ts';

/** The parts of a node of the syntax tree that say what is imported. */
interface Node {
  type: string;
  start: number;
  value?: unknown;
  source?: Node | null;
  callee?: { name?: string };
  specifiers?: readonly { imported?: { name?: string } }[];
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** Each import of a tree, be it of a type, and each name of it. No line names what is computed or required. */
function* arrowsIn(node: Node): Generator<{ at: number; module: string; name: string }> {
  const { type, start, source, callee, specifiers = [] } = node;
  if (isNode(source) || callee?.name === 'require' || type === 'TSExternalModuleReference') {
    const module = typeof source?.value === 'string' ? source.value : '(computed)';
    const names = specifiers.map(({ imported }) => imported?.name ?? '*');
    for (const name of names.length === 0 ? ['*'] : names) yield { at: start, module, name };
  }
  for (const child of Object.values(node).flat()) if (isNode(child)) yield* arrowsIn(child);
}

const covers = (word: string, thing: string): boolean =>
  word === thing || (word.endsWith('*') && thing.startsWith(word.slice(0, -1)));

function isAllowed(file: string, module: string, name: string): boolean {
  const room = posix.dirname(file);
  const line = rooms[file] ?? rooms[room];
  if (line === undefined) return false;
  const path = posix.join(room, module);
  const things = module.startsWith('.') ? [path, posix.dirname(path), `${path}#${name}`] : [module];
  // The files beside main.ts are no room.
  const words = [...line.split(' '), ...(room === '.' ? [] : [room])];
  return words.some((word) => things.some((thing) => covers(word, thing)));
}

/** Where a file of src/ that has this code imports against the plan, and what. */
export function refusals(file: string, code: string): string[] {
  const lineOf = (at: number) => code.slice(0, at).split('\n').length;
  return [...arrowsIn(parseAst(code, { lang: 'ts' }) as Node)]
    .filter(({ module, name }) => !isAllowed(file, module, name))
    .map(({ at, module }) => `src/${file}:${lineOf(at)} may not import '${module}'`);
}

/** What src/ imports against the plan, and the words of the plan that name nothing. */
export function problems(): string[] {
  const source = join(import.meta.dirname, '../../src');
  const files = globSync('**/*.ts', { cwd: source });
  const places = [...files, ...files.map((file) => posix.dirname(file))];
  const libraries = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const things = [...places, ...libraries, ...builtinModules.map((name) => `node:${name}`)];
  const named = (word: string) => things.some((thing) => covers(word.replace(/#.*/, ''), thing));
  const stale = Object.entries(rooms).flatMap(([room, line]) => [
    ...[room].filter((each) => !places.includes(each)),
    ...line.split(' ').filter((word) => !named(word)),
  ]);
  return [
    ...files.flatMap((file) => refusals(file, readFileSync(join(source, file), 'utf8'))),
    ...stale.map((word) => `test/lint/rooms.ts: there is no ${word}`),
  ];
}

if (import.meta.main) {
  for (const problem of problems()) {
    process.stderr.write(`${problem}\n`);
    process.exitCode = 1;
  }
}
