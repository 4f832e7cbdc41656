import { readChecks } from '../checks/read-checks.ts';
import { isWhole, type Sha } from '../contract/commit.ts';
import type { Declared } from '../declared/declared.ts';
import { readService } from '../follow/model/service.ts';
import { proxyProblems } from '../http/proxies.ts';
import { type Problem, requiredAndEmpty } from '../kernel/diagnostic.ts';
import {
  isQueried,
  type KnownPull,
  type PullRequest,
  type QueriedSource,
  type RunEvent,
} from '../kernel/event.ts';
import { branchProblem } from '../push/intent.ts';
import { readPush } from '../push/read-push.ts';
import { type LogEntry, warningEntries } from '../report/log-entry.ts';
import { accessOf } from '../step/access.ts';
import { isRefused, missingKey, type Skip, whyNotToStart } from '../step/skip.ts';
import type { Preflight, Step } from '../step/step.ts';
import type { DeployValues } from './inputs.ts';
import {
  commitWarnings,
  type DeployTarget,
  doesSweep,
  type Job,
  type JobCommit,
  pullRequestOf,
  type Work,
} from './job.ts';
import { hasPreview, readPreview, templateProblems } from './previews/intent.ts';

/** Reads what a run is to do from its inputs, its event and GitHub. The service gets no request. */
export async function readJob(
  step: Step<DeployValues>,
  declared: Declared,
  preflight: Preflight,
): Promise<Job> {
  const first = jobOfEvent(step, declared);
  const job =
    first.kind === 'question' ? await jobOfQuestion(first, step, declared, preflight) : first;
  if (isRefused(job) || job.kind === 'end-preview' || job.commit.by !== 'part') return job;
  const { commit, pull } = job;
  const { findGivenCommit } = await import('./given-commit.ts');
  const answer = await findGivenCommit(commit.given, job, step.context, preflight.signal);
  return 'problem' in answer
    ? wrong([answer.problem])
    : jobFor(step, declared, pull, answer.commit);
}

/** A run that depends on a pull request which only GitHub knows. */
interface Question {
  kind: 'question';
  source: QueriedSource;
  /** What is known of it. */
  pull: Omit<KnownPull, 'isOpen'>;
  /** The job if GitHub has no such pull request. */
  without: Job;
}

/** What a run is to do, as far as its event shows. Nothing is requested. */
export function jobOfEvent(step: Step<DeployValues>, declared: Declared): Job | Question {
  const { inputs, context } = step;
  const skip = whyNotToDeploy(step);
  if (skip !== undefined) return skip;
  const { trust } = context.event;
  const source = pullRequestOf(inputs.values, context.event);
  if (source === undefined || source.kind === 'missing') return jobFor(step, declared, undefined);
  if (source.kind === 'known') return jobFor(step, declared, source.pullRequest);
  if (source.kind === 'gone') return supersededSkip;
  const pull = {
    number: source.kind === 'by-number' ? source.number : undefined,
    sha: source.head?.sha,
    branch: source.head?.branch,
    isFork: source.head && trust.code === 'unknown',
  };
  const canQuery = (inputs.get('github-token') ?? '') !== '';
  const mistakes = templateProblems(inputs.get('preview-domain'), true);
  if (canQuery && mistakes.length === 0 && !isMalformed(step)) {
    const isOfEvent = source === context.event.pullRequest;
    const without = isOfEvent ? supersededSkip : jobFor(step, declared, undefined);
    return { kind: 'question', source, pull, without };
  }
  const job = jobFor(step, declared, { ...pull, isOpen: true });
  const problems = job.kind === 'wrong' ? [...job.problems] : [];
  if (!canQuery) {
    const message = "is empty, so GitHub can't be queried";
    problems.push({ input: 'github-token', code: 'SD1111', message });
  }
  return wrong(problems);
}

const wrong = (problems: readonly Problem[]): Job => ({ kind: 'wrong', problems });

