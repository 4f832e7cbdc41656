import type { ChecksRequest } from '../checks/intent.ts';
import type { RunCommit } from '../contract/commit.ts';
import type { Declared } from '../declared/declared.ts';
import { readService } from '../follow/model/service.ts';
import { accessOf } from '../frame/access.ts';
import {
  entries,
  type Preflight,
  type Prepared,
  type Ready,
  warningEntries,
} from '../frame/action.ts';
import { plannedCleanUp } from '../frame/skip.ts';
import type { Step } from '../frame/step.ts';
import type { DeployTarget } from '../frame/target.ts';
import type { Values } from '../inputs.ts';
import type { PullRequest, RunEvent } from '../kernel/event.ts';
import type { CleanUpRequest } from '../previews/end-preview.ts';
import type { NoPreview } from '../previews/intent.ts';
import type { PreviewRequest } from '../previews/preview.ts';
import { endIntent, type PreviewName, previewRequest } from '../previews/read-preview.ts';
import type { PushIntent } from '../push/intent.ts';
import type { ReadPush } from '../push/read-push.ts';
import type { PlannedDeployment } from '../releases/own-record.ts';
import type { LogEntry } from '../report/log-entry.ts';
import type { VariablesRequest } from '../variables/intent.ts';
import type { DeployRequest } from './deploy.ts';
import { type CommitOrigin, commitWarnings, originOf } from './intent.ts';
import { planRecording } from './plan-recording.ts';
import { queryIfOpen, withHeadStart } from './query-pull-request.ts';
import {
  gatesOf,
  type HistoryFacts,
  historyFactsOf,
  isUndecided,
  type PlannedSweep,
  sweepFor,
} from './read-gates.ts';
import type { RecordingPlan } from './recorder.ts';

/** What all work of a deploy step needs. */
interface CommonWork {
  values: Values<'deploy'>;
  /** Where its commit comes from. */
  origin: CommitOrigin;
  record: RecordingPlan;
}

/** A deploy request, without what is opened during the first request. */
interface PlannedRequest
  extends Omit<DeployRequest, keyof VariablesRequest | 'ledgers' | 'history'> {
  push: PushIntent;
  /** Why there is no preview; absent with one. */
  noPreview?: NoPreview;
}

/** Deploys and sweeps, each if configured. */
export interface DeployWork extends CommonWork {
  kind: 'deploy';
  request: PlannedRequest | undefined;
  /** How the recorded deployments are read; undefined if no input needs them. */
  history: HistoryFacts | undefined;
  /** What is checked without a project to sync or deploy to. */
  watch: ChecksRequest | undefined;
  /** The template of the hostname that the checks may contain. */
  template: string | undefined;
  sweep: PlannedSweep | undefined;
  /** What is recorded if the run goes to production with a project; absent if that is known from the event. */
  inProduction?: (projectId: string) => PlannedDeployment | undefined;
  /** Begins to read whether the preview's pull request is open; the first query gets that result. */
  beginQuery: () => void;
}

/** Ends a preview. */
interface CleanUpWork extends CommonWork {
  kind: 'clean-up';
  /** The template of the hostname. */
  template: string;
  request: CleanUpRequest;
  /** Whether the pull request is open again; undefined if not known. */
  isOpen: () => Promise<boolean | undefined>;
}

/** What a step is to do. */
export type StepWork = DeployWork | CleanUpWork;

/** The parts of a deploy request that come from one input each. */
function plainRequest(values: Values<'deploy'>) {
  const { paths, customStatuses } = readService(values.service);
  return {
    deploy: values.deploy !== false,
    planOnly: values.mode === 'plan',
    wait: values.wait,
    statusPath: paths['deployment-status'],
    eventsPath: paths['deployment-events'],
    customStatuses,
  };
}

/** Where a run deploys to, with its preview, and what is checked there; undefined if it deploys nothing. */
function withPreview(
  target: DeployTarget,
  preview: PreviewRequest | undefined,
  checks: DeployRequest['checks'],
): Pick<DeployRequest, 'target' | 'checks'> | undefined {
  const checked = checks && { checks };
  if (target.kind === 'none') return undefined;
  if (target.kind === 'project') {
    return { target: { ...target, ...(preview && { preview }) }, ...checked };
  }
  if (preview === undefined) throw new Error('a lease without a preview');
  return { target: { ...target, preview }, ...checked };
}

