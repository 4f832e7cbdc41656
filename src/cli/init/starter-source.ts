import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../../examples/starter');

/** The starter's files as they are in examples/starter, by their paths in a repository. A bundle has them in it. */
export const starterSource = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    globSync('.github/**/*.yml', { cwd: folder })
      .toSorted()
      .map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')]),
  );
