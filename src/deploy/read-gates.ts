import type { Commit, Sha } from '../contract/commit.ts';
import type { Inputs } from '../inputs/input.ts';
import type { Values } from '../inputs.ts';
import { treeIn } from '../kernel/event/tree.ts';
import type { Problem } from '../kernel/problem.ts';
import type { DeploymentPlace } from '../records/deployment.ts';
import type { DeployRequest } from './deploy.ts';
import { isByHand, planLocations, type RecordingFacts } from './plan-recording.ts';
import { needsRecords, restingWord } from './records-needed.ts';

/** What our deployment records are asked for. */
export type Gates = Pick<DeployRequest, 'onOlder' | 'ifNeeded' | 'requireVerified' | 'rollsBack'>;

const names = [
  'require-verified',
  'github-deployment',
  'deploy',
  'commit-sha',
  'swap-projects',
] as const;

/** What is wrong with the inputs that rest on our records. */
export function gateProblems(
  inputs: Inputs<Pick<Values<'deploy'>, (typeof names)[number]>>,
): Problem[] {
  const problems = inputs.with(names, (values): Problem[] => {
    const { deploy, 'commit-sha': given } = values;
    if (given === 'PREVIOUS' && values['swap-projects'] !== undefined) {
      const message = 'PREVIOUS is not for swap-projects: give the commit';
      return [{ input: 'commit-sha', code: 'SD1101', message }];
    }
    const ofPrevious = given === 'PREVIOUS' ? needsRecords('commit-sha', values) : [];
    if (deploy === false) return ofPrevious;
    const asking = [
      ...(values['require-verified'] === undefined ? [] : (['require-verified'] as const)),
      ...(deploy === 'if-needed' ? (['deploy'] as const) : []),
    ];
    const problems = asking.flatMap((input) => {
      const message = `${restingWord(input)}needs a commit that GitHub knows, and commit-sha is HEAD`;
      const ofHead: Problem[] = given === 'HEAD' ? [{ input, code: 'SD1101', message }] : [];
      return [...needsRecords(input, values), ...ofHead];
    });
    return [...ofPrevious, ...problems];
  });
  return problems ?? [];
}

/** True if a run's code is to be seen as a preview, unless its project serves other domains. */
const isPreviewRun = ({ context, pullRequest }: RecordingFacts): boolean =>
  pullRequest !== undefined || context.event.name === 'merge_group';

/** True if only the domains of the project show whether a run goes to production. */
export const isUndecided = (recording: RecordingFacts): boolean => {
  const { deploy, 'allow-production': mayBeProduction } = recording.values;
  return deploy !== false && mayBeProduction && isPreviewRun(recording);
};

/** What of the inputs asks our records in a run of this commit. */
export function gatesOf(recording: RecordingFacts, commit: Commit): Gates {
  const { values } = recording;
  const { 'on-older': onOlder, deploy } = values;
  if (deploy === false) return {};
  const isPreview = isPreviewRun(recording);
  const requireVerified = isPreview ? 'in-production' : true;
  return {
    ...(onOlder !== 'deploy' && !isByHand(recording) && commit !== 'HEAD' && { onOlder }),
    ...(deploy === 'if-needed' && { ifNeeded: true as const }),
    ...(values['on-failed-checks'] === 'roll-back' && { rollsBack: true as const }),
    ...(values['require-verified'] && { requireVerified }),
  };
}

/** What our records of a run's own place are read with. */
export interface HistoryFacts {
  /** Undefined if nothing is recorded there. */
  place: DeploymentPlace | undefined;
  /** The tree of the commit, where the event tells it. */
  tree: Sha | undefined;
}

/** What the records of a run are read with; undefined if nothing asks for them. */
export function historyFactsOf(
  recording: RecordingFacts,
  commit: Commit,
  gates: Gates,
): HistoryFacts | undefined {
  const { requireVerified, ...others } = gates;
  const asksForPreview = requireVerified === true || (requireVerified && isUndecided(recording));
  if (!asksForPreview && Object.keys(others).length === 0) return undefined;
  const { deployment: place } = planLocations(recording);
  return { place, tree: treeIn(recording.context.event, commit) };
}
