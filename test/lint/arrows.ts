import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, posix } from 'node:path';
import process from 'node:process';
import { parseAst } from 'vitest/node';
import manifest from '../../package.json' with { type: 'json' };
import { rooms, slices, stage } from './rooms.ts';

/** The parts of a node of the syntax tree that say what is imported. */
interface Node {
  type: string;
  start: number;
  value?: unknown;
  source?: Node | null;
  callee?: { name?: string };
  specifiers?: readonly { imported?: { name?: string } }[];
  importKind?: string;
  exportKind?: string;
  body?: readonly Node[];
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

/** How the plan names a file of a slice by its name alone: `<slice>/intent.ts`. */
const anySlices = (file: string): string | undefined =>
  slices.includes(posix.dirname(file)) ? `<slice>/${posix.basename(file)}` : undefined;

const covers = (word: string, thing: string): boolean =>
  word === thing ||
  word === anySlices(thing) ||
  (word.endsWith('*') && thing.startsWith(word.slice(0, -1)));

/** How the plan names a file of src/ or of emulator/, seen from src/ or from the root. */
export const placeOf = (path: string): string => path.replace(/^\.\.\/(?=emulator\/)|^src\//, '');

/** Where a file that the plan names so stands. */
const fileOf = (place: string): string => (place.startsWith('emulator/') ? place : `src/${place}`);

function isAllowed(file: string, module: string, name: string): boolean {
  const room = posix.dirname(file);
  const named = anySlices(file);
  const pure = named === undefined ? undefined : rooms[named];
  const line = rooms[file] ?? pure ?? rooms[room];
  if (line === undefined) return false;
  const path = placeOf(posix.join(room, module));
  const things = module.startsWith('.') ? [path, posix.dirname(path), `${path}#${name}`] : [module];
  // The files beside main.ts are no room, and a pure file of a slice may not import all that is beside it.
  const words = [...line.split(' '), ...(room === '.' || pure !== undefined ? [] : [room])];
  return words.some((word) => things.some((thing) => covers(word, thing)));
}

/** Where a file of src/ or emulator/ that has this code imports against the plan, and what. */
export function refusals(file: string, code: string): string[] {
  const lineOf = (at: number) => code.slice(0, at).split('\n').length;
  return [...arrowsIn(parseAst(code, { lang: 'ts' }) as Node)]
    .filter(({ module, name }) => !isAllowed(file, module, name))
    .map(({ at, module }) => `${fileOf(file)}:${lineOf(at)} may not import '${module}'`);
}

/** The modules that are loaded with a file: those of its import statements that are not of types alone. */
function loadedWith(code: string): { at: number; module: string }[] {
  const { body = [] } = parseAst(code, { lang: 'ts' }) as unknown as Node;
  return body.flatMap(({ start, source, importKind, exportKind }) => {
    const isErased = importKind === 'type' || exportKind === 'type';
    return isErased || typeof source?.value !== 'string'
      ? []
      : [{ at: start, module: source.value }];
  });
}

const words = (list: string): string[] => list.split(/\s+/);

/**
 * What the first stage of a step's loading reaches although the plan does not have it there.
 *
 * @param read gives the code of a file of src/
 */
export function lateFiles(files: readonly string[], read: (file: string) => string): string[] {
  const isHeld = (things: readonly string[]) =>
    words(stage.holds).some((word) => things.some((thing) => covers(word, thing)));
  const found: string[] = [];
  const reached = new Set(
    files.filter((file) => words(stage.from).some((word) => covers(word, file))),
  );
  for (const file of reached) {
    const code = read(file);
    for (const { at, module } of loadedWith(code)) {
      const path = posix.join(posix.dirname(file), module);
      const things = module.startsWith('.') ? [path, posix.dirname(path)] : [module];
      if (!isHeld(things)) {
        const line = code.slice(0, at).split('\n').length;
        found.push(`src/${file}:${line} may import '${module}' only by a call, or as types`);
      } else if (module.startsWith('.')) reached.add(path);
    }
  }
  return found;
}

/** What src/ and emulator/ import against the plan, and the words of the plan that name nothing. */
export function problems(): string[] {
  const root = join(import.meta.dirname, '../..');
  const sources = ['src/**/*.ts', 'emulator/**/*.ts'];
  const files = globSync(sources, { cwd: root, exclude: ['emulator/test'] }).map(placeOf);
  const places = [...files, ...files.map((file) => posix.dirname(file))];
  places.push(...files.flatMap((file) => anySlices(file) ?? []));
  const libraries = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const things = [...places, ...libraries, ...builtinModules.map((name) => `node:${name}`)];
  const named = (word: string) =>
    things.some((thing) => covers(word.replace(/#.*/, ''), thing)) ||
    libraries.some((library) => word.startsWith(`${library}/`));
  const codeOf = (file: string) => readFileSync(join(root, fileOf(file)), 'utf8');
  const stale = Object.entries(rooms).flatMap(([room, line]) => [
    ...[room].filter((each) => !places.includes(each)),
    ...line.split(' ').filter((word) => !named(word)),
  ]);
  stale.push(...words(`${stage.from} ${stage.holds}`).filter((word) => !named(word)));
  return [
    ...files.flatMap((file) => refusals(file, codeOf(file))),
    ...lateFiles(files, codeOf),
    ...stale.map((word) => `test/lint/rooms.ts: there is no ${word}`),
  ];
}

if (import.meta.main) {
  for (const problem of problems()) {
    process.stderr.write(`${problem}\n`);
    process.exitCode = 1;
  }
}
