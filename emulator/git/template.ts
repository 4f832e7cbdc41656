import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtempDisposable, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { git } from './git.ts';

/** Files by their path within a folder. */
type Files = ReadonlyMap<string, Buffer>;

const author = {
  GIT_AUTHOR_NAME: 'Site Template',
  GIT_AUTHOR_EMAIL: 'template@example.invalid',
  GIT_COMMITTER_NAME: 'Site Template',
  GIT_COMMITTER_EMAIL: 'template@example.invalid',
};

const init = ['init', '--quiet', '--bare', '--template=', '--initial-branch=main'];

/** A repository with one commit on `main`, as files that are ready to be written. */
export interface Template {
  readonly commit: string;
  /** The tree of the commit. */
  readonly tree: string;
  /** The bare repository. */
  readonly repository: Files;
  /** The files of the commit. */
  readonly site: Files;
}

/** What git made of each folder: its processes are a high price for every project. */
const made = new Map<string, Promise<Template>>();

/** The repository that a folder's files make. They are read when a process asks for them first. */
export async function templateOf(folder: string): Promise<Template> {
  const making = made.get(folder) ?? make(folder);
  made.set(folder, making);
  making.catch(() => made.delete(folder));
  return await making;
}

let empty: Promise<Files> | undefined;

/** The files of a bare repository without a commit, which has two folders beside them: `objects` and `refs`. */
export function emptyRepository(): Promise<Files> {
  empty ??= makeEmpty();
  empty.catch(() => {
    empty = undefined;
  });
  return empty;
}

async function makeEmpty(): Promise<Files> {
  await using work = await mkdtempDisposable(path.join(tmpdir(), 'git-empty-'));
  await git([...init, work.path]);
  return await readFiles(work.path);
}

async function make(template: string): Promise<Template> {
  await using work = await mkdtempDisposable(path.join(tmpdir(), 'site-template-'));
  const bare = path.join(work.path, 'bare');
  const site = path.join(work.path, 'site');
  await mkdir(site);
  await git([...init, bare]);
  const inTemplate = [`--git-dir=${bare}`, `--work-tree=${template}`];
  await git([...inTemplate, 'add', '--all']);
  const message = ['--quiet', '--allow-empty', '--message=Start from the template'];
  await git([...inTemplate, 'commit', ...message], { env: author });
  await git([`--git-dir=${bare}`, `--work-tree=${site}`, 'checkout-index', '--all']);
  const ids = await git([`--git-dir=${bare}`, 'rev-parse', 'HEAD', 'HEAD^{tree}']);
  const [commit = '', tree = ''] = ids.split('\n');
  return { commit, tree, repository: await readFiles(bare), site: await readFiles(site) };
}

async function readFiles(folder: string): Promise<Files> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const read = async (file: string) => [path.relative(folder, file), await readFile(file)] as const;
  return new Map(await Promise.all(files.map((one) => read(path.join(one.parentPath, one.name)))));
}

/** Writes files in one go, so that no folder is made again while it is being removed. */
export function writeFiles(folder: string, files: Files): void {
  const contents = Array.from(
    files,
    ([name, content]) => [path.join(folder, name), content] as const,
  );
  const folders = new Set([folder, ...contents.map(([file]) => path.dirname(file))]);
  for (const one of folders) mkdirSync(one, { recursive: true });
  for (const [file, content] of contents) writeFileSync(file, content);
}
