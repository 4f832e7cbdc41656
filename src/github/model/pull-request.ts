import { isSha } from '../../contract/commit.ts';
import type { PullRequest } from '../../kernel/event.ts';
import { asObject, firstString } from '../../kernel/json.ts';

/** Reads a pull request from GitHub's API or an event; undefined if a field is missing. */
export function readPullRequest(value: unknown): PullRequest | undefined {
  const object = asObject(value);
  const head = asObject(object?.['head']);
  const number = object?.['number'];
  const commit = head?.['sha'];
  const branch = firstString(head, ['ref']);
  if (typeof number !== 'number' || !isSha(commit) || branch === undefined) return undefined;
  const repositoryOf = (side: string) => asObject(asObject(object?.[side])?.['repo']);
  const nameOf = (side: string) => firstString(repositoryOf(side), ['full_name']);
  const idOf = (side: string) => {
    const id = repositoryOf(side)?.['id'];
    return typeof id === 'number' ? id : undefined;
  };
  return {
    number,
    branch,
    sha: commit,
    isOpen: object?.['state'] !== 'closed',
    isFork: nameOf('head') === undefined || nameOf('head') !== nameOf('base'),
    headRepository: idOf('head'),
    baseRepository: idOf('base'),
  };
}
