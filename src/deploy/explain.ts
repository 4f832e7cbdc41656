import { explainChecks, listChecks } from '../checks/explain.ts';
import { shaOf } from '../contract/commit.ts';
import { explainFiles } from '../declared/explain.ts';
import { formatDuration } from '../kernel/text/format.ts';
import {
  joinSafe,
  type SafeText,
  type Sanitize,
  safe,
  shortSha,
  unsafeText,
} from '../kernel/text/safe.ts';
import { explainPush } from '../push/explain.ts';
import { countOf } from '../report/closing.ts';
import {
  does,
  type Explanation,
  leaves,
  type Need,
  type Row,
  tableOf,
} from '../report/explanation.ts';
import { explainVariables, listVariables } from '../variables/explain.ts';
import type { VariablesRequest } from '../variables/intent.ts';
import {
  commitWarnings,
  doesSweep,
  environmentOf,
  gatesOf,
  isGuarded,
  isRelease,
  isUndecided,
  type ReleaseJob,
  type Work,
  whyNotRecorded,
} from './job.ts';
import {
  describeLease,
  explainDomain,
  explainEnd,
  explainNoPreview,
  explainOpen,
  explainSweep,
} from './previews/explain.ts';
import { endIntent, type Preview } from './previews/intent.ts';

/** What a job is explained with. */
interface ExplainContext {
  /** What the step declares, and its files. */
  declared: VariablesRequest & { files: readonly string[] };
  /** `GITHUB_SERVER_URL`. */
  serverUrl: string;
  /** Makes outside text printable and free of secrets. */
  clean: Sanitize;
}

/** A preview's hostname, or its template if only GitHub knows a value in it. */
const showHostname = ({ hostname, template }: Preview, clean: Sanitize): SafeText =>
  hostname === undefined
    ? safe`${clean(template)} (filled in once that is known)`
    : clean(hostname);

function explainProject(job: Work): Row {
  const about = safe`Project`;
  const { target, values } = job;
  if (target.kind === 'none') {
    return leaves(about, safe`project-id is empty, and this run needs none.`);
  }
  if (target.kind === 'lease') {
    const ignores = values['project-id'] !== undefined;
    return does(about, describeLease(target.from, values.deploy !== false, ignores));
  }
  const guard = isGuarded(job)
    ? safe` If it serves a domain other than the run's preview, the run fails before it writes: the code is not merged, and allow-production is false.`
    : safe``;
  return does(about, safe`${unsafeText(target.id)} (project-id).${guard}`);
}

function describeCommit({ commit, event }: ReleaseJob): SafeText {
  if (commit.by === 'part') {
    return commit.given === 'PREVIOUS'
      ? safe`The newest good release before the live one that was not rolled back, by the GitHub deployments created by this action (commit-sha: PREVIOUS). If it can't be determined, the run fails.`
      : safe`The commit of the default branch starting with ${commit.given.digits}. If none or several match, or GitHub can't be queried, the run fails.`;
  }
  if (commit.is === 'HEAD') return safe`HEAD of the project's repository (commit-sha).`;
  if (commit.by === 'input') return safe`${commit.is} (commit-sha).`;
  return commit.by === 'event' && event.commit.kind === 'commit'
    ? safe`${event.commit.sha}, ${event.commit.place}.`
    : safe`The head of the pull request, which the event does not contain.`;
}

function explainCommit(job: ReleaseJob): Row {
  const about = safe`Commit`;
  const { commit, event, values } = job;
  if (!values.deploy) return leaves(about, safe`deploy is false.`);
  const doubts = commitWarnings(event, commit).map(({ text }) => text);
  const needs: Need[] = [];
  if (commit.by === 'part') {
    const why = safe`to find the commit`;
    if (commit.given === 'PREVIOUS') needs.push(['deployments: read', why]);
    needs.push(['contents: read', why]);
  }
  return does(about, joinSafe([describeCommit(job), ...doubts], ' '), ...needs);
}

