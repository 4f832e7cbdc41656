import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, posix } from 'node:path';
import process from 'node:process';
import { parseAst } from 'vitest/node';
import manifest from '../../package.json' with { type: 'json' };
import { emulator, pure, rooms, stage } from './rooms.ts';

/** The parts of a node of the syntax tree that say what is imported. */
interface Node {
  type: string;
  start: number;
  value?: unknown;
  source?: Node | null;
  callee?: { name?: string };
  importKind?: string;
  exportKind?: string;
  body?: readonly Node[];
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** Each import of a tree, be it of a type. No line names what is computed or required. */
function* arrowsIn(node: Node): Generator<{ at: number; module: string }> {
  const { type, start, source, callee } = node;
  if (isNode(source) || callee?.name === 'require' || type === 'TSExternalModuleReference') {
    const module = typeof source?.value === 'string' ? source.value : '(computed)';
    yield { at: start, module };
  }
  for (const child of Object.values(node).flat()) if (isNode(child)) yield* arrowsIn(child);
}

const words = (list: string): string[] => list.split(/\s+/).filter((word) => word !== '');

const isAny = (patterns: string, thing: string): boolean =>
  words(patterns).some((pattern) => posix.matchesGlob(thing, pattern));

/** How the plan names a file of src/ or of emulator/, seen from src/ or from the root. */
export const placeOf = (path: string): string => path.replace(/^\.\.\/(?=emulator\/)|^src\//, '');

/** Where a file that the plan names so stands. */
const fileOf = (place: string): string => (place.startsWith('emulator/') ? place : `src/${place}`);

const folderOf = (place: string): string => place.split('/')[0] ?? place;

/** What each action and each slice takes are inputs, wherever they are written, and need no library. */
const roomOf = (place: string): string => {
  if (posix.matchesGlob(place, '{*,deploy/previews}/*inputs.ts')) return 'inputs';
  return folderOf(place);
};

const order = Object.keys(rooms).filter((room) => !room.includes('/'));

/** The libraries of a file's folder, or of the nearest one above that has a line. */
function librariesOf(place: string): string {
  for (let folder = place; ; folder = posix.dirname(folder)) {
    const line = rooms[folder];
    if (line !== undefined) return line;
    if (folder === '.') return '';
  }
}

const isPure = (place: string): boolean => isAny(pure.files, place);

function isAllowed(file: string, module: string): boolean {
  const isOurs = module.startsWith('.');
  const path = placeOf(posix.join(posix.dirname(file), module));
  const [from, to] = [roomOf(file), roomOf(path)];
  if (from === 'emulator')
    return isOurs ? [from, 'contract'].includes(to) : isAny(emulator, module);
  if (isPure(file) && !(isOurs ? isPure(path) : isAny(pure.libraries, module))) return false;
  if (!isOurs) return isAny(librariesOf(from === 'inputs' ? from : file), module);
  // Inputs may be read from anywhere above them, but one feature's do not rest on those of a feature above it.
  const [above, below] =
    from === to && from === 'inputs' ? [folderOf(file), folderOf(path)] : [from, to];
  return above === below || (order.includes(above) && order.indexOf(above) < order.indexOf(below));
}

/** Where a file of src/ or emulator/ that has this code imports against the plan, and what. */
export function refusals(file: string, code: string): string[] {
  const lineOf = (at: number) => code.slice(0, at).split('\n').length;
  return [...arrowsIn(parseAst(code, { lang: 'ts' }) as Node)]
    .filter(({ module }) => !isAllowed(file, module))
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

/**
 * What the first stage of a step's loading reaches although the plan does not have it there.
 *
 * @param read gives the code of a file of src/
 */
export function lateFiles(files: readonly string[], read: (file: string) => string): string[] {
  const found: string[] = [];
  const reached = new Set(files.filter((file) => isAny(stage.from, file)));
  for (const file of reached) {
    const code = read(file);
    for (const { at, module } of loadedWith(code)) {
      const path = posix.join(posix.dirname(file), module);
      if (!isAny(stage.holds, module.startsWith('.') ? path : module)) {
        const line = code.slice(0, at).split('\n').length;
        found.push(`src/${file}:${line} may import '${module}' only by a call, or as types`);
      } else if (module.startsWith('.')) reached.add(path);
    }
  }
  return found;
}

/** The files that lead back to themselves by imports, be they of types or by calls: each circle once. */
export function circles(files: readonly string[], read: (file: string) => string): string[] {
  const next = new Map(
    files.map((file) => [
      file,
      [...arrowsIn(parseAst(read(file), { lang: 'ts' }) as Node)]
        .filter(({ module }) => module.startsWith('.'))
        .map(({ module }) => placeOf(posix.join(posix.dirname(file), module))),
    ]),
  );
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (file: string, way: readonly string[]) => {
    if (way.includes(file)) found.push([...way.slice(way.indexOf(file)), file].join(' → '));
    if (done.has(file)) return;
    done.add(file);
    for (const other of next.get(file) ?? []) walk(other, [...way, file]);
  };
  for (const file of files) walk(file, []);
  return found;
}

/** What src/ and emulator/ import against the plan, and the words of the plan that name nothing. */
export function problems(): string[] {
  const root = join(import.meta.dirname, '../..');
  const sources = ['src/**/*.ts', 'emulator/**/*.ts'];
  const files = globSync(sources, { cwd: root, exclude: ['emulator/test', '**/*.test.ts'] }).map(
    placeOf,
  );
  const libraries = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const things = [...files, ...libraries, ...builtinModules.map((name) => `node:${name}`)];
  const named = (pattern: string) =>
    things.some((thing) => posix.matchesGlob(thing, pattern)) ||
    libraries.some((library) => pattern.startsWith(`${library}/`));
  const codeOf = (file: string) => readFileSync(join(root, fileOf(file)), 'utf8');
  const lists = [
    ...Object.values(rooms),
    ...Object.values(pure),
    ...Object.values(stage),
    emulator,
  ];
  const stale = [
    ...Object.keys(rooms).filter((room) => !named(room) && !named(`${room}/**`)),
    ...lists.flatMap(words).filter((word) => !named(word)),
  ];
  return [
    ...files.flatMap((file) => refusals(file, codeOf(file))),
    ...circles(files, codeOf).map((circle) => `a circle of imports: ${circle}`),
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
