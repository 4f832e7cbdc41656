import { createHash } from 'node:crypto';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { extname, isAbsolute, relative, resolve, sep } from 'node:path';

/** A script of the bundler's, before it is minified, and where its lines come from. */
export interface Piece {
  /** As the bundler calls it. */
  file: string;
  code: string;
  map: SourceMapPayload;
}

/** A module as the bundler wrote it: one file, or several in one, of which the last is what others ask for. */
interface Module {
  path: string;
  /** How many characters each file has in it. */
  sizes: Map<string, number>;
}

/** The bundler's own function, by which modules and chunks are asked for. */
const ask = /__(?:webpack|nccwpck)_require__/.source;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * How a file is called that the bundler names in a piece: from the folder of the sources, or from the first
 * `node_modules`, so that it is the same on each machine.
 *
 * @throws Error if it is in neither
 */
function pathOf(name: string, root: string): string {
  if (name.startsWith('external ')) return name;
  const path = resolve(name).split(sep).join('/');
  const dependencies = path.indexOf('/node_modules/');
  if (dependencies >= 0) return path.slice(dependencies + 1);
  const own = relative(root, path).split(sep).join('/');
  if (own.startsWith('../') || isAbsolute(own)) throw new Error(`${name} is not in ${root}`);
  return own;
}

/** The modules of a piece, by the bundler's numbers. */
function modulesOf({ file, code, map }: Piece, root: string): Map<string, Module> {
  const sources = new SourceMap(map);
  const modules = new Map<string, Module>();
  let open: Module | undefined;
  for (const [line, text] of code.split('\n').entries()) {
    const [, id] = /^\/\*{3}\/ (\d+):$/.exec(text) ?? [];
    if (id !== undefined) {
      open = { path: '', sizes: new Map() };
      modules.set(id, open);
    }
    if (/^\/\*{3}\/ \}\),?$/.test(text)) open = undefined;
    if (open === undefined) continue;
    const entry = sources.findEntry(line, 0);
    // What is given for a line without a source of its own is that of one before.
    if (!('originalSource' in entry) || entry.generatedLine !== line) continue;
    // The bundler sets "../" before each.
    const path = pathOf(entry.originalSource.replace(/^\.\.\//, ''), root);
    open.path = path;
    open.sizes.set(path, (open.sizes.get(path) ?? 0) + text.length);
  }
  for (const [id, { path }] of modules) {
    if (path === '') throw new Error(`${file} does not have the source of its module ${id}`);
  }
  return modules;
}

/**
 * A number for each path that hangs on the path alone. The bundler's own go up to 10,000: of 28 new modules one takes
 * the number of another of our 357, either of them has a new one then, and from the 501st module on all have.
 */
export function numbered(paths: readonly string[]): Map<string, number> {
  const numberOf = (path: string, range: number) =>
    Number.parseInt(sha256(path).slice(0, 12), 16) % range;
  const short = Map.groupBy(new Set(paths), (path) => numberOf(path, 1e6));
  const entries = [...short].flatMap(([number, same]) =>
    same.map((path) => [path, same.length === 1 ? number : 1e6 + numberOf(path, 1e9)] as const),
  );
  const numbers = new Map(entries);
  if (new Set(numbers.values()).size < numbers.size)
    throw new Error('Two modules have the same number');
  return numbers;
}

/** The package of a dependency's file, or a file of ours: what a chunk may be called after. */
const unitOf = (path: string): string =>
  /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path;

/** A path as the name of a file that every system takes. */
const asName = (path: string): string =>
  path
    .replace(/^.*node_modules\//, '')
    .replace(new RegExp(`\\${extname(path) || '.'}$`), '')
    .replace(/^[^A-Za-z0-9]+/, '')
    .replace(/[^A-Za-z0-9.]+/g, '-');

/** What a chunk is called after if nothing in it is imported by a call: that which most of it comes from. */
function heaviest(modules: Iterable<Module>): string {
  const weights = new Map<string, number>();
  for (const { sizes } of modules) {
    for (const [path, size] of sizes) {
      weights.set(unitOf(path), (weights.get(unitOf(path)) ?? 0) + size);
    }
  }
  const [first] = [...weights].sort(([a, less], [b, more]) => more - less || (a < b ? -1 : 1));
  return first?.[0] ?? 'nothing';
}

/**
 * Names for chunks that hang on nothing but what is in them. Two that would be called the same, and one whose name has a
 * meaning already, have a digest of their modules in it.
 *
 * @param chunks the name that each would have, and the paths of its modules, by the bundler's numbers
 */
export function chunkNames(
  chunks: ReadonlyMap<string, { name: string; paths: readonly string[] }>,
): Map<string, string> {
  // Windows and macOS see no difference between upper and lower case.
  const counts = Map.groupBy(chunks.values(), ({ name }) => name.toLowerCase());
  return new Map(
    [...chunks].map(([id, { name, paths }]) => {
      const isAlone = counts.get(name.toLowerCase())?.length === 1 && name !== 'index';
      // The bundler looks names up in an object, which has some from its prototype.
      if (isAlone && !(name in {})) return [id, name];
      return [id, `${name}-${sha256([...paths].sort().join('\n')).slice(0, 8)}`];
    }),
  );
}

/** Each import by a call: the chunks that it loads, and the module that it gives. */
function* importsIn(code: string): Generator<{ chunks: string[]; module: string }> {
  const call = `${ask}\\.e\\((?:\\/\\* import\\(\\) \\*\\/ )?\\d+\\)`;
  const list = `Promise\\.all\\(\\/\\* import\\(\\) \\*\\/\\[(?:${call}(?:, )?)+\\]\\)`;
  const whole = new RegExp(
    `(${list}|${call})\\.then\\(${ask}(?:\\.t)?\\.bind\\(${ask}, (\\d+)`,
    'g',
  );
  for (const [, loads = '', module = ''] of code.matchAll(whole)) {
    const chunks = [...loads.matchAll(/(\d+)\)/g)].map(([, id = '']) => id);
    yield { chunks, module };
  }
}

