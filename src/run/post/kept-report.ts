import type { DeployReport } from '../../core/report/report.ts';
import { type KeptState, keepState, readKept } from './kept-state.ts';
import { postState } from './post-state.ts';

/** The most lines of a clean-up that are kept. */
const maxActions = 20;

/** What is never long: the runner hands it to the post step in an environment variable. */
function withoutLongParts({ environment, preview, actions, ...rest }: DeployReport): DeployReport {
  return {
    ...rest,
    phases: [],
    ...(preview && { preview: { ...preview, records: [], errors: [] } }),
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