/** The log before the work begins: warnings, and inputs without effect. */
function logBefore(
  { values, origin, record }: CommonWork,
  { warnings }: Declared,
  event: RunEvent,
): LogEntry[] {
  const isUseless = !values.deploy && values['git-url'] !== undefined;
  const notes = isUseless ? ['git-url is not used: deploy is false'] : [];
  const doubts = values.deploy === false ? [] : commitWarnings(event, origin, record.commit);
  return [...warningEntries([...warnings, ...doubts]), ...entries('line', notes)];
}

/** How the preview of a closed pull request is ended. */
function cleanUpWork(
  common: Omit<CleanUpWork, 'kind' | 'template' | 'request'>,
  { template, hostname }: PreviewName,
): Ready<StepWork> {
  const request = { hostname, ...endIntent(common.values) };
  return { kind: 'work', logEntries: [], work: { kind: 'clean-up', ...common, template, request } };
}

/** What a deploy run is planned from. */
interface DeployFacts {
  values: Values<'deploy'>;
  pullRequest: PullRequest | undefined;
  commit: RunCommit;
  /** The preview that it may have. */
  name: PreviewName | undefined;
  target: DeployTarget;
  checks: DeployRequest['checks'];
  /** Undefined if one of its inputs is wrong. */
  pushing: ReadPush | undefined;
}

/** Why a run has no preview: without a pull request, there is no {number}. */
const noPreviewOf = ({ 'preview-domain': template }: Values<'deploy'>): NoPreview =>
  template === undefined ? 'no-template' : 'no-number';

/** The deploy request without its target. */
function requestOf({ context }: Step<'deploy'>, facts: DeployFacts) {
  const { values, pullRequest, commit, name, pushing } = facts;
  const isGuarded = pullRequest !== undefined || context.event.trust.code !== 'merged';
  return {
    ...plainRequest(values),
    commit,
    guarded: isGuarded && !values['allow-production'],
    ...(pullRequest && { isPullRequest: true as const }),
    ...(name === undefined && { noPreview: noPreviewOf(values) }),
    ...(pushing ?? { push: { kind: 'none' as const } }),
  };
}

/** Plans the work of a run. The service gets no request. */
export function planWork(
  step: Step<'deploy'>,
  facts: DeployFacts,
  declared: Declared,
  preflight: Preflight,
): Prepared<StepWork> {
  const { context } = step;
  const { values, pullRequest, commit, name, target, checks } = facts;
  const isClosed = pullRequest?.isOpen === false;
  if (isClosed && values.mode === 'plan') return plannedCleanUp;
  const recording = { ...facts, context };
  const gates = gatesOf(recording, commit);
  const history = historyFactsOf(recording, gates);
  const recorded = planRecording(recording, commit);
  const mayBeProduction = isUndecided(recording);
  const waits = history !== undefined || mayBeProduction;
  const record = waits ? { ...recorded, waits } : recorded;
  const query = queryIfOpen(accessOf(values, context), context.can, preflight);
  const opening = withHeadStart(async () => pullRequest && (await query(pullRequest.number)));
  const isOpen = opening.query;
  const common = { values, record, origin: originOf(values['commit-sha'], context.event) };
  if (isClosed) {
    if (name === undefined) throw new Error('a closed pull request without a preview');
    return cleanUpWork({ ...common, isOpen }, name);
  }
  const open = name && { ...previewRequest(name, values, context), ...(pullRequest && { isOpen }) };
  const to = withPreview(target, open, checks);
  const request = to && {
    ...requestOf(step, facts),
    ...gates,
    isUndecided: mayBeProduction,
    ...to,
  };
  const work: StepWork = {
    kind: 'deploy',
    ...common,
    request,
    history,
    ...(mayBeProduction && {
      inProduction: (production) => planRecording({ ...recording, production }, commit).deployment,
    }),
    watch: request === undefined && values.mode !== 'plan' ? checks : undefined,
    template: name?.template,
    sweep: sweepFor(step, values, preflight),
    beginQuery: opening.begin,
  };
  return { kind: 'work', logEntries: logBefore(work, declared, context.event), work };
}
