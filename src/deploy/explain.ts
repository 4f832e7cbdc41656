import { explainChecks, listChecks } from '../checks/explain.ts';
import { type CommitInPart, type RunCommit, shaOf } from '../contract/commit.ts';
import { explainFiles } from '../declared/explain.ts';
import type { PullRequestSource, RunEvent } from '../kernel/event.ts';
import { formatDuration } from '../kernel/text/format.ts';
import { joinSafe, type SafeText, type Sanitize, safe, unsafeText } from '../kernel/text/safe.ts';
import {
  describeLease,
  explainNoPreview,
  explainOpen,
  explainPreview,
  explainSweep,
} from '../previews/explain.ts';
import type { PreviewIntent } from '../previews/intent.ts';
import { explainPush } from '../push/explain.ts';
import { countOf } from '../report/closing.ts';
import {
  type ExplainedCheck,
  type NeededPermission,
  needsOf,
  type Statement,
  type SubjectlessExplanation,
} from '../report/explanation.ts';
import { explainVariables, listVariables } from '../variables/explain.ts';
import type { VariablesRequest } from '../variables/intent.ts';
import {
  type CommitOrigin,
  commitWarnings,
  type DeployIntent,
  type ReleaseIntent,
} from './intent.ts';

/** What a run is explained with, besides its intent. */
interface ExplainContext {
  event: RunEvent;
  /** How the pull request is found; undefined if the event is about none. */
  source: PullRequestSource | undefined;
  /** `GITHUB_SERVER_URL`. */
  serverUrl: string;
  /** What the step declares, and its files. */
  declared: VariablesRequest & { files: readonly string[] };
  /** The step's deadline, in milliseconds. */
  timeout: number;
  /** Makes outside text printable and free of secrets. */
  clean: Sanitize;
}

/** True if only GitHub knows which commit it is. */
const isAssumed = ({ by }: CommitOrigin): boolean => by === 'part' || by === 'pull-request';

/** True if a hostname contains a value that only GitHub knows. */
function isHostnameAssumed(
  { template }: Pick<PreviewIntent, 'template'>,
  origin: CommitOrigin,
  source: PullRequestSource | undefined,
): boolean {
  const queried = source?.kind === 'by-number' || source?.kind === 'by-branch' ? source : undefined;
  const unknown = [
    ...(queried !== undefined && queried.head?.branch === undefined ? ['{branch}'] : []),
    ...(queried?.kind === 'by-branch' ? ['{number}'] : []),
    ...(isAssumed(origin) ? ['{sha}'] : []),
  ];
  return unknown.some((placeholder) => template.includes(placeholder));
}

/** A preview's hostname, or its template if only GitHub knows a value in it. */
export const showHostname = (
  preview: Pick<PreviewIntent, 'template' | 'hostname'>,
  origin: CommitOrigin,
  { source, clean }: Pick<ExplainContext, 'source' | 'clean'>,
): SafeText =>
  isHostnameAssumed(preview, origin, source)
    ? safe`${clean(preview.template)} (filled in once that is known)`
    : clean(preview.hostname);

function explainProject(request: ReleaseIntent | undefined): Statement {
  const about = safe`Project`;
  if (request === undefined) {
    return { about, leaves: safe`project-id is empty, and this run needs none.` };
  }
  const { target, guarded, deploy } = request;
  if (target.kind === 'lease') {
    return { about, does: describeLease(target.from, deploy, target.ignoresProject === true) };
  }
  const guard = guarded
    ? safe` If it serves a domain other than the run's preview, the run fails before it writes: the code is not merged, and allow-production is false.`
    : safe``;
  return { about, does: safe`${unsafeText(target.id)} (project-id).${guard}` };
}

/** How a commit that is given in part is looked up. */
const describeSearch = (given: CommitInPart): SafeText =>
  given === 'PREVIOUS'
    ? safe`The newest good release before the live one that was not rolled back, by the GitHub deployments created by this action (commit-sha: PREVIOUS). If it can't be determined, the run fails.`
    : safe`The commit of the default branch starting with ${unsafeText(given.digits)}. If none or several match, or GitHub can't be queried, the run fails.`;

const toFindCommit: NeededPermission = {
  scope: 'contents',
  level: 'read',
  why: safe`to find the commit`,
};
const toFindPrevious: NeededPermission = { ...toFindCommit, scope: 'deployments' };

function describeCommit(
  commit: RunCommit,
  origin: CommitOrigin,
  { commit: ofEvent }: RunEvent,
): SafeText {
  if (origin.by === 'part') return describeSearch(origin.given);
  const known = shaOf(commit);
  if (origin.by === 'input') {
    return known === undefined
      ? safe`HEAD of the project's repository (commit-sha).`
      : safe`${known} (commit-sha).`;
  }
  return known === undefined || isAssumed(origin) || ofEvent.kind !== 'commit'
    ? safe`The head of the pull request, which the event does not contain.`
    : safe`${known}, ${ofEvent.place}.`;
}