const toReadRecords: Need = ['deployments: read', safe`to read earlier deployments`];

/** What depends on earlier deployments; undefined if nothing does. */
function explainEarlier(job: ReleaseJob): Row | undefined {
  const { onOlder, ifNeeded } = gatesOf(job);
  const about = safe`Earlier deployments`;
  if (!job.values['github-deployment'] && onOlder !== undefined) {
    return leaves(
      about,
      safe`github-deployment is false, so earlier deployments are not recorded: the commit is deployed in any case.`,
    );
  }
  const texts: SafeText[] = [];
  if (onOlder !== undefined) {
    const ends = onOlder === 'skip' ? safe`is skipped` : safe`fails`;
    texts.push(
      safe`If the commit is older than the last successful deployment here, and not the head of its branch, the run ${ends} before it writes (on-older).`,
    );
  }
  if (ifNeeded) {
    const isNamed = job.checks?.declared.some(({ namesCommit }) => namesCommit) === true;
    const otherwise = isNamed
      ? safe`If it is the last successful deployment here, its checks pass, and no variable is written or waits for a deployment, it is not deployed again`
      : safe`Otherwise it is deployed, because no check contains {sha}`;
    texts.push(
      safe`If the commit was rolled back, the run is skipped (rolled-back); if that can't be read, it fails. ${otherwise} (deploy: if-needed).`,
    );
  }
  if (texts.length === 0) return undefined;
  return does(about, joinSafe(texts, ' '), toReadRecords, [
    'contents: read',
    safe`to compare commits`,
  ]);
}

function explainDeployment({ deploy, wait, timeout }: ReleaseJob['values']): Row {
  const about = safe`Deployment`;
  if (!deploy) {
    return leaves(about, safe`deploy is false: changes take effect with the next deployment.`);
  }
  return does(
    about,
    wait === 'none'
      ? safe`The run requests it, and does not wait for the result (wait: none).`
      : safe`The run requests it, and waits for the result, at most ${formatDuration(timeout)} in all (timeout).`,
  );
}

const rollback = does(
  safe`Rollback`,
  safe`If the checks fail, the commit of the last good release is deployed again, once, unless it is this one. Variables are not rolled back, and the run fails either way (on-failed-checks).`,
  toReadRecords,
);

function explainComment({ pull, values }: Work): Row {
  const about = safe`Comment`;
  if (pull === undefined) return leaves(about, safe`the event has no pull request.`);
  if (values.comment === 'false') return leaves(about, safe`comment is false.`);
  const which =
    pull.number === undefined ? safe`the pull request` : safe`pull request #${pull.number}`;
  return does(about, safe`On ${which}, updated when the deployment begins and at the end.`, [
    'pull-requests: write',
    safe`to comment`,
  ]);
}

const whyNoRecord = {
  off: safe`github-deployment is false.`,
  head: safe`GitHub does not know the HEAD of the project's repository.`,
  'not-deployed': safe`nothing is deployed.`,
} as const;

function explainRecord(job: Work, clean: Sanitize): Row {
  const about = safe`GitHub Deployment`;
  const why = whyNotRecorded(job);
  if (why !== undefined) return leaves(about, whyNoRecord[why]);
  const { pull, values } = job;
  const { environment } = environmentOf(job);
  const isNumbered =
    pull !== undefined && pull.number === undefined && values['environment-name'] === undefined;
  const number = isNumbered ? safe` (N is its number)` : safe``;
  const mayDiffer = isUndecided(job) && environmentOf(job, true).environment !== environment;
  const production = mayDiffer
    ? safe` If the project serves another domain than the run's preview: in production.`
    : safe``;
  return does(
    about,
    safe`In environment ${clean(environment)}${number}: first in progress, then with the result.${production}`,
    ['deployments: write', safe`to record the deployment`],
  );
}