/** Why the step has nothing to do, or may not do it: for who started it, without a key, or without a commit. */
function whyNotToDeploy(step: Step<DeployValues>): Skip | undefined {
  const { inputs, context } = step;
  const allowed = inputs.get('allowed-associations');
  const skip =
    allowed === undefined
      ? missingKey(step)
      : whyNotToStart(step, { allowed, checksProposers: false });
  if (skip !== undefined) return skip;
  const { commit: source } = context.event;
  const isDeleted = source.kind === 'skip' && source.reason === 'branch-deleted';
  if (!isDeleted || inputs.get('commit-sha') !== undefined) return undefined;
  return {
    kind: 'skip',
    reason: 'branch-deleted',
    message: 'the branch, tag or release was removed: there is no commit to deploy',
  };
}

/** The run's commit is not the head of an open pull request anymore, or the branch is gone. */
const supersededSkip: Skip = {
  kind: 'skip',
  reason: 'no-open-pull-request',
  message:
    'this commit is not the head of a pull request anymore: a newer one was pushed, or the fork was deleted',
};

/** True if a given value is wrong: no event makes it right, as it may a value that is only missing. */
const isMalformed = ({ inputs }: Step<DeployValues>): boolean =>
  inputs.problems.some(({ code }) => code !== 'SD1001');

/** The job of a run whose pull request GitHub is queried for. */
async function jobOfQuestion(
  { source, without }: Question,
  step: Step<DeployValues>,
  declared: Declared,
  { signal }: Preflight,
): Promise<Job> {
  const access = accessOf({ 'github-token': step.inputs.get('github-token') }, step.context);
  let pull: PullRequest | undefined;
  try {
    // Loaded on demand: most events contain all of their pull request.
    const { findPullRequestOfBranch, getPullRequest, openOctokit } = await import(
      '../github/client.ts'
    );
    const octokit = await openOctokit(access, signal);
    const isRight = (found: PullRequest) => isQueried(source, found);
    if (source.kind === 'by-branch') {
      pull = await findPullRequestOfBranch(octokit, source, isRight);
    } else {
      const found = await getPullRequest(octokit, source.number);
      if (found && isRight(found)) pull = found;
    }
  } catch (error) {
    signal.throwIfAborted();
    // Reported as a problem of the token, with its own code.
    const { describeTrouble } = await import('../github/errors.ts');
    const { code, text } = describeTrouble('read the pull request', error, 'pull-requests: read');
    return wrong([{ input: 'github-token', code, message: text }]);
  }
  return pull === undefined ? without : jobFor(step, declared, pull);
}

/**
 * The job of a run about this pull request, or about none. Nothing is requested.
 *
 * @param found the commit that `commit-sha` names in part, once GitHub was searched
 */
export function jobFor(
  step: Step<DeployValues>,
  declared: Declared,
  pull: KnownPull | undefined,
  found?: Sha,
): Job {
  const { inputs, context } = step;
  const { values } = inputs;
  const { event } = context;
  const isAboutPull = pull !== undefined;
  const isClosed = pull?.isOpen === false;
  // Such a run has no preview to end, and needs no value for that.
  const hasTemplate = inputs.get('preview-domain') !== undefined;
  if (isClosed && !hasTemplate && !isMalformed(step)) return closedSkip;

  // First each value by itself, then values together, of which each is right.
  const invalid = valueProblems(step, declared, pull);
  if (values === undefined || invalid.length > 0) return wrong(invalid);
  const problems = gateProblems(values);
  const commit = readCommit(values, event, pull, found, problems);
  const preview = readPreview(values, context, { pull, commit: commit?.is }, problems);
  const checked = { trust: event.trust, commit: commit?.is, preview };
  const checks = readChecks(values, declared.checks, checked, problems);
  problems.push(...rollBackProblems(values, checks !== undefined));
  const declaresNone = declared.variables.length === 0 && declared.removals.size === 0;
  const onlyChecks = values.deploy === false && checks !== undefined;
  const mayBeNone = declaresNone && (doesSweep({ values, event }) || onlyChecks);
  const target = readTarget(values, event, { isAboutPull, mayBeNone }, problems);
  if (!isAboutPull && values.comment === 'true') {
    const message = 'true needs a pull request: use auto';
    problems.push({ input: 'comment', code: 'SD1103', message });
  }
  const isLeased = target?.kind === 'lease';
  const pushing = { isLeased, isAboutPull, isHead: commit?.is === 'HEAD' };
  const push = readPush(values, context, pushing, problems);
  if (commit?.by === 'part' && !isClosed && (values['github-token'] ?? '') === '') {
    const message = "can't be resolved, because github-token is empty: use all 40 hex digits";
    problems.push({ input: 'commit-sha', code: 'SD1121', message });
  }
  if (problems.length > 0 || !commit || !target || !push) return wrong(problems);

  const isPlan = values.mode === 'plan';
  const job = { values, event, pull, commit, target };
  if (isClosed && isPlan) return plannedCleanUp;
  if (isClosed) return preview ? { kind: 'end-preview', ...job, preview } : closedSkip;
  if (target.kind !== 'none') {
    return { kind: isPlan ? 'plan' : 'deploy', ...job, target, preview, push, checks };
  }
  return checks ? { kind: 'watch', ...job, checks } : { kind: 'sweep', ...job };
}

