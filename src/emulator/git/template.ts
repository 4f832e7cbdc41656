import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises';
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

/** What git made of a template, by the template's folder: three processes are a high price for each project. */
const made = new Map<string, Promise<Files>>();

/**
 * Makes a bare repository with one commit on `main` that holds a template's files. They are read when a process
 * asks for them first.
 * @param signal nothing is written any more once it is aborted
 */
export async function createFromTemplate(
  folder: string,
  template: string,
  signal: AbortSignal,
): Promise<void> {
  const making = made.get(template) ?? make(template);
  made.set(template, making);
  making.catch(() => made.delete(template));
  const files = await making;
  // In one go, so that the folder is not made again while it is being removed.
  signal.throwIfAborted();
  for (const [name, content] of files) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

async function make(template: string): Promise<Files> {
  await using work = await mkdtempDisposable(path.join(tmpdir(), 'site-template-'));
  const folder = work.path;
  await git(['init', '--quiet', '--bare', '--template=', '--initial-branch=main', folder]);
  const inTemplate = [`--git-dir=${folder}`, `--work-tree=${template}`];
  await git([...inTemplate, 'add', '--all']);
  const commit = ['commit', '--quiet', '--allow-empty', '--message=Start from the template'];
  await git([...inTemplate, ...commit], { env: author });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const read = async (file: string) => [path.relative(folder, file), await readFile(file)] as const;
  return new Map(await Promise.all(files.map((one) => read(path.join(one.parentPath, one.name)))));
}
