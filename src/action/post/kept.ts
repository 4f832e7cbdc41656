import type { CheckResult } from '../../checks/result.ts';
import { readState, saveState } from '../../github/runner-files.ts';
import { digestOf } from '../../kernel/change.ts';
import { type SafeText, shorten } from '../../kernel/text/safe.ts';
import type { DeployReport, Rollback } from '../../release/model/report.ts';

/** What the main step keeps for the post step, by name. */
export const postState = {
  /** `true` once a deployment was asked for, and was not refused. */
  requested: 'requested',
  /** What the step does: `deploy` or `clean-up`. */
  work: 'work',
  /** `true` once the run was cancelled. */
  cancelled: 'cancelled',
  /** The project that is deployed to, once it is known. */
  project: 'project-id',
  /** The service's deployment, once it is accepted. */
  deployment: 'deployment-id',
  /** `true` once that has succeeded. */
  succeeded: 'succeeded',
  /** The way back, once it was begun, as JSON. */
  rollback: 'way-back',
  /** The domains that are being moved, as JSON, once they are. */
  moving: 'moving',
  /** What is recorded on GitHub, as JSON. */
  record: 'record',
  /** The GitHub Deployment, once there is one. */
  recordedDeployment: 'github-deployment-id',
  /** Our comment, once it was written. */
  comment: 'comment-id',
  /** How the run ended, as JSON, before GitHub is told. */
  outcome: 'outcome',
  /** `true` once the main step has told how it ended. */
  reported: 'reported',
} as const;

/** What is kept of a way back. */
export interface KeptRollback extends Pick<Rollback, 'commit' | 'isRequested' | 'deploymentEnd'> {
  /** The service's deployment, once it is accepted. */
  deploymentId?: SafeText;
}

/** What was kept under a name, or that it is damaged. */
export type KeptState<Value> = { value: Value } | 'damaged';

/** Enough to tell what was kept from what was cut off or changed, in hex digits. */
const checksumOf = (json: string): string => digestOf([json]).slice(0, 16);

/** Keeps a value for the post step, as JSON behind its checksum: the runner's file may be cut off by a kill. */
export function keepState(name: string, value: unknown): void {
  const json = JSON.stringify(value);
  saveState(name, `${checksumOf(json)} ${json}`);
}

/**
 * Reads what {@link keepState} kept under the same name, and trusts it to be of the type that was kept.
 *
 * @returns undefined if nothing was kept
 */
export function readKept<Value>(name: string): KeptState<Value> | undefined {
  const kept = readState(name);
  if (kept === '') return undefined;
  const [checksum = ''] = kept.split(' ', 1);
  const json = kept.slice(checksum.length + 1);
  return checksum === checksumOf(json) ? { value: JSON.parse(json) } : 'damaged';
}

/** The most lines of a clean-up that are kept. */
const maxActions = 20;

/** A check without long texts. */
const shortCheck = (check: CheckResult): CheckResult => ({
  ...check,
  what: shorten(check.what, 120),
  wanted: shorten(check.wanted, 60),
  seen: shorten(check.seen, 80),
});

/** What is never long: the runner hands it to the post step in an environment variable. */
function withoutLongParts({
  environment,
  preview,
  actions,
  checks,
  rollback,
  ...rest
}: DeployReport): DeployReport {
  return {
    ...rest,
    phases: [],
    ...(preview && { preview: { ...preview, records: [], errors: [] } }),
    ...(checks && { checks: checks.map(shortCheck) }),
    ...(rollback && {
      rollback: {
        ...rollback,
        ...(rollback.checks && { checks: rollback.checks.map(shortCheck) }),
      },
    }),
    ...(actions && { actions: actions.slice(0, maxActions) }),
  };
}

/** Keeps how the run ended, so that the post step can repeat it if this process is killed before it told GitHub. */
export function keepReport(report: DeployReport): void {
  keepState(postState.outcome, withoutLongParts(report));
}

/** How the run ended, without its variables; undefined if it was ended before that was known. */
export function readKeptReport(): KeptState<DeployReport> | undefined {
  return readKept(postState.outcome);
}
