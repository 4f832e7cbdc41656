import type { SiteChecks } from '../checks/apply.ts';
import type { CheckedDomain } from '../checks/await-checks.ts';
import type { ChecksRequest } from '../checks/intent.ts';
import type { Commit, RunCommit } from '../contract/commit.ts';
import type { CustomStatuses } from '../follow/model/status.ts';
import type { Found, Run } from '../frame/step.ts';
import type { SafeText } from '../kernel/text/safe.ts';
import type { LedgerKeeper } from '../ledger/model/ledger.ts';
import type { PreviewRequest } from '../previews/preview.ts';
import type { Pusher } from '../push/push-commit.ts';
import type { VariablesRequest } from '../variables/intent.ts';
import type { DeployState, Phase } from './model/report.ts';
import type { DeployHistory } from './release-history.ts';

/** The project to deploy to: one that is given, or one of some that previews lease. */
export type Target =
  | { kind: 'project'; id: string; preview?: PreviewRequest }
  | { kind: 'lease'; from: readonly string[]; preview: PreviewRequest; ignoresProject?: true };

/** What a deploy run does. All values are valid. */
export interface DeployRequest extends VariablesRequest {
  target: Target;
  commit: RunCommit;
  /** False: sync the environment only. */
  deploy: boolean;
  /** Absent if no commit is pushed: nothing is deployed, or the repository has it. */
  pusher?: Pusher;
  ledgers: LedgerKeeper;
  /** True: read, show what would change, and write nothing. */
  planOnly: boolean;
  wait: 'auto' | 'stream' | 'poll' | 'none';
  /** Path templates with `{projectId}` and `{deploymentId}`. */
  statusPath: string;
  eventsPath: string;
  customStatuses: CustomStatuses;
  /** The checks of the site; absent if there are none. */
  checks?: ChecksRequest;
  /** Present: a deployment whose checks fail is rolled back. It needs {@link checks} and {@link history}. */
  rollsBack?: true;
  /** The GitHub deployments created by this action; absent if no input needs them. */
  history?: DeployHistory;
  /** What happens if the commit is older than the last release; absent: it is deployed. */
  onOlder?: 'skip' | 'fail';
  /** Deploy only if the commit is not live already. */
  ifNeeded?: true;
  /** Called with whether the run goes to production, and with which project; absent if that is known from the event. */
  onProductionDecided?: (isProduction: boolean, projectId: string) => void;
  /** True if the code is not merged, and so must not reach other domains than the preview's. */
  guarded: boolean;
  /** Absent unless its code is an open pull request's. */
  isPullRequest?: true;
  /** Called once the deployment has succeeded, before the pull request's state is read a last time. */
  onEnding?: () => void;
}

/** The commit of a run: none if nothing is deployed, unless the input names one. */
export const knownCommit = ({ commit, deploy }: DeployRequest): { commit?: Commit } =>
  commit === null || (commit === 'HEAD' && !deploy) ? {} : { commit };

/** A run, and what its stages share. */
export interface ReleaseContext extends Run {
  request: DeployRequest;
  /** The project that was given or leased. */
  projectId: string;
  /** The checks of the site; undefined if there are none. */
  checks: SiteChecks | undefined;
  /** The preview's domain; absent if none is followed. */
  domain?: CheckedDomain & {
    /** A check passed at its address. */
    passed(): void;
  };
  /** Checks right before the deployment that it is still allowed; throws if not. Absent if nothing can have changed. */
  recheck?(run: Run): Promise<void>;
  found: Found<DeployState>;
  /**
   * Sets what the run waits for from now on, as sentences for the error of a timeout.
   *
   * @param restsOnChecks true if only the checks could confirm it, so that a timeout leaves it unconfirmed
   */
  waitsFor(describe: () => SafeText, restsOnChecks?: () => boolean): void;
  /** Measures a part of the run, also if it fails. */
  phase<T>(name: Phase['name'], work: () => Promise<T>): Promise<T>;
}

/** A run before its project is found. */
export type SetupContext = Omit<ReleaseContext, 'projectId'>;

/** Measures the parts of a run, in milliseconds since its start. */
export function timer({ host, started }: Run, phases: Phase[]): ReleaseContext['phase'] {
  return async (name, work) => {
    const start = host.clock.now() - started;
    try {
      return await work();
    } finally {
      phases.push({ name, start, end: host.clock.now() - started });
    }
  };
}