/** The pull request is closed, and `mode: plan` writes nothing. */
const plannedCleanUp: Skip = {
  kind: 'skip',
  reason: 'pull-request-closed',
  message: 'the pull request is closed; without mode: plan its preview would be removed',
};

/** The pull request is closed and has no preview. */
const closedSkip: Skip = {
  kind: 'skip',
  reason: 'pull-request-closed',
  message: 'the pull request is closed; without preview-domain there is nothing to clean up',
};

/** What is wrong with single values, whatever the others are. */
function valueProblems(
  step: Step<DeployValues>,
  declared: Declared,
  pull: KnownPull | undefined,
): Problem[] {
  const { inputs, context } = step;
  const template = inputs.get('preview-domain');
  const branch = inputs.get('git-branch');
  const problems = [...inputs.problems];
  for (const problem of declared.problems) problems.push(problem);
  problems.push(...readService(inputs.get('service')).problems, ...proxyProblems(step));
  if (context.event.pullRequest?.kind === 'missing') {
    const message = "the event's payload does not contain the pull request";
    problems.push({ input: 'GITHUB_EVENT_PATH', code: 'SD1110', message });
  }
  // One that needs a pull request is not used without.
  if (template !== undefined && hasPreview(template, pull)) {
    const isUnmerged = pull !== undefined || context.event.trust.code !== 'merged';
    problems.push(...templateProblems(template, isUnmerged));
  }
  const message = branch === undefined ? undefined : branchProblem(branch);
  if (message !== undefined) problems.push({ input: 'git-branch', code: 'SD1107', message });
  // All that is missing is told at once.
  const isIncomplete = problems.some(({ code }) => code === 'SD1001');
  const isGiven = (['project-id', 'preview-projects', 'preview-domain'] as const).some(
    (name) => inputs.get(name) !== undefined || problems.some(({ input }) => input === name),
  );
  if (isIncomplete && !isGiven && inputs.get('deploy') !== false) {
    problems.push({ input: 'project-id', code: 'SD1001', message: requiredAndEmpty });
  }
  return problems;
}

const refusal = (input: string, message: string): Problem => ({ input, code: 'SD1101', message });

const needsRecords = 'needs github-deployment: true';

/** What is wrong with the inputs that depend on earlier deployments. */
function gateProblems({
  deploy,
  'commit-sha': given,
  'github-deployment': isRecorded,
  'preview-idle': longestIdle,
}: DeployValues): Problem[] {
  const problems: Problem[] = [];
  if (longestIdle !== undefined && !isRecorded)
    problems.push(refusal('preview-idle', needsRecords));
  if (given === 'PREVIOUS' && !isRecorded) {
    problems.push(refusal('commit-sha', `PREVIOUS ${needsRecords}`));
  }
  if (deploy === 'if-needed' && !isRecorded) {
    problems.push(refusal('deploy', `if-needed ${needsRecords}`));
  }
  if (deploy === 'if-needed' && given === 'HEAD') {
    const message = 'if-needed needs a commit that GitHub knows, but commit-sha is HEAD';
    problems.push(refusal('deploy', message));
  }
  return problems;
}

/**
 * The commit to deploy, or whose preview is ended.
 *
 * @param found what `commit-sha` names in part, once GitHub was searched
 * @param problems takes why there is none
 */
