import { copyFileSync, cpSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { starterSource } from '../src/cli/init/starter-source.ts';

const root = resolve(import.meta.dirname, '..');

/** What the emulator's dialect is described by, as it is when it is bundled. */
const dialectSource = (): string =>
  globSync('emulator/*dialect.ts', { cwd: root })
    .toSorted()
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');

/** The modules that read files of this repository, and what is bundled instead: these files, as they are then. */
const embedded: readonly (readonly [module: string, source: () => string])[] = [
  [
    '/dialect-source.ts',
    () => `export const dialectSource = () => ${JSON.stringify(dialectSource())};`,
  ],
  [
    '/starter-source.ts',
    () => `export const starterSource = () => (${JSON.stringify(starterSource())});`,
  ],
];

/** A path as it is outside Windows. */
const withSlashes = (path: string): string => path.replaceAll('\\', '/');

/** The folder of a package in which a module is. */
function packageOf(module: string): string | undefined {
  const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(withSlashes(module)) ?? [];
  return folder;
}

/**
 * Bundles the command line and the emulator into a folder: its script is `code/main.js`.
 *
 * @returns the folders of the packages that are in it
 */
export async function bundleCommand(to: string): Promise<string[]> {
  const bundle = await rolldown({
    cwd: root,
    input: { main: 'npm/main.ts' },
    platform: 'node',
    external: [/^node:/],
    plugins: [
      {
        name: 'embedded',
        load: (id) => embedded.find(([module]) => withSlashes(id).endsWith(module))?.[1]() ?? null,
      },
    ],
  });
  const { output } = await bundle.write({
    dir: join(to, 'code'),
    format: 'esm',
    minify: true,
    comments: { legal: false },
  });
  // What the emulator reads from where it is.
  copyFileSync(join(root, 'emulator/page/client.js'), join(to, 'code/client.js'));
  cpSync(join(root, 'examples/site'), join(to, 'examples/site'), { recursive: true });
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
  const packages = modules.map(packageOf).filter((folder) => folder !== undefined);
  return [...new Set(packages)];
}