function explainCommit(
  { commit, deploy }: ReleaseIntent,
  origin: CommitOrigin,
  event: RunEvent,
): Statement {
  const about = safe`Commit`;
  if (!deploy) return { about, leaves: safe`deploy is false.` };
  const doubts = commitWarnings(event, origin, commit).map(({ text }) => text);
  const does = joinSafe([describeCommit(commit, origin, event), ...doubts], ' ');
  if (origin.by !== 'part') return { about, does };
  const needs = origin.given === 'PREVIOUS' ? [toFindPrevious, toFindCommit] : [toFindCommit];
  return { about, does, needs };
}

const namesCommit = ({ checks }: ReleaseIntent): boolean =>
  checks?.declared.some((one) => one.namesCommit) === true;

/** What depends on earlier deployments, each as a sentence. */
function describeGates(request: ReleaseIntent): SafeText[] {
  const { onOlder, ifNeeded } = request;
  const statements: SafeText[] = [];
  if (onOlder !== undefined) {
    const ends = onOlder === 'skip' ? safe`is skipped` : safe`fails`;
    statements.push(
      safe`If the commit is older than the last successful deployment here, and not the head of its branch, the run ${ends} before it writes (on-older).`,
    );
  }
  if (ifNeeded === true) {
    const afterRollback = safe`If the commit was rolled back, the run is skipped (rolled-back); if that can't be read, it fails.`;
    statements.push(
      namesCommit(request)
        ? safe`${afterRollback} If it is the last successful deployment here, its checks pass, and no variable is written or waits for a deployment, it is not deployed again (deploy: if-needed).`
        : safe`${afterRollback} Otherwise it is deployed, because no check contains {sha} (deploy: if-needed).`,
    );
  }
  return statements;
}

const toReadRecords: NeededPermission = {
  scope: 'deployments',
  level: 'read',
  why: safe`to read earlier deployments`,
};

function needsOfGates(request: ReleaseIntent): NeededPermission[] {
  const needs: NeededPermission[] = [toReadRecords];
  if ((request.onOlder ?? request.ifNeeded) !== undefined) {
    needs.push({ scope: 'contents', level: 'read', why: safe`to compare commits` });
  }
  return needs;
}

function explainEarlier(request: ReleaseIntent, intent: DeployIntent): Statement[] {
  const about = safe`Earlier deployments`;
  const isRecorded = intent.history?.series !== undefined;
  if (!isRecorded && request.onOlder !== undefined) {
    return [
      {
        about,
        leaves: safe`github-deployment is false, so earlier deployments are not recorded: the commit is deployed in any case.`,
      },
    ];
  }
  const statements = describeGates(request);
  if (statements.length === 0) return [];
  return [{ about, does: joinSafe(statements, ' '), needs: needsOfGates(request) }];
}

function explainDeployment({ deploy, wait }: ReleaseIntent, timeout: number): Statement {
  const about = safe`Deployment`;
  if (!deploy)
    return { about, leaves: safe`deploy is false: changes take effect with the next deployment.` };
  const does =
    wait === 'none'
      ? safe`The run requests it, and does not wait for the result (wait: none).`
      : safe`The run requests it, and waits for the result, at most ${formatDuration(timeout)} in all (timeout).`;
  return { about, does };
}

const rollback: Statement = {
  about: safe`Rollback`,
  does: safe`If the checks fail, the commit of the last good release is deployed again, once, unless it is this one. Variables are not rolled back, and the run fails either way (on-failed-checks).`,
  needs: [toReadRecords],
};

function explainComment(
  { comment }: DeployIntent['record'],
  source: PullRequestSource | undefined,
): Statement {
  const about = safe`Comment`;
  if (comment === undefined) {
    const leaves =
      source === undefined ? safe`the event has no pull request.` : safe`comment is false.`;
    return { about, leaves };
  }
  const where =
    source?.kind === 'by-branch'
      ? safe`On the pull request`
      : safe`On pull request #${comment.number}`;
  return {
    about,
    does: safe`${where}, updated when the deployment begins and at the end.`,
    needs: [{ scope: 'pull-requests', level: 'write', why: safe`to comment` }],
  };
}

const whyNotRecorded = {
  off: safe`github-deployment is false.`,
  head: safe`GitHub does not know the HEAD of the project's repository.`,
  'not-deployed': safe`nothing is deployed.`,
} as const;

function explainRecord(
  { record, inProduction }: DeployIntent,
  { source, clean }: ExplainContext,
): Statement {
  const about = safe`GitHub Deployment`;
  const { deployment, notRecorded = 'off' } = record;
  if (deployment === undefined) return { about, leaves: whyNotRecorded[notRecorded] };
  const { environment } = deployment;
  const isNumbered = source?.kind === 'by-branch' && environment === 'preview/pr-0';
  const shown = isNumbered ? safe`preview/pr-N (N is its number)` : clean(environment);
  const other = inProduction?.('')?.environment;
  const production =
    other === undefined || other === environment
      ? safe``
      : safe` If the project serves another domain than the run's preview: in production.`;
  return {
    about,
    does: safe`In environment ${shown}: first in progress, then with the result.${production}`,
    needs: [{ scope: 'deployments', level: 'write', why: safe`to record the deployment` }],
  };
}