function readCommit(
  { 'commit-sha': given, deploy }: DeployValues,
  { commit: source, pullRequest }: RunEvent,
  pull: KnownPull | undefined,
  found: Sha | undefined,
  problems: Problem[],
): JobCommit | undefined {
  const isClosed = pull?.isOpen === false;
  // What an event has all of, GitHub adds nothing to.
  const headOfPull = pull?.sha ?? (pullRequest?.kind === 'known' ? null : undefined);
  if (given !== undefined && isWhole(given)) return { by: 'input', is: given };
  // To end a preview, it is not searched.
  if (given !== undefined) return { by: 'part', given, is: isClosed ? headOfPull : found };
  if (!deploy && !isClosed) return { by: 'none', is: null };
  if (source.kind === 'commit') return { by: 'event', is: source.sha };
  if (source.kind === 'pull-request') return { by: source.kind, is: headOfPull };
  if (source.kind === 'skip') return { by: 'event', is: headOfPull };
  problems.push({ input: 'commit-sha', code: 'SD1109', message: source.message });
  return undefined;
}

/** What is wrong with `on-failed-checks: roll-back`, which needs checks, records, and a commit in them. */
function rollBackProblems(values: DeployValues, isChecked: boolean): Problem[] {
  const messages: string[] = [];
  if (values['on-failed-checks'] !== 'roll-back' || values.deploy === false) return [];
  if (!values['github-deployment']) messages.push(needsRecords);
  if (!isChecked) {
    messages.push('roll-back needs a check: set verify-url, or checks in the file of config');
  }
  if (values.wait === 'none') messages.push('roll-back needs a wait other than none');
  if (values['commit-sha'] === 'HEAD') {
    messages.push('roll-back needs a commit SHA, but commit-sha is HEAD: use 40 hex digits');
  }
  return messages.map((message) => refusal('on-failed-checks', message));
}

const withoutPull =
  'is empty, and preview-projects is only for pull requests: set project-id, or run this step only on pull requests';
const withoutPullOfBranch =
  'is empty, and preview-projects is only for pull requests: no open one has this commit as its head. Start a new run on its branch; to deploy production instead, set project-id';

/**
 * The given project, or one that a pull request leases. project-id is required unless a project is leased, or nothing
 * is deployed.
 *
 * @param mayBeNone true if a run without a project has work
 * @param problems mistakes are added to it
 * @returns undefined if one of the inputs is wrong
 */
function readTarget(
  values: DeployValues,
  { ofBranch }: RunEvent,
  { isAboutPull, mayBeNone }: { isAboutPull: boolean; mayBeNone: boolean },
  problems: Problem[],
): DeployTarget | undefined {
  const { 'project-id': id, 'preview-projects': from = [], 'preview-domain': template } = values;
  for (const input of ['preview-projects', 'preview-idle'] as const) {
    const isGiven = input === 'preview-idle' ? values[input] !== undefined : from.length > 0;
    if (isGiven && template === undefined) problems.push(refusal(input, 'needs preview-domain'));
  }
  if (id !== undefined && from.includes(id)) {
    const message =
      'contains project-id: a pull request would use that project and overwrite it. Remove it from the list';
    problems.push({ input: 'preview-projects', code: 'SD1102', message });
  }
  if (from.length > 0 && template !== undefined && isAboutPull) {
    return { kind: 'lease', from, template };
  }
  if (id !== undefined) return { kind: 'project', id };
  if (mayBeNone) return { kind: 'none' };
  const without = ofBranch === undefined ? withoutPull : withoutPullOfBranch;
  const message = from.length > 0 ? without : requiredAndEmpty;
  problems.push({ input: 'project-id', code: 'SD1001', message });
  return undefined;
}

/** The log before the work begins: warnings, inputs without effect, and which commit was found. */
export function notesOf(job: Work, { warnings }: Pick<Declared, 'warnings'>): LogEntry[] {
  const { commit, values, event } = job;
  if (job.kind === 'end-preview') return [];
  const notes: LogEntry[] = [];
  if (commit.by === 'part' && commit.is) {
    const given = commit.given === 'PREVIOUS' ? commit.given : commit.given.digits;
    notes.push({ kind: 'line', text: `commit-sha: ${given} is ${commit.is}` });
  }
  const doubts = values.deploy === false ? [] : commitWarnings(event, commit);
  notes.push(...warningEntries([...warnings, ...doubts]));
  if (!values.deploy && values['git-url'] !== undefined) {
    notes.push({ kind: 'line', text: 'git-url is not used: deploy is false' });
  }
  return notes;
}
