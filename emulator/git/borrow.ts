import { cp, lstat, mkdir, mkdtempDisposable, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { emptyRepository, writeFiles } from './template.ts';

const find = (...parts: string[]) => stat(path.join(...parts)).catch(() => undefined);

/** A file's text; undefined if there is none, or it is a pipe or a device, which may have no end. */
async function readText(...parts: string[]): Promise<string | undefined> {
  const isFile = (await find(...parts))?.isFile() === true;
  return isFile ? await readFile(path.join(...parts), 'utf8') : undefined;
}

const isFolder = async (...parts: string[]): Promise<boolean> =>
  (await find(...parts))?.isDirectory() === true;

/** The folder with the `HEAD` of a repository: `.git`, the one that a file `.git` names, or the folder if it is bare. */
async function headFolder(root: string): Promise<string | undefined> {
  if (await isFolder(root, '.git')) return path.join(root, '.git');
  const [, named] = /^gitdir: (.+)$/m.exec((await readText(root, '.git')) ?? '') ?? [];
  if (named !== undefined) return path.resolve(root, named.trim());
  const isBare = (await isFolder(root, 'objects')) && (await isFolder(root, 'refs'));
  return isBare && (await readText(root, 'HEAD')) !== undefined ? root : undefined;
}

/** The folder with the `HEAD` of a folder's repository, or of the nearest one above it. */
async function findHead(folder: string): Promise<string | undefined> {
  for (let root = path.resolve(folder); ; root = path.dirname(root)) {
    const head = await headFolder(root);
    if (head !== undefined || path.dirname(root) === root) return head;
  }
}

/** Copies a file or a folder if it is there, without what is neither, such as links. */
async function copyPlain(from: string, to: string): Promise<void> {
  const filter = async (file: string) => {
    const found = await lstat(file).catch(() => undefined);
    return found?.isFile() === true || found?.isDirectory() === true;
  };
  await cp(from, to, { recursive: true, filter });
}

/** What of a repository the copy would lack; undefined if nothing. */
async function whyUnreadable(common: string): Promise<string | undefined> {
  if (!(await lstat(path.join(common, 'refs'))).isDirectory()) return 'its refs are not a folder';
  const settings = (await readText(common, 'config')) ?? '';
  const [, hash, storage] =
    /^\s*(?:objectformat\s*=\s*(sha256)|refstorage\s*=\s*(reftable))\s*$/im.exec(settings) ?? [];
  const format = hash ?? storage;
  return format && `its format is ${format}, and only SHA-1 with references as files is read`;
}

/**
 * Makes a bare repository with the references of a folder's repository, which finds the objects there. Git never reads
 * the folder's settings and hooks, many of which name programs. Disposing of it removes it.
 *
 * @returns undefined if the folder is in no git repository
 * @throws if the copy would lack something
 */
export async function borrowRepository(
  folder: string,
): Promise<(AsyncDisposable & { path: string }) | undefined> {
  const head = await findHead(folder);
  if (head === undefined) return undefined;
  // A worktree shares all but its HEAD.
  const common = path.resolve(head, (await readText(head, 'commondir'))?.trim() ?? '.');
  const current = await readText(head, 'HEAD');
  const why = current === undefined ? 'its HEAD is not a file' : await whyUnreadable(common);
  if (current === undefined || why !== undefined)
    throw new Error(`can't read the git repository of ${folder}: ${why}`);
  await using making = new AsyncDisposableStack();
  const made = making.use(await mkdtempDisposable(path.join(tmpdir(), 'git-borrowed-')));
  writeFiles(made.path, await emptyRepository());
  await writeFile(path.join(made.path, 'HEAD'), current);
  for (const name of ['refs', 'packed-refs', 'shallow'])
    await copyPlain(path.join(common, name), path.join(made.path, name));
  await mkdir(path.join(made.path, 'objects/info'), { recursive: true });
  const alternates = path.join(made.path, 'objects/info/alternates');
  await writeFile(alternates, `${path.join(common, 'objects')}\n`);
  making.move();
  return made;
}
