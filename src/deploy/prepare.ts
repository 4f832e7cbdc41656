import { checksRequest } from '../checks/read-checks.ts';
import {
  type CommitInPart,
  isWhole,
  type RunCommit,
  type Sha,
  unknownCommit,
} from '../contract/commit.ts';
import type { Declared } from '../declared/declared.ts';
import { readService } from '../follow/model/service.ts';
import { entries, type Preflight, type Prepared, type Wrong } from '../frame/action.ts';
import { proxyProblems } from '../frame/first-request.ts';
import {
  branchDeleted,
  closedSkip,
  missingKey,
  type Skip,
  supersededSkip,
  whyNotToStart,
} from '../frame/skip.ts';
import type { Step } from '../frame/step.ts';
import { targetFor } from '../frame/target.ts';
import type { Values } from '../inputs.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import type { PullRequest, QueriedSource, RunEvent } from '../kernel/event.ts';
import { previewName, templateProblems } from '../previews/read-preview.ts';
import { readPush } from '../push/read-push.ts';
import type { RecordingFacts } from './plan-recording.ts';
import { queryProblems, queryPullRequest } from './query-pull-request.ts';
import { gateProblems, maySweep, rollBackProblems } from './read-gates.ts';
import { planWork, type StepWork } from './work.ts';

/** Why the step has nothing to do, or may not do it: for who started it, without a key, or without a commit. */
function whyNotToDeploy(step: Step<'deploy'>): Skip | undefined {
  const { inputs, context } = step;
  const allowed = inputs.get('allowed-associations');
  const skip =
    allowed === undefined
      ? missingKey(step)
      : whyNotToStart(step, { allowed, checksProposers: false });
  if (skip !== undefined) return skip;
  const { commit: source } = context.event;
  const isDeleted = source.kind === 'skip' && source.reason === 'branch-deleted';
  return isDeleted && inputs.get('commit-sha') === undefined ? branchDeleted : undefined;
}

/** What is wrong with inputs that are right each by itself, and with the environment that they meet. */
const crossProblems = (step: Step<'deploy'>): Problem[] => [
  ...readService(step.inputs.get('service')).problems,
  ...proxyProblems(step),
  ...gateProblems(step.inputs),
];

/** The commit of the event; undefined if it has none, which is a problem. */
function commitOfEvent(
  { commit: source }: RunEvent,
  pullRequest: PullRequest | undefined,
  problems: Problem[],
): RunCommit | undefined {
  if (source.kind === 'commit') return source.sha;
  // An explanation has not read the pull request.
  if (source.kind === 'pull-request') return pullRequest?.sha ?? unknownCommit;
  if (source.kind === 'skip') return pullRequest?.sha ?? null;
  problems.push({ input: 'commit-sha', code: 'SD1109', message: source.message });
  return undefined;
}

/**
 * The commit to deploy, or whose preview is ended.
 *
 * @param found what the input names, where only GitHub knows that
 * @param problems takes why it is not known
 * @returns undefined if it is not known
 */
const commitFor = (
  { inputs, context }: Step<'deploy'>,
  pullRequest: PullRequest | undefined,
  found: Sha | undefined,
  problems: Problem[],
): RunCommit | undefined =>
  inputs.with(['commit-sha', 'deploy'], ({ 'commit-sha': given, deploy }) => {
    const isClosed = pullRequest?.isOpen === false;
    if (given !== undefined && !isWhole(given)) {
      // It is not looked up yet, or not at all: a preview is ended without it.
      return found ?? (isClosed ? (pullRequest.sha ?? null) : unknownCommit);
    }
    if (given !== undefined) return given;
    return !deploy && !isClosed ? null : commitOfEvent(context.event, pullRequest, problems);
  });

/** What is wrong with the form of inputs that are given: no event makes it right. */
const formProblems = ({ inputs }: Step<'deploy'>): Problem[] =>
  inputs.problems.filter(({ code }) => code !== 'SD1001');

/** True if the preview of a closed pull request need not be ended: such runs have none. */
const hasNoPreview = ({ inputs }: Step<'deploy'>): boolean =>
  inputs.with(['preview-domain'], (values) => values['preview-domain'] === undefined) === true;

/** The commit that only GitHub knows; undefined if the input names one, or the run only explains. */
function commitToFind({ 'commit-sha': given, mode }: Values<'deploy'>) {
  return given === undefined || isWhole(given) || mode === 'explain' ? undefined : given;
}

/** Why such a commit can't be looked up. */
function searchProblems({ inputs }: Step<'deploy'>): Problem[] {
  const problems = inputs.with(['commit-sha', 'github-token'], (values): Problem[] => {
    const { 'commit-sha': given, 'github-token': token = '' } = values;
    if (given === undefined || isWhole(given) || token !== '') return [];
    const message = "can't be resolved, because github-token is empty: use all 40 hex digits";
    return [{ input: 'commit-sha', code: 'SD1121', message }];
  });
  return problems ?? [];
}

/** Looks the commit up on GitHub, and plans the work with it. */
async function prepareFound(
  { given, facts, signal }: { given: CommitInPart; facts: RecordingFacts; signal: AbortSignal },
  prepare: (found: Sha) => Promise<Prepared<StepWork>>,
): Promise<Prepared<StepWork>> {
  const { findGivenCommit } = await import('./given-commit.ts');
  const answer = await findGivenCommit(given, facts, signal);
  if ('problem' in answer) return { kind: 'problems', problems: [answer.problem] };
  const prepared = await prepare(answer.commit);
  if (prepared.kind !== 'work') return prepared;
  const word = given === 'PREVIOUS' ? given : given.digits;
  const which = entries('line', [`commit-sha: ${word} is ${answer.commit}`]);
  return { ...prepared, logEntries: [...which, ...prepared.logEntries] };
}

