import type { CheckResult } from '../../checks/result.ts';
import { digestOf } from '../../kernel/change.ts';
import { shorten } from '../../kernel/text/safe.ts';
import type { ReadKept, Save } from '../../platform.ts';
import type { DeployReport } from '../../release/model/report.ts';

/** The names under which the main step saves state for the post step. */
export const postState = {
  /** `true` once a deployment was requested and not refused. */
  requested: 'requested',
  /** What the step does: `deploy` or `clean-up`. */
  work: 'work',
  /** `true` once the run was canceled. */
  cancelled: 'cancelled',
  /** The project that is deployed to, once it is known. */
  project: 'project-id',
  /** The service's deployment, once it is accepted. */
  deployment: 'deployment-id',
  /** `true` once that has succeeded. */
  succeeded: 'succeeded',
  /** The rollback, once it began, as JSON. */
  rollback: 'way-back',
  /** What to record on GitHub, as JSON. */
  record: 'record',
  /** The GitHub deployment, once there is one. */
  recordedDeployment: 'github-deployment-id',
  /** The comment, once it was written. */
  comment: 'comment-id',
  /** The report of the run, as JSON, before it is reported to GitHub. */
  outcome: 'outcome',
  /** `true` once the main step has reported its end. */
  reported: 'reported',
} as const;

/** A saved value, or `damaged`. */
type KeptState<Value> = { value: Value } | 'damaged';

/** Detects state that was cut off or changed, in hex digits. */
const checksumOf = (json: string): string => digestOf([json]).slice(0, 16);

/** Saves a value for the post step as JSON after its checksum: if the step is killed, the file may be cut off. */
export function keepState(save: Save, name: string, value: unknown): void {
  const json = JSON.stringify(value);
  save(name, `${checksumOf(json)} ${json}`);
}

/**
 * Reads what {@link keepState} saved under the same name. The type is not checked.
 *
 * @returns undefined if nothing was saved
 */
export function readKept<Value>(read: ReadKept, name: string): KeptState<Value> | undefined {
  const kept = read(name);
  if (kept === '') return undefined;
  const [checksum = ''] = kept.split(' ', 1);
  const json = kept.slice(checksum.length + 1);
  return checksum === checksumOf(json) ? { value: JSON.parse(json) } : 'damaged';
}

/** The most lines of a clean-up that are saved. */
const maxActions = 20;

/** A check with its texts cut. */
const shortCheck = (check: CheckResult): CheckResult => ({
  ...check,
  what: shorten(check.what, 120),
  expected: shorten(check.expected, 60),
  actual: shorten(check.actual, 80),
});

/** A short report: the runner passes it to the post step in an environment variable. */
function withoutLongParts({
  environment,
  preview,
  actions,
  checks,
  rollback,
  ...rest
}: DeployReport) {
  return {
    ...rest,
    phases: [],
    ...(preview && {
      preview: {
        ...preview,
        ...(preview.domain && { domain: { ...preview.domain, records: [], errors: [] } }),
      },
    }),
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

/** Saves the report, so that the post step can report it if this process is killed first. */
export function keepReport(save: Save, report: DeployReport): void {
  keepState(save, postState.outcome, withoutLongParts(report));
}

/** The saved report, without its variables; undefined if the step was killed before it was saved. */
export function readKeptReport(read: ReadKept): KeptState<DeployReport> | undefined {
  return readKept(read, postState.outcome);
}
