import { checkNames } from '../checks/read-checks.ts';
import { type RunCommit, shaOf } from '../contract/commit.ts';
import { accessOf } from '../frame/access.ts';
import type { Preflight } from '../frame/action.ts';
import type { Step } from '../frame/step.ts';
import type { DeploymentSeries } from '../github-api/deployments.ts';
import type { Inputs } from '../inputs/input.ts';
import type { Values } from '../inputs.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import type { SweepRequest } from '../previews/end-preview.ts';
import type { SweepIntent } from '../previews/intent.ts';
import { endIntent, matcherOf } from '../previews/read-preview.ts';
import type { DeployRequest } from './deploy.ts';
import { isByHand, planLocations, type RecordingFacts } from './plan-recording.ts';
import { queryIfOpen } from './query-pull-request.ts';

/** What of a run depends on earlier deployments. */
type ReleaseGates = Pick<DeployRequest, 'onOlder' | 'ifNeeded' | 'rollsBack'>;

const names = ['github-deployment', 'deploy', 'commit-sha'] as const;

/** What is wrong with the inputs that depend on earlier deployments. */
export function gateProblems(
  inputs: Inputs<Pick<Values<'deploy'>, (typeof names)[number]>>,
): Problem[] {
  const problems = inputs.with(names, (values): Problem[] => {
    const { deploy, 'commit-sha': given } = values;
    const ofPrevious = given === 'PREVIOUS' ? needsRecords('commit-sha', values) : [];
    if (deploy === false) return ofPrevious;
    const needing = [...(deploy === 'if-needed' ? (['deploy'] as const) : [])];
    const problems = needing.flatMap((input) => {
      const message = `${dependentValue(input)}needs a commit that GitHub knows, but commit-sha is HEAD`;
      const ofHead: Problem[] = given === 'HEAD' ? [{ input, code: 'SD1101', message }] : [];
      return [...needsRecords(input, values), ...ofHead];
    });
    return [...ofPrevious, ...problems];
  });
  return problems ?? [];
}

/** True if a run's code is a preview, unless its project serves other domains. */
const isPreviewRun = ({ context, pullRequest }: RecordingFacts): boolean =>
  pullRequest !== undefined || context.event.kind === 'merge-group';

/** True if only the domains of the project decide whether a run goes to production. */
export const isUndecided = (recording: RecordingFacts): boolean => {
  const { deploy, 'allow-production': mayBeProduction } = recording.values;
  return deploy !== false && mayBeProduction && isPreviewRun(recording);
};

/** The input `on-older`, or its default: `deploy` for previews, which have a series of their own, and without records. */
function onOlderOf(recording: RecordingFacts): 'skip' | 'fail' | 'deploy' {
  const { 'on-older': given, 'github-deployment': isRecorded } = recording.values;
  return given ?? (isRecorded && !isPreviewRun(recording) ? 'skip' : 'deploy');
}

/** Which inputs depend on earlier deployments in a run of this commit. */
export function gatesOf(recording: RecordingFacts, commit: RunCommit): ReleaseGates {
  const { values } = recording;
  const { deploy } = values;
  if (deploy === false) return {};
  const onOlder = onOlderOf(recording);
  return {
    ...(onOlder !== 'deploy' && !isByHand(recording) && shaOf(commit) !== undefined && { onOlder }),
    ...(deploy === 'if-needed' && { ifNeeded: true as const }),
    ...(values['on-failed-checks'] === 'roll-back' && { rollsBack: true as const }),
  };
}

/** How the records of a run's own series are read. */
export interface HistoryFacts {
  /** Undefined if nothing is recorded there. */
  series: DeploymentSeries | undefined;
  /** The branch of the commit, if it is known: its head is never older. */
  branch: string | undefined;
}

