import { type SafeText, unsafeText } from '../../kernel/text/safe.ts';
import { faultOf, isPassing } from '../model/fault.ts';
import {
  GitFailure,
  type GitTrouble,
  type ProjectTrouble,
  type RemoteFailure,
} from '../model/git-failure.ts';
import { redirectTarget } from '../model/git-url.ts';
import { readReference, readReferences } from '../result.ts';
import type { Remote, Settings } from './process.ts';
import type { RemoteCommand, RemoteResult, Scratch, Tools } from './scratch.ts';

/** The number of attempts, the first included. */
export const tries = 4;

/** Waits before the next attempt: at least half of one second, doubled after each failure. */
export async function pauseAfter(failures: number, detail: SafeText, tools: Tools): Promise<void> {
  const { clock, random, report, signal } = tools;
  const pause = 1000 * 2 ** (failures - 1) * (0.5 + random() / 2);
  report({ step: 'again', pause, detail });
  await clock.sleep(pause, signal);
}

/** A git command for a remote, and the error if it fails. */
interface Request extends RemoteCommand {
  readonly remote: Remote;
  /** The commit to fetch, if any. */
  readonly requested?: string | undefined;
  readonly trouble: (failure: RemoteFailure) => GitTrouble;
}

/**
 * Why a git command for a remote failed.
 *
 * @param requested the requested commit, if any
 */
export function readFailure(
  result: RemoteResult,
  { url, protocol }: Remote,
  { clean, environment }: Pick<Tools, 'clean' | 'environment'>,
  requested?: string,
): RemoteFailure {
  // In the order in which git and curl read them.
  const own = protocol === 'https' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy'];
  const proxyVariable = [...own, 'all_proxy', 'ALL_PROXY'].find((name) => environment[name]);
  const target = redirectTarget(url, result.location ?? '') ?? '';
  const shown = clean(target);
  return {
    fault: faultOf(result, requested),
    detail: clean(result.detail),
    // Redacted or cut, it is not the address.
    target: target !== '' && shown === target ? shown : undefined,
    proxyVariable: proxyVariable === undefined ? undefined : unsafeText(proxyVariable),
  };
}

/** Runs a command, with retries. @throws a {@link GitFailure} if it is refused, or all attempts fail */
async function runWithRetries(
  scratch: Scratch,
  tools: Tools,
  request: Request,
): Promise<RemoteResult> {
  for (let failures = 1; ; failures += 1) {
    const result = await scratch.runRemote(request.remote, request);
    if (result.status === 0) return result;
    const failure = readFailure(result, request.remote, tools, request.requested);
    if (!isPassing(failure.fault) || failures === tries)
      throw new GitFailure(request.trouble(failure));
    await pauseAfter(failures, failure.detail, tools);
  }
}

/** A fault of the project's repository, not of the workspace. */
export const projectTrouble = (failure: RemoteFailure): ProjectTrouble => ({
  kind: 'project',
  ...failure,
});

/** Reads a branch's head; null if there is no such branch. */
export async function readHead(
  scratch: Scratch,
  tools: Tools,
  remote: Remote,
  reference: string,
): Promise<string | null> {
  tools.report({ step: 'read-branch' });
  const args = ['ls-remote', '--quiet', remote.name, reference];
  const result = await runWithRetries(scratch, tools, { remote, args, trouble: projectTrouble });
  const head = readReference(result.output, reference);
  if (head?.length === 64) throw new GitFailure({ kind: 'other-hash' });
  return head;
}

/** Lists all references of the project's repository, by full name. */
export async function listReferences(
  scratch: Scratch,
  tools: Tools,
  remote: Remote,
): Promise<Map<string, string>> {
  const args = ['ls-remote', '--quiet', remote.name];
  const result = await runWithRetries(scratch, tools, { remote, args, trouble: projectTrouble });
  return readReferences(result.output);
}

interface Fetch {
  readonly remote: Remote;
  readonly commits: readonly string[];
  /** True: without trees and files, if the server supports that. */
  readonly onlyHistory?: boolean;
  /** The number of generations to fetch; absent: all. */
  readonly depth?: number | undefined;
  readonly trouble: Request['trouble'];
}

/** Fetches commits into the scratch repository, without updating any reference. */
export async function fetchCommits(
  scratch: Scratch,
  tools: Tools,
  { remote, commits, onlyHistory = false, depth, trouble }: Fetch,
): Promise<void> {
  const args = [
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
    '--no-recurse-submodules',
  ];
  if (depth !== undefined) args.push(`--depth=${depth}`);
  args.push('--stdin', remote.name);
  // As an argument, a filter would be stored in the repository's settings, and missing objects would be fetched later by
  // processes that must not access the network.
  const filter: Settings = {
    [`remote.${remote.name}.promisor`]: 'true',
    [`remote.${remote.name}.partialCloneFilter`]: 'tree:0',
  };
  await runWithRetries(scratch, tools, {
    remote,
    args,
    settings: onlyHistory ? filter : {},
    input: commits.map((commit) => `${commit}\n`).join(''),
    requested: commits[0],
    trouble,
  });
}
