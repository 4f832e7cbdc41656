import { mkdir, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { git } from '../git/git.ts';
import { isWithin } from '../runner/within.ts';
import type { Checkout } from './play-options.ts';

/** Where a checkout takes a repository from. */
export type Source = {
  /** The base URL of the stand-in for GitHub. */
  url: string;
  repository: string;
};

/**
 * Plays `actions/checkout`: fetches a commit by HTTP with the job's token, so that its permissions count.
 * @throws why it cannot, as git says it
 */
export async function checkOut(
  { workspace, inputs, token, sha, ref }: Checkout,
  { url, repository }: Source,
): Promise<void> {
  const wanted = inputs['repository'] ?? '';
  if (wanted !== '' && wanted !== repository) {
    throw new Error(`repository: ${wanted} is not here; only ${repository} is`);
  }
  const folder = resolve(workspace, inputs['path'] ?? '.');
  if (!isWithin(workspace, folder)) throw new Error('path: must be in the workspace');
  await mkdir(folder, { recursive: true });
  await rm(resolve(folder, '.git'), { recursive: true, force: true });
  const run = (...args: string[]) => git(['-C', folder, ...args]);
  await run('init', '--quiet', '--initial-branch=main');
  await run('remote', 'add', 'origin', `${url}/${repository}`);
  const credentials = Buffer.from(`x-access-token:${token}`).toString('base64');
  const key = `http.${url}/.extraheader`;
  await run('config', key, `AUTHORIZATION: basic ${credentials}`);
  const depth = inputs['fetch-depth'] ?? '1';
  const isWhole = depth === '0';
  const extent = isWhole ? [] : [`--depth=${Number.parseInt(depth, 10)}`];
  const all = isWhole ? ['+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*'] : [];
  const named = inputs['ref'] || sha;
  const fetching = ['fetch', '--quiet', '--no-tags', ...extent, '--', 'origin', named, ...all];
  await run(...fetching).catch((error: unknown) => {
    throw new Error(`can't fetch ${named}: ${reasonIn(error)}`);
  });
  const branch = /^refs\/heads\/(.+)$/.exec(inputs['ref'] || ref)?.[1];
  const place = branch === undefined ? ['--detach'] : ['-B', branch];
  await run('checkout', '--quiet', '--force', ...place, 'FETCH_HEAD');
  if (inputs['persist-credentials'] === 'false') await run('config', '--unset-all', key);
}

/** The last line that git wrote. */
function reasonIn(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
  return text.trim().split('\n').at(-1) ?? '';
}