/** What a map has for a key that must be there. */
function found<T>(map: ReadonlyMap<string, T>, key: string): T {
  const value = map.get(key);
  if (value === undefined) throw new Error(`The bundler requests ${key}, which does not exist`);
  return value;
}

/**
 * Gives chunks names, and modules numbers, that hang on nothing but what they are made of: the bundler's are short
 * digests, which give way to each other, so that what two branches add could take the same name, and change others'.
 * A chunk is called after its module that is imported by a call; one that several share, `shared-` and what most of it
 * comes from.
 *
 * @param pieces what the bundler wrote, `index.js` the first
 * @param root the folder of the sources
 * @throws Error if the bundler wrote what is not understood here
 */
export function withStableNames(pieces: readonly Piece[], root: string): Map<string, string> {
  const chunks = new Map<string, Map<string, Module>>();
  const idOf = ({ code }: Piece) => /^exports\.id = (\d+);$/m.exec(code)?.[1] ?? 'index';
  for (const piece of pieces) chunks.set(idOf(piece), modulesOf(piece, root));
  const paths = new Map(
    [...chunks.values()].flatMap((all) => [...all].map(([id, { path }]) => [id, path])),
  );
  const targets = new Map<string, Set<string>>();
  for (const { code } of pieces) {
    for (const { chunks: loaded, module } of importsIn(code)) {
      for (const id of loaded.filter((one) => found(chunks, one).has(module))) {
        const all = targets.get(id) ?? new Set();
        targets.set(id, all.add(found(paths, module)));
      }
    }
  }
  chunks.delete('index');
  const names = chunkNames(
    new Map(
      [...chunks].map(([id, modules]) => {
        const [target] = [...(targets.get(id) ?? [])].sort();
        const name =
          target === undefined ? `shared-${asName(heaviest(modules.values()))}` : asName(target);
        return [id, { name, paths: [...modules.values()].map(({ path }) => path) }];
      }),
    ),
  );
  const numbers = numbered([...paths.values()]);
  if (numbers.size < paths.size) throw new Error('Two modules have the same path');
  const numberOf = (id: string) => String(found(numbers, found(paths, id)));
  const nameOf = (id: string) => JSON.stringify(found(names, id));
  return new Map(
    pieces.map((piece) => {
      const id = idOf(piece);
      const file = id === 'index' ? 'index.js' : `${found(names, id)}.js`;
      return [file, renamed(piece.code, numberOf, nameOf)];
    }),
  );
}

/** A script of the bundler's with other numbers for modules and names for chunks. */
function renamed(
  code: string,
  numberOf: (id: string) => string,
  nameOf: (id: string) => string,
): string {
  const module = new RegExp(
    `(^\\/\\*{3}\\/ |${ask}(?:\\.t)?\\(|${ask}(?:\\.t)?\\.bind\\(${ask}, )(\\d+)(?=[:,)])`,
    'gm',
  );
  const chunk = new RegExp(
    `(${ask}\\.e\\((?:\\/\\* import\\(\\) \\*\\/ )?|^exports\\.id = )(\\d+)`,
    'gm',
  );
  return (
    code
      .replace(module, (_all, before: string, id: string) => `${before}${numberOf(id)}`)
      .replace(chunk, (_all, before: string, id: string) => `${before}${nameOf(id)}`)
      // Beside its own, the numbers of chunks that became part of it: nothing asks for them.
      .replace(
        /^exports\.ids = \[(\d+)[^\]]*\]/m,
        (_all, id: string) => `exports.ids = [${nameOf(id)}]`,
      )
      .replace('"" + chunkId + ".index.js"', '"" + chunkId + ".js"')
      .replace(/(var installedChunks = \{\s*(?:\/\*{6}\/\s*)?)\d+(?=: 1)/, '$1"index"')
  );
}
