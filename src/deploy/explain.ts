import { explainChecks, listChecks } from '../checks/explain.ts';
import { shaOf } from '../contract/commit.ts';
import type { ProjectId } from '../contract/safe-text.ts';
import { explainFiles } from '../declared/explain.ts';
import { listNames } from '../kernel/names.ts';
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
import type { DeployValues } from './inputs.ts';
import {
  commitWarnings,
  type DeployJob,
  doesSweep,
  type EndJob,
  environmentOf,
  gatesOf,
  isDeployJob,
  isGuarded,
  isUndecided,
  type Work,
  whyNotRecorded,
} from './job.ts';
import type { DeployOutputs } from './outputs.ts';
import { keepLabel, type Preview, previewProjects } from './previews/intent.ts';

/** What a job is explained with. */
interface ExplainContext {
  /** What the step declares, and its files. */
  declared: VariablesRequest & { files: readonly string[] };
  /** `GITHUB_SERVER_URL`. */
  serverUrl: string;
  /** What a run can do where it runs: record deployments, comment, read whether its pull request is open. */
  can: Readonly<Record<'records' | 'comments' | 'readsState', boolean>>;
  /** Makes outside text printable and free of secrets. */
  clean: Sanitize;
}

/** Explains what a job would do, in the order of a run. */
export function explainWork(
  job: Work,
  { declared, serverUrl, can, clean }: ExplainContext,
): Explanation {
  if (job.kind === 'end-preview') {
    return {
      would: safe`remove the preview`,
      outcome: 'planned',
      rows: explainEnd(job, can, clean),
    };
  }
  const { event, values } = job;
  const release = isDeployJob(job) ? job : undefined;
  const queried = job.kind === 'sweep' ? undefined : job.checks;
  const checks = listChecks(queried, clean);
  const isDeployed = release !== undefined && values.deploy !== false;
  const when = isDeployed ? safe`once the deployment has succeeded` : safe`at once`;
  const isProvable = whyNotRecorded(job) === undefined && event.defaultBranch !== undefined;
  const projectId = job.target.kind === 'project' ? job.target.id : undefined;
  const sweeps = doesSweep(job);
  const rows = tableOf(
    explainProject(job),
    release && explainCommit(release),
    release && explainPush(release.push, { projectId, isProvable, serverUrl }, clean),
    release && explainVariables(declared, values.deploy !== false, clean),
    explainFiles(declared.files, clean),
    release && explainEarlier(release),
    release && explainDeployment(values),
    explainChecks(queried, when, clean),
    release && gatesOf(release).rollsBack && rollback,
    release && explainDomain(release, clean),
    release?.preview && release.pull && can.readsState && pullState,
    sweeps ? explainSweep(values) : can.comments && explainComment(job),
    !sweeps && can.records && explainRecord(job, clean),
  );
  const variables = release ? listVariables(declared.variables, clean) : [];
  const would = describeWould(job, declared, checks.length);
  return { would, outcome: 'planned', rows, variables, checks };
}

/** The outputs of an explained run, as far as they are known. */
export function knownOutputs(job: Work): Partial<DeployOutputs> {
  if (job.kind === 'end-preview') return { 'preview-hostname': job.preview.hostname };
  if (!isDeployJob(job)) return {};
  const { commit, target, values, preview } = job;
  return {
    'commit-sha': values.deploy ? shaOf(commit.is) : undefined,
    'project-id': target.kind === 'project' ? target.id : undefined,
    'preview-hostname': preview?.hostname,
  };
}

/** Completes "this run would". */
function describeWould(
  job: Work,
  { variables, removals }: VariablesRequest,
  checks: number,
): SafeText {
  if (isDeployJob(job) && job.values.deploy) return safe`deploy ${nameCommit(job)}`;
  const touched = isDeployJob(job) ? variables.length + removals.size : 0;
  const parts: SafeText[] = [];
  if (touched > 0) parts.push(safe`sync ${countOf(touched, safe`variable`)}`);
  if (checks > 0) parts.push(safe`run ${countOf(checks, safe`check`)}`);
  if (doesSweep(job)) {
    const idle = job.values['preview-idle'] === undefined ? safe`` : safe` and idle`;
    parts.push(safe`end the previews of closed${idle} pull requests`);
  }
  return parts.length === 0 ? safe`change nothing` : joinSafe(parts, ' and ');
}

