import { isSha, type Sha } from '../../contract/commit.ts';
import { asObject, firstString, type JsonObject } from '../json.ts';
import { type PullRequest, readPullRequest } from '../pull-request.ts';
import { type EventTraits, traitsOf } from './table.ts';

/** The completed run in the payload of `workflow_run`. */
export interface EndedRun {
  /** The event that started it. */
  cause: string;
  /** What is known of that event; undefined if it is unknown, or another `workflow_run`. */
  traits: EventTraits | undefined;
  /** The commit that it ran for. */
  sha: Sha | undefined;
  /** GitHub's number of the repository of that commit; undefined if that is gone. */
  headRepository: number | undefined;
  /** GitHub's number of the repository in which it ran. */
  repository: number | undefined;
  /** The branch of that commit, if the payload has it. */
  branch: string | undefined;
  /** The owner of the repository of that commit; undefined if that is gone. */
  headOwner: string | undefined;
  isOnDefaultBranch: boolean;
  /** The number of the pull request that ran, if it is listed. */
  pullRequest: number | undefined;
}

type Sides = Pick<EndedRun, 'sha' | 'headRepository' | 'repository'>;

function idOf(repository: unknown): number | undefined {
  const id = asObject(repository)?.['id'];
  return typeof id === 'number' ? id : undefined;
}

/**
 * True if a pull request is the one that ran: its head and both of its repositories are the run's. The number alone is
 * not enough, because GitHub lists pull requests of other repositories too; nor is the commit, which forks share.
 */
export function isOfRun(
  { sha: commit, headRepository, repository }: Sides,
  one: PullRequest,
): boolean {
  return (
    commit !== undefined &&
    headRepository !== undefined &&
    repository !== undefined &&
    one.sha === commit &&
    one.headRepository === headRepository &&
    one.baseRepository === repository
  );
}

/** The owner in a repository's full name. */
function ownerOf(repository: unknown): string | undefined {
  const [owner = '', ...others] =
    firstString(asObject(repository), ['full_name'])?.split('/') ?? [];
  return owner === '' || others.length === 0 ? undefined : owner;
}

function findListed(run: JsonObject | undefined, sides: Sides): number | undefined {
  const listed: unknown = run?.['pull_requests'];
  const all = Array.isArray(listed) ? listed.map(readPullRequest) : [];
  return all.find((one) => one !== undefined && isOfRun(sides, one))?.number;
}

/** Reads the payload of a `workflow_run`. */
export function readEndedRun(payload: JsonObject): EndedRun {
  const run = asObject(payload['workflow_run']);
  const cause = firstString(run, ['event']) ?? '';
  const branch = firstString(run, ['head_branch']);
  const head = run?.['head_sha'];
  const sides: Sides = {
    sha: isSha(head) ? head : undefined,
    headRepository: idOf(run?.['head_repository']),
    repository: idOf(run?.['repository']),
  };
  return {
    ...sides,
    cause,
    branch,
    headOwner: ownerOf(run?.['head_repository']),
    // An empty cause is a missing one, not the empty event name that stands for runs outside GitHub.
    traits: cause === '' ? undefined : traitsOf(cause),
    isOnDefaultBranch:
      branch !== undefined &&
      branch === firstString(asObject(payload['repository']), ['default_branch']),
    pullRequest: findListed(run, sides),
  };
}
