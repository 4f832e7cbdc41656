import { explainError } from '../frame/explain-error.ts';
import type { Run } from '../frame/run.ts';
import { coded } from '../kernel/catalogue/coded.ts';
import { type SafeText, safe, trusted } from '../kernel/text/safe.ts';
import type { CleanUpRequest } from '../previews/clean-up.ts';
import { type CleanedUp, cleanUp } from '../previews/clean-up.ts';
import type { Removal } from '../previews/model/removal.ts';
import { type SweepRequest, type Swept, sweep } from '../previews/sweep.ts';
import type { DeployReport } from '../release/report.ts';
import type { SweptPreview } from './swept-preview.ts';

const words: Readonly<Record<CleanedUp, SafeText>> = {
  cleared: safe`is no longer assigned to a project`,
  disconnected: safe`is disconnected`,
  'not-connected': safe`was not connected`,
  unassigned: safe`was not assigned to a project`,
  'assigned-elsewhere': safe`is assigned to another project, and was left alone`,
  'not-recorded': safe`was left alone: no record of ours says that it is the preview of this pull request`,
};

const removals: Readonly<Record<CleanedUp, Removal>> = {
  cleared: 'done',
  disconnected: 'done',
  'not-connected': 'before',
  unassigned: 'before',
  'assigned-elsewhere': 'left',
  'not-recorded': 'left',
};

type CleanUpReport = Pick<
  DeployReport,
  'outcome' | 'error' | 'skippedReason' | 'actions' | 'removal'
>;

/** What is told of a preview that was ended. */
function endReport(hostname: string, result: CleanedUp) {
  const removal = removals[result];
  const stays = removal === 'done' ? safe` What was deployed to the project stays there.` : safe``;
  const action = safe`The pull request is closed: ${trusted(hostname)} ${words[result]}.${stays}`;
  return { outcome: 'cleaned-up', removal, actions: [action] } as const;
}

/** Ends the preview of a closed pull request, unless that is open again. */
export async function runCleanUp(
  run: Run,
  request: CleanUpRequest,
  isOpen: () => Promise<boolean | undefined>,
): Promise<CleanUpReport> {
  try {
    if ((await isOpen()) === true) {
      const error = coded('SD6008', safe`The pull request is open again: its preview stays.`);
      return { outcome: 'skipped', skippedReason: 'pull-request-open', error };
    }
    return endReport(request.hostname, await cleanUp(run, request));
  } catch (error) {
    return { outcome: 'failed', removal: 'unknown', error: explainError(error, run.host.clean) };
  }
}

/**
 * Ends the previews of all pull requests that are closed.
 *
 * @param record writes on GitHub that one was ended
 */
export async function runSweep(
  run: Run,
  request: SweepRequest,
  record: (swept: SweptPreview) => Promise<void>,
): Promise<CleanUpReport> {
  const onEnded: SweepRequest['onEnded'] = ({ number, projectId, hostname, result }) => {
    const cost = { phases: [], requests: 0, durationMs: 0 };
    const report = { ...cost, ...endReport(run.host.clean(hostname), result) };
    return record({ number, projectId, report });
  };
  try {
    const swept = await sweep(run, { ...request, onEnded });
    const told = (result: Swept['result']) =>
      typeof result === 'string' ? words[result] : explainError(result.error, run.host.clean);
    const actions = swept.map(
      ({ hostname, number, result }) =>
        safe`${run.host.clean(hostname)} (pull request ${number}) ${told(result)}`,
    );
    const wrong = swept.filter(({ result }) => typeof result !== 'string');
    if (wrong.length > 0) {
      const error = coded(
        'SD6010',
        safe`${wrong.length} of ${swept.length} previews could not be ended; the summary says why.`,
      );
      return { outcome: 'failed', actions, error };
    }
    return { outcome: swept.length === 0 ? 'synced' : 'cleaned-up', actions };
  } catch (error) {
    return { outcome: 'failed', error: explainError(error, run.host.clean) };
  }
}
