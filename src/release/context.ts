import type { SiteChecks } from '../checks/apply.ts';
import type { CheckedDomain } from '../checks/await-checks.ts';
import type { ChecksRequest } from '../checks/intent.ts';
import type { Commit } from '../contract/commit.ts';
import type { CustomWords } from '../follow/model/status.ts';
import type { Ending } from '../frame/ending.ts';
import type { Found, Run } from '../frame/step.ts';
import type { SafeText } from '../kernel/text/safe.ts';
import type { LedgerKeeper } from '../ledger/ledger-keeper.ts';
import type { PreviewRequest } from '../previews/preview.ts';
import type { Pusher } from '../push/pusher.ts';
import type { VariablesRequest } from '../variables/intent.ts';
import type { DeployReport, Phase, SwapRequest } from './model/report.ts';
import type { DeployHistory } from './release-history.ts';

/** The project to deploy to: one that is given, one of some that previews lease, or the idle one of two. */
export type Target =
  | { kind: 'project'; id: string; preview?: PreviewRequest }
  | { kind: 'lease'; from: readonly string[]; preview: PreviewRequest; ignoresProject?: true }
  | { kind: 'swap'; swap: SwapRequest; preview: PreviewRequest };

/** What the deploy command is asked to do. Everything has been checked. */
export interface DeployRequest extends VariablesRequest {
  target: Target;
  commit: Commit;
  /** False: sync the environment only. */
  deploy: boolean;
  /** Absent if the commit is not to be brought: nothing is deployed, or it is there already. */
  bringing?: Pusher;
  ledgers: LedgerKeeper;
  /** True: read, show what would change, and write nothing. */
  planOnly: boolean;
  wait: 'auto' | 'stream' | 'poll' | 'none';
  /** Path templates with `{projectId}` and `{deploymentId}`. */
  statusPath: string;
  eventsPath: string;
  customWords: CustomWords;
  /** What the site must answer; absent if nothing is asked. */
  checks?: ChecksRequest;
  /** Present: a deployment whose checks fail is undone. It needs {@link checks} and {@link history}. */
  rollsBack?: true;
  /** What was deployed before, by our own records; absent where no input asks for it. */
  history?: DeployHistory;
  /** What becomes of a commit that is older than what was deployed before; absent: it is deployed. */
  onOlder?: 'skip' | 'fail';
  /** Deploy only if the commit is not live already. */
  ifNeeded?: true;
  /** Deploy only files that were on a preview whose checks held; or only where it turns out to be production. */
  requireVerified?: true | 'in-production';
  /** Takes whether the run goes to production, and with which project; absent if that is known without a look. */
  place?: { decide(isProduction: boolean, projectId: string): void };
  /** True if nothing of the run must reach domains other than the preview: its code is not merged. */
  guarded: boolean;
  /** Absent unless its code is an open pull request's. */
  isPullRequest?: true;
  /** Is told that the deployment has ended well, and that only whether the pull request is open is asked once more. */
  onEnding?: () => void;
}

/** The commit that a run is about: none where nothing is deployed, unless one was named. */
export const knownCommit = ({ commit, deploy }: DeployRequest): { commit?: Commit } =>
  deploy || commit !== 'HEAD' ? { commit } : {};

/** What a report says of what was found. */
export type DeployFindings = Omit<DeployReport, keyof Ending | 'requests' | 'durationMs'>;

/** A run that is under way, and what its stages share. */
export interface ReleaseContext extends Run {
  request: DeployRequest;
  /** The project that was given, leased, or found idle. */
  projectId: string;
  /** Ends a run that must not deploy there any more, by a look right before that; absent if nothing can have changed. */
  lastLook?(run: Run): Promise<void>;
  /** The checks of the site; undefined if there are none. */
  checks: SiteChecks | undefined;
  /** The preview's domain beside the run; absent if none is followed. */
  domain?: CheckedDomain & {
    /** A check held at its address. */
    held(): void;
  };
  found: Found<DeployFindings>;
  /**
   * Takes what the run waits for from now on: in words, what was seen of it last, and what somebody can do.
   *
   * @param restsOnChecks true if nothing but the checks could show it, so that a time-out leaves it unconfirmed
   */
  waitsFor(describe: () => SafeText, restsOnChecks?: () => boolean): void;
  /** Times a part of the run, also when it fails. */
  phase<T>(name: Phase['name'], work: () => Promise<T>): Promise<T>;
}

/** A run before its project is found. */
export type SetupContext = Omit<ReleaseContext, 'projectId'>;

/** Times the parts of a run, in milliseconds since its start. */
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
