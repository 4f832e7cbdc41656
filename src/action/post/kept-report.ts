import type { CheckResult } from '../../checks/model/check-result.ts';
import { shorten } from '../../kernel/text/safe.ts';
import type { DeployReport } from '../../release/report.ts';
import { type KeptState, keepState, readKept } from './kept-state.ts';
import { postState } from './post-state.ts';

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
  wayBack,
  ...rest
}: DeployReport): DeployReport {
  return {
    ...rest,
    phases: [],
    ...(preview && { preview: { ...preview, records: [], errors: [] } }),
    ...(checks && { checks: checks.map(shortCheck) }),
    ...(wayBack && {
      wayBack: {
        ...wayBack,
        ...(wayBack.checks && { checks: wayBack.checks.map(shortCheck) }),
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
