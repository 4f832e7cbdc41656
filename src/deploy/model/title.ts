import { countFailed, failedOf, lacksCommit } from '../../checks/result.ts';
import type { Commit } from '../../contract/commit.ts';
import type { ReleaseEnd } from '../../github/model/record-signer.ts';
import { type Outcome, outcomes } from '../../kernel/outcome.ts';
import { skipReasons } from '../../kernel/skip-reason.ts';
import { type SafeText, safe, shortSha } from '../../kernel/text/safe.ts';
import { countOf } from '../../report/closing.ts';
import { countChanged, countVariables } from '../../variables/result.ts';
import type { DeployReport, Removal, Rollback } from './report.ts';
import { isLiveAlready, isVoid, type Stage, stageOf, verdict } from './verdict.ts';

/** The title of a run: one line that only states facts of the report. */
export function describeRun(report: DeployReport): SafeText {
  return titles[report.outcome](report, report.subject?.name ?? safe`The site`);
}

/** The icon of the title; no check mark while something is left to do. */
export function iconOfRun(report: DeployReport): string {
  if (report.isUnfinished === true) return '⚠️';
  const { lacks } = verdict(report);
  if (report.outcome !== 'succeeded' || lacks === undefined) return outcomes[report.outcome].icon;
  return lacks === 'pending' ? '⏳' : '⚠️';
}

/** How a run's GitHub deployment tells its end. */
export const recordedEnd = (report: DeployReport) => ({
  state: outcomes[report.outcome].gitHub,
  description: describeRun(report),
  environmentUrl: verdict(report).url,
  end: releaseEnd(report),
});

/**
 * The result of a release, for later runs. `good`: the deployment and each check succeeded. `rolled-back`: the older
 * commit is live again, or may be, also after an interruption or failed checks. `undeployed`: the service reported a
 * failure, or nothing was requested.
 */
function releaseEnd(report: DeployReport): ReleaseEnd {
  const { outcome, checks = [], rollback } = report;
  const projectId = report.projectId?.toLowerCase();
  if (projectId !== undefined && rollback !== undefined && !isVoid(rollback)) {
    const isConfirmed = verdict(report).serves === 'earlier';
    return { kind: 'rolled-back', projectId, restored: rollback.commit, isConfirmed };
  }
  if (outcome !== 'succeeded' || projectId === undefined) {
    return { kind: isVoid(report) ? 'undeployed' : 'ended' };
  }
  const isChecked = checks.length > 0 && checks.every(({ passed }) => passed === true);
  return { kind: 'good', projectId, isChecked };
}

const titles: Readonly<Record<Outcome, (report: DeployReport, name: SafeText) => SafeText>> = {
  succeeded: (report, name) =>
    verdict(report).confirmedUrl === '' ? deployed(report, name, safe``) : safe`${name} is live`,
  failed,
  'rolled-back': rolledBack,
  'timed-out': (report, name) => cutOff(report, name, safe`timed out`),
  cancelled: (report, name) =>
    report.isUnfinished === true ? unfinished(report, name) : cutOff(report, name, safe`canceled`),
  unconfirmed: (_, name) => safe`${name}: nothing confirms its deployment`,
  accepted: (_, name) => safe`${name}: deployment accepted, not followed`,
  planned,
  synced,
  conflict: ({ environment }, name) => {
    const { conflicts } = countVariables(environment);
    return safe`${name} was not deployed: ${countOf(conflicts, safe`variable`)} in conflict`;
  },
  skipped,
  'cleaned-up': ({ preview }, name) =>
    preview?.removal === undefined ? safe`Previews were removed` : removals[preview.removal](name),
};

function failed(report: DeployReport, name: SafeText): SafeText {
  const { release, preview, checks, rollback } = report;
  if (preview?.removal !== undefined) return removals[preview.removal](name);
  if (rollback !== undefined) return rollbackFailed(report, rollback, name);
  if (countFailed(checks) > 0) return checksFailed(report, name);
  const stage = stageOf(report);
  if (stage === 'succeeded') return deployed(report, name, safe`, but not confirmed live`);
  const isBuilt = !/build|compil/i.test(release?.lastStep ?? '');
  return notDeployed[stage](name, isBuilt);
}

const removals: Readonly<Record<Removal, (name: SafeText) => SafeText>> = {
  done: (name) => safe`${name} is removed`,
  before: (name) => safe`${name}: nothing to remove`,
  left: (name) => safe`${name} was not removed`,
  unknown: (name) => safe`${name} may still be online: removing it failed`,
};

function rollbackFailed(report: DeployReport, rollback: Rollback, name: SafeText): SafeText {
  const { live } = verdict(report);
  const tried = safe`rolling back to ${short(rollback.commit)} failed`;
  if (live === undefined) return safe`${name}: what is live is unknown, ${tried}`;
  const { checks } = live === rollback.commit ? rollback : report;
  return safe`${name}: ${short(live)} is live, ${failedOf(checks)} failed, and ${tried}`;
}