const noPullRequest: Problem = {
  input: 'GITHUB_EVENT_PATH',
  code: 'SD1110',
  message: "the event's payload does not contain the pull request",
};

const noPlaceForComment: Problem = {
  input: 'comment',
  code: 'SD1103',
  message: 'true needs a pull request: use auto',
};

/** What is known of a run before GitHub is queried. */
type BeforeQuery =
  /** The result of the run is known. */
  | { kind: 'ended'; prepared: Skip | Wrong }
  /** The pull request is known, or the event has none. */
  | { kind: 'known'; pullRequest: PullRequest | undefined }
  | { kind: 'asked'; source: QueriedSource };

/**
 * Prepares a run without a request. Problems that do not depend on GitHub's response are reported at once.
 */
export async function prepareBeforeQuery(
  step: Step<'deploy'>,
  declared: Declared,
  preflight: Preflight,
): Promise<BeforeQuery> {
  const skip = whyNotToDeploy(step);
  if (skip !== undefined) return { kind: 'ended', prepared: skip };
  const { event } = step.context;
  const { pullRequest: source } = event;
  if (source === undefined || source.kind === 'missing') {
    return { kind: 'known', pullRequest: undefined };
  }
  if (source.kind === 'known') return source;
  if (source.kind === 'gone') return { kind: 'ended', prepared: supersededSkip };
  const wrong = [...formProblems(step), ...templateProblems(step), ...queryProblems(step)];
  if (wrong.length === 0) return { kind: 'asked', source };
  const [assumed] = (await import('./assumed.ts')).possiblePullRequests(source, event);
  const judged = await prepareFor(step, declared, preflight, assumed?.pullRequest);
  const others = judged.kind === 'problems' ? judged.problems : step.inputs.problems;
  const problems = [...others, ...queryProblems(step)];
  return { kind: 'ended', prepared: { kind: 'problems', problems } };
}

/** Reads the inputs for a run of this pull request, or of none, and collects all that is wrong. */
async function judge(
  step: Step<'deploy'>,
  declared: Declared,
  pullRequest: PullRequest | undefined,
  found: Sha | undefined,
) {
  const { inputs, context } = step;
  const problems = [...declared.problems, ...crossProblems(step)];
  const isMissing = pullRequest === undefined;
  if (context.event.pullRequest?.kind === 'missing') problems.push(noPullRequest);
  const commit = commitFor(step, pullRequest, found, problems);
  const name = previewName(step, pullRequest, commit, problems);
  const placeholders = { commit, hostname: name?.hostname };
  const checks = checksRequest(step, declared.checks, placeholders, problems);
  problems.push(...rollBackProblems(step, { isChecked: checks !== undefined, commit }));
  const onlyWatches = inputs.get('deploy') === false && checks !== undefined;
  const declaresNone = declared.variables.length === 0 && declared.removals.size === 0;
  const needsNone = declaresNone && (maySweep(step) || onlyWatches);
  const target = targetFor(inputs, pullRequest, needsNone, problems);
  if (isMissing && inputs.get('comment') === 'true') problems.push(noPlaceForComment);
  const pushing = readPush(step, { target, commit, isAboutPullRequest: !isMissing }, problems);
  if (pullRequest?.isOpen !== false) problems.push(...searchProblems(step));
  return { commit, name, target, checks, pushing, problems };
}

/**
 * Plans the work of a run of this pull request, or of none. All that is wrong is collected first; the service gets no
 * request.
 *
 * @param found the commit that `commit-sha` names, once GitHub was queried
 */
export async function prepareFor(
  step: Step<'deploy'>,
  declared: Declared,
  preflight: Preflight,
  pullRequest: PullRequest | undefined,
  found?: Sha,
): Promise<Prepared<StepWork>> {
  const { inputs, context } = step;
  const isClosed = pullRequest?.isOpen === false;
  if (isClosed && hasNoPreview(step) && formProblems(step).length === 0) return closedSkip;
  const { problems, commit, target, ...rest } = await judge(step, declared, pullRequest, found);
  const { values } = inputs;
  const isComplete = values !== undefined && commit !== undefined && target !== undefined;
  if (!isComplete || problems.length > 0) {
    return { kind: 'problems', problems: [...inputs.problems, ...problems] };
  }
  const given = found === undefined && !isClosed ? commitToFind(values) : undefined;
  if (given !== undefined) {
    const search = {
      given,
      facts: { values, context, pullRequest, target },
      signal: preflight.signal,
    };
    return await prepareFound(search, (sha) =>
      prepareFor(step, declared, preflight, pullRequest, sha),
    );
  }
  const facts = { values, pullRequest, commit, target, ...rest };
  return planWork(step, facts, declared, preflight);
}

/** Plans a run from its inputs, its event and GitHub. */
export async function prepareDeploy(
  step: Step<'deploy'>,
  declared: Declared,
  preflight: Preflight,
): Promise<Prepared<StepWork>> {
  const before = await prepareBeforeQuery(step, declared, preflight);
  if (before.kind === 'ended') return before.prepared;
  if (before.kind === 'known') {
    return await prepareFor(step, declared, preflight, before.pullRequest);
  }
  const answer = await queryPullRequest(before.source, step, preflight);
  if ('problem' in answer) {
    return { kind: 'problems', problems: [answer.problem] };
  }
  if (answer.pullRequest === undefined) return supersededSkip;
  return await prepareFor(step, declared, preflight, answer.pullRequest);
}