/** The branch of the commit. That of a fork is not known: the repository may have another one of the same name. */
function branchOf({ context, pullRequest }: RecordingFacts): string | undefined {
  if (pullRequest === undefined) return context.event.isTag ? undefined : context.event.branch;
  return pullRequest.isFork ? undefined : pullRequest.branch;
}

/** How the records of a run are read; undefined if no input needs them. */
export function historyFactsOf(
  recording: RecordingFacts,
  gates: ReleaseGates,
): HistoryFacts | undefined {
  if (Object.keys(gates).length === 0) return undefined;
  const { deployment: series } = planLocations(recording);
  return { series, branch: branchOf(recording) };
}

/** True if a run sweeps besides its sync, or may: with an invalid input that is not known. */
export function maySweep({ inputs, context }: Step<'deploy'>): boolean {
  const isScheduled = ['schedule', 'manual'].includes(context.event.kind);
  const sweeps = inputs.with(
    ['preview-domain', 'deploy', 'mode'],
    ({ 'preview-domain': template, deploy, mode }) =>
      template !== undefined && !deploy && mode !== 'plan',
  );
  return isScheduled && sweeps !== false;
}

/** A sweep, and what is explained of it. */
export type PlannedSweep = SweepRequest & SweepIntent;

/** The sweep of a scheduled run, if it sweeps. */
export function sweepFor(
  step: Step<'deploy'>,
  values: Values<'deploy'>,
  preflight: Preflight,
): PlannedSweep | undefined {
  const { context } = step;
  const template = values['preview-domain'];
  if (template === undefined || !maySweep(step)) return undefined;
  return {
    matcher: matcherOf(template, context),
    ...endIntent(values),
    updates: { comment: values.comment !== 'false', deployment: values['github-deployment'] },
    isOpen: queryIfOpen(accessOf(values, context), context.can, preflight),
  };
}

const rollBackNames = ['on-failed-checks', 'deploy', 'github-deployment', 'wait'] as const;

/** What a rollback needs. */
interface Facts {
  /** True if there are checks. */
  isChecked: boolean;
  /** Undefined if not known. */
  commit: RunCommit | undefined;
}

/** What is wrong with `on-failed-checks: roll-back`, which needs checks, records, and a commit in them. */
export function rollBackProblems(
  { inputs }: Pick<Step<'deploy'>, 'inputs'>,
  { isChecked, commit }: Facts,
): Problem[] {
  const input = 'on-failed-checks';
  // An invalid check still counts as one.
  const mayBeChecked = isChecked || inputs.with(checkNames, () => true) === undefined;
  const needs = (message: string): Problem[] => [{ input, code: 'SD1101', message }];
  return (
    inputs.with(rollBackNames, (values) => {
      if (values[input] !== 'roll-back' || values.deploy === false) return [];
      return [
        ...needsRecords(input, values),
        ...(mayBeChecked
          ? []
          : needs('roll-back needs a check: set verify-url, or checks in the file of config')),
        ...(values.wait === 'none' ? needs('roll-back needs a wait other than none') : []),
        ...(commit === 'HEAD'
          ? needs('roll-back needs a commit SHA, but commit-sha is HEAD: use 40 hex digits')
          : []),
      ];
    }) ?? []
  );
}

/** The inputs that need recorded deployments. */
type Dependent = 'on-failed-checks' | 'deploy' | 'commit-sha';

/** The value of an input that needs them, if not all its values do; with a space after it. */
const dependentValue = (input: Dependent): string =>
  input === 'deploy' ? 'if-needed ' : input === 'commit-sha' ? 'PREVIOUS ' : '';

/** What is wrong with an input that needs recorded deployments if none are recorded. */
function needsRecords(
  input: Dependent,
  { 'github-deployment': isRecorded }: Pick<Values<'deploy'>, 'github-deployment'>,
): Problem[] {
  if (isRecorded) return [];
  const message = 'needs github-deployment: true';
  return [{ input, code: 'SD1101', message: `${dependentValue(input)}${message}` }];
}