function checksFailed(report: DeployReport, name: SafeText): SafeText {
  const { checks, commit, isOvertaken } = report;
  const what = safe`${failedOf(checks)} failed`;
  if (isOvertaken === true) return safe`${name}: ${what}, and another run deploys here`;
  if (stageOf(report) !== 'succeeded') return safe`${name}: ${what}`;
  const missing = lacksCommit(checks) ? safe`: commit ${short(commit)} was not found` : safe``;
  return safe`${name} ${describeDeployed(report)}, but ${what}${missing}`;
}

/** A successful deployment; only according to the service if a check did not find the commit. */
const describeDeployed = ({ checks }: Pick<DeployReport, 'checks'>): SafeText =>
  lacksCommit(checks) ? safe`is deployed according to the service` : safe`is deployed`;

const short = (commit: Commit | undefined): SafeText =>
  commit === undefined ? safe`an unknown commit` : shortSha(commit);

/** A deployment that succeeded, and was not confirmed live. */
function deployed(report: DeployReport, name: SafeText, missing: SafeText): SafeText {
  const { lacks } = verdict(report);
  if (lacks === undefined) return safe`${name} is deployed${missing}`;
  if (lacks === 'bad') return safe`${name} is deployed, but its domain failed verification`;
  return lacks === 'unclear'
    ? safe`${name} is deployed, but whether its domain is verified is unclear`
    : safe`${name} is deployed, but its domain is not verified yet`;
}

/** A deployment without success, by its stage. */
const notDeployed: Readonly<
  Record<Exclude<Stage, 'succeeded'>, (name: SafeText, isBuilt: boolean) => SafeText>
> = {
  failed: (name, isBuilt) =>
    isBuilt ? safe`${name} failed to deploy` : safe`${name} was not deployed: the build failed`,
  'under-way': (name) => safe`${name}: its deployment could not be followed`,
  requested: (name) => safe`${name}: its deployment was requested, without a clear response`,
  'not-requested': (name) => safe`${name} was not deployed`,
};

function rolledBack({ commit, checks, rollback }: DeployReport, name: SafeText): SafeText {
  const why = safe`${failedOf(checks)} of ${short(commit)} failed`;
  return safe`${name} was rolled back to ${short(rollback?.commit)}: ${why}`;
}

/** An interrupted run, by its stage. */
function cutOff(report: DeployReport, name: SafeText, how: SafeText): SafeText {
  const { rollback } = report;
  if (rollback !== undefined)
    return safe`${name}: ${how} while it was being rolled back to ${short(rollback.commit)}`;
  const stage = stageOf(report);
  if (stage === 'succeeded')
    return safe`${name} ${describeDeployed(report)}, but ${how} before it was confirmed live`;
  if (stage === 'not-requested') return safe`${name}: ${how}`;
  const { deployment, unknownStatus } = report.release ?? {};
  return unknownStatus !== undefined && unknownStatus === deployment?.status
    ? safe`${name}: ${how} while the status was unknown`
    : safe`${name}: ${how} while it was being deployed`;
}

/** A run that ended, killed or by an unexpected error, before it recorded its result. */
function unfinished(report: DeployReport, name: SafeText) {
  const { rollback } = report;
  const stage = stageOf(report);
  if (rollback !== undefined)
    return safe`${name}: the run did not finish rolling back to ${short(rollback.commit)}`;
  if (stage === 'succeeded') return safe`${name} is deployed, but the run did not finish`;
  return stage === 'not-requested'
    ? safe`${name}: the run did not finish`
    : safe`${name}: the run did not finish the deployment`;
}

function planned({ environment, otherChanges = [] }: DeployReport, name: SafeText): SafeText {
  const changes = (environment?.changes.length ?? 0) + otherChanges.length;
  return changes === 0
    ? safe`${name}: plan without changes`
    : safe`${name}: plan of ${countOf(changes, safe`change`)}`;
}

function synced({ environment, actions, checks }: DeployReport, name: SafeText): SafeText {
  const passed = checks?.filter((check) => check.passed === true).length ?? 0;
  if (passed > 0 && (environment === undefined || countChanged(environment) === 0)) {
    return safe`${name}: ${countOf(passed, safe`check`)} passed`;
  }
  if (environment === undefined) {
    return actions === undefined ? safe`${name}: nothing to do` : safe`${name}: nothing to remove`;
  }
  const changed = countChanged(environment);
  return changed === 0
    ? safe`${name}: nothing changed`
    : safe`${name}: ${countOf(changed, safe`variable`)} changed`;
}

function skipped(report: DeployReport, name: SafeText): SafeText {
  const { skippedReason: reason } = report;
  if (reason === 'pull-request-open') return safe`${name} stays`;
  if (isLiveAlready(report)) return safe`${name} is live already`;
  if (stageOf(report) !== 'not-requested') {
    return safe`${name}: closed while it was being deployed`;
  }
  return reason === undefined
    ? safe`${name} was not deployed`
    : safe`${name} was not deployed: ${skipReasons[reason]}`;
}
