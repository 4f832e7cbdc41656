import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseAst } from 'vitest/node';

/** The parts of a node of the syntax tree that name what is exported. */
interface Node {
  type: string;
  start: number;
  declaration?: (Node & { declarations?: readonly Node[] }) | null;
  id?: { name: string };
  body?: readonly Node[];
}

/** A declaration that other files can import. */
interface Exported {
  name: string;
  line: number;
  isDocumented: boolean;
}

/** What a file declares and exports. */
export function exportsOf(code: string): Exported[] {
  const { body = [] } = parseAst(code, { lang: 'ts' }) as unknown as Node;
  return body.flatMap(({ type, start, declaration }) => {
    if (type !== 'ExportNamedDeclaration' || !declaration) return [];
    const before = code.slice(0, start);
    const line = before.split('\n').length;
    // A type that is inferred from a shape follows it, and shares its docstring.
    const isInferred = /^export type \w+ = z\.infer</.test(code.slice(start));
    const isDocumented = isInferred || /\*\/\s*(\/\/ biome-ignore .*\s*)?$/.test(before);
    return (declaration.declarations ?? [declaration]).map(({ id }) => ({
      name: id?.name ?? '',
      line,
      isDocumented,
    }));
  });
}

/** The paths of all modules that a file imports, in whatever form. */
function modulesOf(file: string, code: string): string[] {
  const paths = [...code.matchAll(/(?:\bfrom |\bimport\()\s*'(\.[^']+)'/g)];
  return paths.map(([, path = '']) => posix.join(posix.dirname(file), path));
}

/**
 * What src/ exports although no file that imports it names it, without a docstring, or by a name that another file has.
 *
 * @param read gives the code of a file
 */
export function exportProblems(files: readonly string[], read: (file: string) => string): string[] {
  const codes = new Map(files.map((file) => [file, read(file)]));
  const importers = new Map<string, string[]>();
  for (const [file, code] of codes) {
    for (const module of modulesOf(file, code)) {
      importers.set(module, [...(importers.get(module) ?? []), code]);
    }
  }
  const ours = files.filter(
    (file) => file.startsWith('src/') && !edges.some((edge) => file.startsWith(edge)),
  );
  const unused = ours.flatMap((file) =>
    exportsOf(codes.get(file) ?? '').flatMap(({ name, line, isDocumented }) => {
      const named = new RegExp(`(?<![\\w$])${name}(?![\\w$])`);
      const isUsed = importers.get(file)?.some((code) => named.test(code)) === true;
      return [
        ...(isUsed ? [] : [`${file}:${line} exports ${name}, which nothing imports`]),
        ...(isDocumented ? [] : [`${file}:${line} exports ${name} without a docstring`]),
      ];
    }),
  );
  return [...unused, ...sharedNames(ours, (file) => codes.get(file) ?? '')];
}

/** Where the names of the interface and of the inputs are used for their shapes, whatever else has them. */
const shapes = /^src\/(contract\/|[\w-]+\/([\w-]+-)?inputs\.ts$)/;

/** Names that two files of src/ export for two things. */
function sharedNames(files: readonly string[], read: (file: string) => string): string[] {
  const first = new Map<string, string>();
  return files
    .filter((file) => !shapes.test(file))
    .flatMap((file) =>
      exportsOf(read(file)).flatMap(({ name, line }) => {
        const other = first.get(name);
        first.set(name, file);
        return other === undefined ? [] : [`${file}:${line} exports ${name}, as ${other} does`];
      }),
    );
}

/** What the edges export is started from outside: by dist/, and by the command. */
const edges = ['src/main.ts', 'src/cli/'];

/** The same for the files of this repository. */
export function problems(): string[] {
  const root = join(import.meta.dirname, '../..');
  const files = globSync('{src,test,emulator,scripts,bench}/**/*.{ts,mjs}', { cwd: root });
  return exportProblems(
    files.map((file) => file.replaceAll('\\', '/')),
    (file) => readFileSync(join(root, file), 'utf8'),
  );
}
