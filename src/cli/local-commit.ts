import { isSha, type Sha } from '../contract/commit.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import { usesOtherHash } from '../kernel/event.ts';
import { createRedact, createSanitize } from '../kernel/text/redact.ts';
import type { StepEnvironment } from '../platform.ts';
import { findObjects } from '../push/git/commit-source.ts';
import { Scratch } from '../push/git/scratch.ts';
import { GitFailure, lacks, wholeClone } from '../push/model/git-failure.ts';
import { systemClock } from '../service/clock.ts';
import { readDefaultHead } from './local-git.ts';

/** A clone in which a commit is searched for. */
interface Clone {
  /** The folder that contains `.git`; undefined if there is none. */
  root: string | undefined;
  /** The name of the default branch; undefined: the one that the clone has as such. */
  branch: string | undefined;
  /** A folder for temporary files. */
  temp: string;
  environment: StepEnvironment;
  signal: AbortSignal;
}

/** The commit, or why it is not known and what to do. */
type Found = { sha: Sha } | { why: string };

const useAll = 'Use all 40 hex digits';

/**
 * The commit that digits name. Other objects that begin with them only make them ambiguous: the commit counts if it is in
 * a copy of the branch's history, whose ids were computed again.
 */
async function search(digits: string, { root = '', branch, ...around }: Clone): Promise<Found> {
  const objects = await findObjects(root);
  if ('lack' in objects) {
    const { lack } = objects;
    if (lack === 'other-hash') return { why: `can't be resolved: ${usesOtherHash}` };
    // All digits need a clone, too, if nothing is here.
    const other = lack === 'nothing' ? '' : ', or use all 40 hex digits';
    return { why: `can't be resolved: ${lacks[lack]}. ${wholeClone[lack]}${other}` };
  }
  const head = await readDefaultHead(root, branch);
  if (head === undefined) {
    return {
      why: `can't be resolved: the clone's default branch is unknown or was not fetched. Fetch it, and run git remote set-head origin --auto. ${useAll}`,
    };
  }
  const tools = {
    ...around,
    clock: systemClock,
    random: Math.random,
    clean: createSanitize(createRedact([])),
    report: () => undefined,
  };
  await using scratch = await Scratch.create(tools, around.temp);
  await scratch.borrow(objects.folder);
  const sha = await scratch.findCommit(digits);
  await scratch.stopBorrowing();
  const isFound =
    isSha(sha) &&
    sha.startsWith(digits) &&
    (await scratch.copyHistory(objects.folder, head)) &&
    (await scratch.isAncestor(sha, head));
  if (isFound) return { sha };
  return { why: `matches no fetched commit of the default branch, or several commits. ${useAll}` };
}

/**
 * The commit of the clone's default branch that the input `commit-sha` names by its first digits.
 *
 * @returns nothing if the input has another form
 */
export async function resolveDigits(
  text: string | undefined,
  clone: Clone,
): Promise<{ sha?: Sha; problems: Problem[] }> {
  const digits = text?.trim().toLowerCase() ?? '';
  if (!/^[0-9a-f]{7,39}$/.test(digits)) return { problems: [] };
  const found = await search(digits, clone).catch((error: unknown): Found => {
    if (!(error instanceof GitFailure)) throw error;
    return { why: `can't be resolved: git is missing, too old or failed. ${useAll}` };
  });
  if ('sha' in found) return { ...found, problems: [] };
  const message = `"${digits}" ${found.why}`;
  return { problems: [{ input: 'commit-sha', code: 'SD1121', message }] };
}
