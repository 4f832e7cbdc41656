import { forFreeText, type SafeText } from '../../kernel/text/safe.ts';
import { faultOf, type GitFault, isPassing } from '../model/fault.ts';
import { GitFailure, type GitTrouble } from '../model/git-failure.ts';
import { readReference, readReferences } from '../model/push-result.ts';
import type { Remote, Settings } from './git-environment.ts';
import type { Tools } from './request.ts';
import type { Answer, Question, Scratch } from './scratch.ts';

/** How often something is tried in all. */
export const tries = 4;
const firstPause = 1000;

/** Waits before the next try: a second, doubled each time, of which half and more. */
export async function pauseAfter(failures: number, words: SafeText, tools: Tools): Promise<void> {
  const { clock, random, report, signal } = tools;
  const pause = firstPause * 2 ** (failures - 1) * (0.5 + random() / 2);
  report({ step: 'again', pause, words });
  await clock.sleep(pause, signal);
}

/** What is asked of a repository, and what it means that there is no answer. */
interface Request extends Question {
  readonly remote: Remote;
  /** The commit that is asked for, if one is. */
  readonly wanted?: string;
  readonly trouble: (fault: GitFault, words: SafeText) => GitTrouble;
}

/** Asks a repository until it answers. @throws a {@link GitFailure} if it says no, or does not answer */
async function ask(scratch: Scratch, tools: Tools, request: Request): Promise<Answer> {
  for (let failures = 1; ; failures += 1) {
    const answer = await scratch.talk(request.remote, request);
    if (answer.status === 0) return answer;
    const fault = faultOf(answer, request.wanted);
    const words = forFreeText(tools.clean)(answer.words);
    if (!isPassing(fault) || failures === tries)
      throw new GitFailure(request.trouble(fault, words));
    await pauseAfter(failures, words, tools);
  }
}

/** What it means that the project's repository does not answer. */
export const projectTrouble = (
  fault: GitFault,
  words: SafeText,
): Extract<GitTrouble, { kind: 'project' }> => ({ kind: 'project', fault, words });

/** Looks at a branch. @returns its head, or null if there is no such branch */
export async function look(
  scratch: Scratch,
  tools: Tools,
  remote: Remote,
  reference: string,
): Promise<string | null> {
  tools.report({ step: 'look' });
  const args = ['ls-remote', '--quiet', remote.name, reference];
  const answer = await ask(scratch, tools, { remote, args, trouble: projectTrouble });
  const head = readReference(answer.output, reference);
  if (head?.length === 64) throw new GitFailure({ kind: 'other-hash' });
  return head;
}

/** Lists all references of the project's repository, by their whole names. */
export async function listReferences(
  scratch: Scratch,
  tools: Tools,
  remote: Remote,
): Promise<Map<string, string>> {
  const args = ['ls-remote', '--quiet', remote.name];
  const answer = await ask(scratch, tools, { remote, args, trouble: projectTrouble });
  return readReferences(answer.output);
}

/** What is fetched, and how much of it. */
export interface Fetch {
  readonly remote: Remote;
  readonly commits: readonly string[];
  /** Of these commits and their ancestors, only the commits themselves, where the other side can do that. */
  readonly onlyHistory?: boolean;
  /** How many generations of commits are fetched; all if absent. */
  readonly depth?: number;
  readonly trouble: Request['trouble'];
}

const plainFetch = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--no-recurse-submodules',
];

/**
 * A filter given as an argument would be written into the repository's settings, and whatever is missing would be
 * fetched later, by processes that must not talk to that side. Given so, it holds for one process.
 */
const onlyCommits = ({ name }: Remote): Settings => ({
  [`remote.${name}.promisor`]: 'true',
  [`remote.${name}.partialCloneFilter`]: 'tree:0',
});

/** Fetches commits. Nothing is updated but what lies in the repository. */
export async function fetchCommits(
  scratch: Scratch,
  tools: Tools,
  { remote, commits, onlyHistory = false, depth, trouble }: Fetch,
): Promise<void> {
  const bounds = depth === undefined ? [] : [`--depth=${depth}`];
  const args = [...plainFetch, ...bounds, '--stdin', remote.name];
  await ask(scratch, tools, {
    remote,
    args,
    settings: onlyHistory ? onlyCommits(remote) : {},
    input: commits.map((commit) => `${commit}\n`).join(''),
    ...(commits[0] !== undefined && { wanted: commits[0] }),
    trouble,
  });
}
