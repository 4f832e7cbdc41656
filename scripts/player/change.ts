import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from '../../emulator/git/git.ts';
import type { EmulatedProject } from '../../emulator/index.ts';

/** A commit that was pushed. */
export interface Change {
  sha: string;
  /** The commit and the files that it changes, as git shows them. */
  description: string;
}

/**
 * Clones a project, changes the headline of its page, commits, and pushes to a branch.
 *
 * @param remote where to: the project's own repository if absent
 */
export async function pushChange(
  project: EmulatedProject,
  headline: string,
  branch: string,
  remote = project.gitUrl,
): Promise<Change> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'site-deploy-change-'));
  const inClone = (...args: string[]) => git(['-C', folder.path, ...args]);
  await git(['clone', '--quiet', project.gitUrl, folder.path]);
  const page = join(folder.path, 'index.html');
  const before = await readFile(page, 'utf8');
  await writeFile(page, before.replace(/<h1>.*<\/h1>/, `<h1>${headline}</h1>`));
  const author = ['-c', 'user.name=Demo', '-c', 'user.email=demo@localhost'];
  await inClone(...author, 'commit', '--quiet', '--all', '--message', headline);
  await inClone('push', '--quiet', remote, `HEAD:refs/heads/${branch}`);
  return {
    sha: await inClone('rev-parse', 'HEAD'),
    description: await inClone('show', '--format=  commit %H%n  %s', '--stat', 'HEAD'),
  };
}
