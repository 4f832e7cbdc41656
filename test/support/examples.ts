import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './places.ts';

/** A workflow that users copy. */
export interface Example {
  /** Its file, relative to the root. */
  path: string;
  /** The file's name. */
  name: string;
  /** The folder of workflows that it is in: users copy any of it, or all of the starter. */
  folder: string;
  /** The folder that has the files which it reads in `.github/`. */
  files: string;
  /** What the tests that play it call it. */
  played: string;
  text: string;
}

const starterFolder = 'examples/starter/.github/workflows';

/** Each folder of workflows that users copy, with the folder that has the files which these read. */
const folders = {
  'examples/workflows': 'examples',
  [starterFolder]: 'examples/starter/.github',
};

const find = (folder: string, files: string): Example[] =>
  globSync('*.{yml,yaml}', { cwd: join(root, folder) })
    .toSorted()
    .map((name) => ({
      path: `${folder}/${name}`,
      name,
      folder,
      files,
      played: folder === starterFolder ? `starter/.github/workflows/${name}` : name,
      text: readFileSync(join(root, folder, name), 'utf8'),
    }));

/** All workflows that users copy. */
export const examples: readonly Example[] = Object.entries(folders).flatMap(([folder, files]) =>
  find(folder, files),
);

/** The workflows of the starter. */
export const starter = examples.filter(({ folder }) => folder === starterFolder);