/** What the run does with a project, in that order. */
function explainRelease(
  request: ReleaseIntent,
  intent: DeployIntent,
  { event, source, serverUrl, declared, timeout, clean }: ExplainContext,
): { first: Statement[]; last: Statement[] } {
  const { target, deploy } = request;
  const { preview } = target;
  const project = target.kind === 'project' ? target : 'leased';
  const isProvable = intent.record.deployment !== undefined && event.defaultBranch !== undefined;
  const variables = { ...declared, isDeployed: deploy };
  return {
    first: [
      explainCommit(request, intent.origin, event),
      ...explainPush(request.push, { project, isProvable, serverUrl }, clean),
      explainVariables(variables, clean),
      ...explainFiles(declared.files, clean),
      ...explainEarlier(request, intent),
      explainDeployment(request, timeout),
    ],
    last: [
      ...(request.rollsBack ? [rollback] : []),
      preview === undefined
        ? explainNoPreview(request.noPreview ?? 'no-template')
        : explainPreview(preview, showHostname(preview, intent.origin, { source, clean })),
      ...(preview !== undefined && request.isPullRequest ? [explainOpen()] : []),
    ],
  };
}

function nameCommit({ commit, ifNeeded }: ReleaseIntent, origin: CommitOrigin): SafeText {
  if (origin.by === 'pull-request') return safe`the head of the pull request`;
  if (origin.by === 'part') {
    return origin.given === 'PREVIOUS'
      ? safe`the good release before the live one`
      : safe`the commit starting with ${unsafeText(origin.given.digits)}`;
  }
  const needed = ifNeeded ? safe` when needed` : safe``;
  const known = shaOf(commit);
  return known === undefined
    ? safe`the HEAD of the project's repository`
    : safe`commit ${unsafeText(known.slice(0, 7))}${needed}`;
}

/** Completes "this run would". */
function describeWould(
  { request, origin, sweep }: DeployIntent,
  { variables, removals }: ExplainContext['declared'],
  checks: readonly ExplainedCheck[],
): SafeText {
  if (request?.deploy === true) return safe`deploy ${nameCommit(request, origin)}`;
  const touched = variables.length + removals.size;
  const parts = [
    ...(request === undefined || touched === 0
      ? []
      : [safe`sync ${countOf(touched, safe`variable`)}`]),
    ...(checks.length === 0 ? [] : [safe`run ${countOf(checks.length, safe`check`)}`]),
    ...(sweep === undefined ? [] : [safe`end the previews of closed pull requests`]),
  ];
  return parts.length === 0 ? safe`change nothing` : joinSafe(parts, ' and ');
}

/** Explains what a deploy run would do, from its intent alone. */
export function explainDeploy(
  intent: DeployIntent,
  context: ExplainContext,
): SubjectlessExplanation {
  const { request, watch, template, origin, sweep } = intent;
  const { source, declared, clean } = context;
  const queried = request?.checks ?? watch;
  const isKnown =
    !isAssumed(origin) &&
    !(template !== undefined && isHostnameAssumed({ template }, origin, source));
  const checks = listChecks(queried, isKnown, clean);
  const when = request?.deploy ? safe`once the deployment has succeeded` : safe`at once`;
  const { first, last } =
    request === undefined
      ? { first: explainFiles(declared.files, clean), last: [] }
      : explainRelease(request, intent, context);
  const statements = [
    explainProject(request),
    ...first,
    explainChecks(queried, when, clean),
    ...last,
    ...(sweep === undefined
      ? [explainComment(intent.record, source), explainRecord(intent, context)]
      : [explainSweep(sweep)]),
  ];
  return {
    would: describeWould(intent, declared, checks),
    outcome: 'planned',
    statements,
    variables: request === undefined ? [] : listVariables(declared.variables, clean),
    checks,
    needs: needsOf(statements),
  };
}

/** The outputs of an explained run, as far as they are known. */
export function knownOutputs(
  { request, origin }: DeployIntent,
  source: PullRequestSource | undefined,
): Record<string, string> {
  if (request === undefined) return {};
  const { commit, target, deploy } = request;
  const { preview } = target;
  const sha = isAssumed(origin) ? undefined : shaOf(commit);
  const isNameKnown = preview !== undefined && !isHostnameAssumed(preview, origin, source);
  return {
    'commit-sha': deploy && sha !== undefined ? sha : '',
    'project-id': target.kind === 'project' ? target.id : '',
    'preview-hostname': isNameKnown ? preview.hostname : '',
  };
}