/** The commit that is deployed, in a few words. */
function nameCommit({ commit, values }: DeployJob): SafeText {
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

/** How the preview of a closed pull request is ended. */
function explainEnd(job: EndJob, can: ExplainContext['can'], clean: Sanitize): Row[] {
  const { values, preview } = job;
  const hostname = showHostname(preview, clean);
  const among = previewProjects(values);
  const how = values['disconnect-on-close']
    ? safe`disconnected`
    : safe`no longer assigned to its project`;
  const ofComment = safe`Comment`;
  const ofDeployment = safe`GitHub Deployment`;
  const ends =
    among.length === 0
      ? safe`if ${hostname} is assigned to a project, it is kept, and the run fails: neither project-id nor preview-projects names one.`
      : safe`${hostname} is ${how}, if it is assigned to ${listNames(among, (id) => id)}. If it is assigned to another project, it is kept, and the run fails. The project keeps what was deployed to it.`;
  const ofState = does(
    safe`Pull request`,
    safe`The run checks its state. If it is open again, the preview stays.`,
    ['pull-requests: read', safe`to check whether it is open again`],
  );
  const comment =
    values.comment === 'false'
      ? leaves(ofComment, safe`comment is false.`)
      : does(ofComment, safe`An existing comment is updated: the preview is removed.`, [
          'pull-requests: write',
          safe`to comment`,
        ]);
  const record =
    whyNotRecorded(job) === undefined
      ? does(ofDeployment, safe`The preview's GitHub Deployments are set inactive.`, [
          'deployments: write',
          safe`to set its deployments inactive`,
        ])
      : leaves(ofDeployment, safe`such runs are not recorded.`);
  return tableOf(
    does(aboutDomain, safe`The pull request is closed: ${ends}`),
    can.readsState && ofState,
    can.comments && comment,
    can.records && record,
  );
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
  if (target.kind === 'lease') return does(about, describeLease(target.from, values));
  const guard = isGuarded(job)
    ? safe` If it serves a domain other than the run's preview, the run fails before it writes: the code is not merged, and allow-production is false.`
    : safe``;
  return does(about, safe`${unsafeText(target.id)} (project-id).${guard}`);
}

/** Which of the projects a pull request gets. */
function describeLease(
  from: readonly ProjectId[],
  { deploy, 'project-id': unused }: DeployValues,
): SafeText {
  const listed = listNames(from, (id) => id);
  if (deploy === false) {
    return safe`The one of ${listed} that this pull request uses. If it uses none, the run is skipped (no-preview), because deploy is false.`;
  }
  const [only, ...others] = from;
  if (only !== undefined && others.length === 0) {
    return safe`${only}, the only project of preview-projects, if no other pull request uses it.`;
  }
  const ignored = unused === undefined ? safe`` : safe` project-id is not used for pull requests.`;
  return safe`One of ${listed}: the one that this pull request uses already, or else one that is not in use. If all are in use, the run is skipped (no-free-preview-project).${ignored}`;
}

function explainCommit(job: DeployJob): Row {
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

function describeCommit({ commit, event }: DeployJob): SafeText {
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

const toReadRecords: Need = ['deployments: read', safe`to read earlier deployments`];

/** What depends on earlier deployments; undefined if nothing does. */
function explainEarlier(job: DeployJob): Row | undefined {
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

function explainDeployment({ deploy, wait, timeout }: DeployJob['values']): Row {
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

const aboutDomain = safe`Preview domain`;

/** What a run does with its preview's domain; it has none without a template, or if that needs a pull request. */
function explainDomain({ preview, values }: DeployJob, clean: Sanitize): Row {
  const { 'preview-domain': template, 'verify-timeout': timeout, strict } = values;
  if (preview === undefined) {
    return leaves(
      aboutDomain,
      template === undefined
        ? safe`preview-domain is empty.`
        : safe`preview-domain contains {number}, and the event is not for a pull request.`,
    );
  }
  const pending = strict ? safe`the run fails` : safe`the run warns`;
  return does(
    aboutDomain,
    safe`${showHostname(preview, clean)} is connected when needed and assigned to the project. If it is not verified within ${formatDuration(timeout)} (verify-timeout), ${pending} (strict). If it is assigned to a project that the inputs don't name, the run fails before it writes.`,
  );
}

/** How a run finds out whether its pull request is still open. */
const pullState = does(
  safe`Pull request`,
  safe`The run checks whether it is still open, before it assigns the preview's domain and at the end. If it is closed, the preview is removed.`,
  ['pull-requests: read', safe`to check whether it is still open`],
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

/** Which previews of other pull requests a run ends. */
function explainSweep(values: DeployValues): Row {
  const how = values['disconnect-on-close'] ? safe`disconnected` : safe`no longer assigned`;
  const records: SafeText[] = [];
  const needs: Need[] = [['pull-requests: read', safe`to find the closed ones`]];
  if (values.comment !== 'false') {
    records.push(safe`its comment`);
    needs.push(['pull-requests: write', safe`to update their comments`]);
  }
  if (values['github-deployment']) {
    records.push(safe`its GitHub Deployment`);
    needs.push(['deployments: write', safe`to set their GitHub Deployments inactive`]);
  }
  const are = records.length === 1 ? safe`is` : safe`are`;
  const updated =
    records.length === 0
      ? safe``
      : safe` As on close, ${joinSafe(records, ' and ')} ${are} updated.`;
  const longest = values['preview-idle'];
  const idle =
    longest === undefined
      ? safe``
      : safe` So is one whose last release is older than ${formatDuration(longest)} (preview-idle), unless a run is in progress or its pull request has the label ${keepLabel}.`;
  return does(
    safe`Sweep`,
    safe`Each hostname of preview-domain that is assigned to one of these projects, and whose pull request is closed on GitHub, is ${how}.${idle} One that is assigned to another project is kept, and the run fails and lists it.${updated}`,
    ...needs,
  );
}
