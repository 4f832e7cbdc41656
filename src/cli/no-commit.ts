import { usesOtherHash } from '../kernel/event.ts';
import type { Build } from './ci.ts';
import { type CommitLack, readCommitLack } from './local-git.ts';

const orHead = "or set commit-sha to HEAD to deploy what the project's repository has";

/** What is wrong with a folder, and what to do, as a sentence about the input `commit-sha`. */
const messages: Readonly<Record<CommitLack, string>> = {
  'no-repository': `there is no git repository in this folder. Run the command in a clone, ${orHead}`,
  bare: `this is a bare repository. Run the command in a clone of it, ${orHead}`,
  'other-hash': usesOtherHash,
  'no-commit': `the branch has no commit yet. Commit your files first, ${orHead}`,
  unreadable:
    "HEAD of this repository can't be read. Set commit-sha to the 40 hex digits that `git rev-parse HEAD` prints",
};

const noHead =
  "the CI doesn't report the head of the pull request. Set commit-sha to the 40 hex digits of that commit";

const noHeadHere =
  'the head of the pull request is not known here. Run the command in a clone, and set commit-sha to the 40 hex digits of that commit';

/**
 * Why the commit of a build is not known, and what to do.
 *
 * @param found the commit that is checked out in the folder
 */
export async function describeNoCommit(
  { pullRequest }: Build,
  folder: string,
  found: string | undefined,
): Promise<string> {
  const lack = found === undefined ? await readCommitLack(folder) : undefined;
  // What is checked out for a fork's pull request may be a merge commit.
  const isOfFolder = lack === 'other-hash' || pullRequest?.isFork !== true;
  if (lack !== undefined && isOfFolder) return messages[lack];
  return lack === 'no-repository' ? noHeadHere : noHead;
}
