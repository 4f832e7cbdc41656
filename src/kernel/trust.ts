import {
  type EventTraits,
  readEndedRun,
  type StarterKind,
  traitsOf,
  type WorkflowEvent,
} from './event.ts';
import { asObject, firstString, type JsonObject } from './json.ts';
import type { SkipReason } from './skip-reason.ts';

/** Who may have started a run. */
type Starter =
  | { kind: Exclude<StarterKind, 'proposer' | 'speaker'> }
  /** `association` is GitHub's `author_association`, such as `MEMBER`; `NONE` if the payload has none. */
  | { kind: 'proposer' | 'speaker'; association: string };

/**
 * Whose code a run is about: `merged` is on a branch of the repository, or was requested manually; `own-branch` is
 * proposed from a branch of the repository, to which only its writers push; `unknown` may be anyone's.
 */
export type CodeTrust = 'merged' | 'own-branch' | 'unknown';

/** How far a run can be trusted. Every decision that depends on who started it uses this. */
export interface Trust {
  starter: Starter;
  code: CodeTrust;
  /** Why GitHub gives the run no secrets; undefined if it gives them. */
  withheld: Extract<SkipReason, 'fork' | 'dependabot'> | undefined;
  /** True if only the repository's writers can have caused the run and written its workspace. */
  isOfWriters: boolean;
}

/** True if a pull request's branch is one of the repository itself. */
function isOwnBranch(payload: JsonObject): boolean {
  const pullRequest = asObject(payload['pull_request']);
  const repositoryOf = (side: string) =>
    firstString(asObject(asObject(pullRequest?.[side])?.['repo']), ['full_name']);
  const head = repositoryOf('head');
  return head !== undefined && head === repositoryOf('base');
}

/** The facts that decide a run's trust. */
interface EventFacts {
  /** What is known of the event that caused it. */
  traits: EventTraits | undefined;
  starter: Starter;
  code: CodeTrust;
}

function factsOf({ name, payload }: WorkflowEvent): EventFacts {
  const traits = traitsOf(name);
  if (traits === undefined) return { traits, starter: { kind: 'anybody' }, code: 'unknown' };
  const proposed = traits.isPullRequest && isOwnBranch(payload) ? 'own-branch' : 'unknown';
  const code = traits.isMerged ? 'merged' : proposed;
  if (!('written' in traits)) return { traits, starter: { kind: traits.starter }, code };
  const author = firstString(asObject(payload[traits.written]), ['author_association']);
  return { traits, starter: { kind: traits.starter, association: author ?? 'NONE' }, code };
}

/** The starter of a `workflow_run`: the payload has the event of the completed run, but no association. */
function starterAfter(traits: EventTraits | undefined): Starter {
  if (traits === undefined || traits.starter === 'speaker') return { kind: 'anybody' };
  if (traits.starter === 'proposer') return { kind: 'proposer', association: 'NONE' };
  return { kind: traits.starter };
}

function factsAfterRun(payload: JsonObject): EventFacts {
  const { traits, headRepository, repository, ...run } = readEndedRun(payload);
  const isProposed = run.pullRequest !== undefined && !run.isOnDefaultBranch;
  const isOwn = headRepository !== undefined && headRepository === repository;
  const proposed = isOwn && (traits?.isPullRequest || isProposed) ? 'own-branch' : 'unknown';
  const code = traits?.isMerged && !isProposed ? 'merged' : proposed;
  return { traits, starter: starterAfter(traits), code };
}

function whyWithheld({ name, payload, actor }: WorkflowEvent): Trust['withheld'] {
  if (actor === 'dependabot[bot]') return 'dependabot';
  const mayBeFork = traitsOf(name)?.withholdsSecrets && asObject(payload['pull_request']);
  return mayBeFork && !isOwnBranch(payload) ? 'fork' : undefined;
}

/** How far a run of this event can be trusted. */
export function trustIn(event: WorkflowEvent): Trust {
  const { traits, starter, code } =
    event.name === 'workflow_run' ? factsAfterRun(event.payload) : factsOf(event);
  // An event that also runs for forks with secrets counts as theirs, whatever branch a single run is about.
  const isOwnProposal = starter.kind === 'proposer' && traits?.withholdsSecrets === true;
  return {
    starter,
    code,
    withheld: whyWithheld(event),
    isOfWriters: starter.kind === 'writer' || (isOwnProposal && code === 'own-branch'),
  };
}

/**
 * True if a run may save a ledger, which decides what later runs skip: it has secrets, and deploys code of the
 * repository's writers. Any other run at most reads the ledger.
 */
export function maySaveLedger({ withheld, code }: Trust): boolean {
  return withheld === undefined && code !== 'unknown';
}