/** What a run does with a project, in that order. */
function explainRelease(
  job: ReleaseJob,
  checks: Row,
  { declared, serverUrl, clean }: ExplainContext,
): Row[] {
  const { target, push, preview, pull, values, event } = job;
  const projectId = target.kind === 'project' ? target.id : undefined;
  const isProvable = whyNotRecorded(job) === undefined && event.defaultBranch !== undefined;
  return tableOf(
    explainCommit(job),
    explainPush(push, { projectId, isProvable, serverUrl }, clean),
    explainVariables(declared, values.deploy !== false, clean),
    explainFiles(declared.files, clean),
    explainEarlier(job),
    explainDeployment(values),
    checks,
    gatesOf(job).rollsBack && rollback,
    preview === undefined
      ? explainNoPreview(values['preview-domain'])
      : explainDomain(showHostname(preview, clean), values),
    preview && pull && explainOpen,
  );
}

/** The commit that is deployed, in a few words. */
function nameCommit({ commit, values }: ReleaseJob): SafeText {
  if (commit.by === 'pull-request') return safe`the head of the pull request`;
  if (commit.by === 'part') {
    return commit.given === 'PREVIOUS'
      ? safe`the good release before the live one`
      : safe`the commit starting with ${commit.given.digits}`;
  }
  const known = shaOf(commit.is);
  if (known === undefined) return safe`the HEAD of the project's repository`;
  const needed = values.deploy === 'if-needed' ? safe` when needed` : safe``;
  return safe`commit ${shortSha(known)}${needed}`;
}

/** Completes "this run would". */
function describeWould(
  job: Work,
  { variables, removals }: VariablesRequest,
  checks: number,
): SafeText {
  if (isRelease(job) && job.values.deploy) return safe`deploy ${nameCommit(job)}`;
  const touched = isRelease(job) ? variables.length + removals.size : 0;
  const parts: SafeText[] = [];
  if (touched > 0) parts.push(safe`sync ${countOf(touched, safe`variable`)}`);
  if (checks > 0) parts.push(safe`run ${countOf(checks, safe`check`)}`);
  if (doesSweep(job)) parts.push(safe`end the previews of closed pull requests`);
  return parts.length === 0 ? safe`change nothing` : joinSafe(parts, ' and ');
}

/** Explains what a job would do, in the order of a run. */
export function explainWork(job: Work, context: ExplainContext): Explanation {
  const { declared, clean } = context;
  const { values } = job;
  const comment = values.comment !== 'false';
  if (job.kind === 'end-preview') {
    const deployment = whyNotRecorded(job) === undefined;
    const hostname = showHostname(job.preview, clean);
    const rows = explainEnd(endIntent(values), hostname, { comment, deployment });
    return { would: safe`remove the preview`, outcome: 'planned', rows };
  }
  const queried = job.kind === 'sweep' ? undefined : job.checks;
  const checks = listChecks(queried, clean);
  const isDeployed = isRelease(job) && values.deploy !== false;
  const when = isDeployed ? safe`once the deployment has succeeded` : safe`at once`;
  const checking = explainChecks(queried, when, clean);
  const updates = { comment, deployment: values['github-deployment'] };
  return {
    would: describeWould(job, declared, checks.length),
    outcome: 'planned',
    rows: [
      explainProject(job),
      ...(isRelease(job)
        ? explainRelease(job, checking, context)
        : tableOf(explainFiles(declared.files, clean), checking)),
      ...(doesSweep(job)
        ? [explainSweep(endIntent(values), updates)]
        : [explainComment(job), explainRecord(job, clean)]),
    ],
    variables: isRelease(job) ? listVariables(declared.variables, clean) : [],
    checks,
  };
}

/** The outputs of an explained run, as far as they are known. */
export function knownOutputs(job: Work): Record<string, string> {
  if (job.kind === 'end-preview') return { 'preview-hostname': job.preview.hostname ?? '' };
  if (!isRelease(job)) return {};
  const { commit, target, values, preview } = job;
  return {
    'commit-sha': (values.deploy && shaOf(commit.is)) || '',
    'project-id': target.kind === 'project' ? target.id : '',
    'preview-hostname': preview?.hostname ?? '',
  };
}
