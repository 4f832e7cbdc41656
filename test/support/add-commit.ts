import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';

/** The file of a loose object in a bare repository. */
const fileOf = (folder: string, id: string): string =>
  join(folder, 'objects', id.slice(0, 2), id.slice(2));

/**
 * Adds a commit without changes to `main` in a bare repository, whose head must be a loose object. Writes the files itself:
 * to clone, commit and push, git starts more than twenty processes.
 *
 * @returns the commit
 */
export async function addCommit(folder: string, message = 'Change nothing'): Promise<string> {
  const reference = join(folder, 'refs', 'heads', 'main');
  const parent = (await readFile(reference, 'utf8')).trim();
  const before = inflateSync(await readFile(fileOf(folder, parent))).toString();
  const [, tree = ''] = /^commit \d+\0tree ([\da-f]{40})\n/.exec(before) ?? [];
  const who = 'Ada <ada@example.invalid> 1800000000 +0000';
  const text = `tree ${tree}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n\n${message}\n`;
  const object = `commit ${Buffer.byteLength(text)}\0${text}`;
  const id = createHash('sha1').update(object).digest('hex');
  await mkdir(dirname(fileOf(folder, id)), { recursive: true });
  await writeFile(fileOf(folder, id), deflateSync(object));
  // In one step, because git may be reading it, and outside refs/, where it would be a branch.
  const next = join(folder, `main-${id}`);
  await writeFile(next, `${id}\n`);
  await rename(next, reference);
  return id;
}
