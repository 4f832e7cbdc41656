import type { ChecksRequest } from '../checks/intent.ts';
import type { Step } from '../frame/step.ts';
import type { DeployTarget } from '../frame/target.ts';
import { namesOf } from '../inputs/input.ts';
import type { Values } from '../inputs.ts';
import { trustIn } from '../kernel/event/trust.ts';
import type { Problem } from '../kernel/problem.ts';
import type { PreviewRequest } from '../previews/preview.ts';
import type { PreviewName } from '../previews/read-preview.ts';
import type { Target } from '../release/context.ts';
import { swapInputs } from './inputs.ts';
import { checksBefore } from './model/swap-checks.ts';

const rule = [
  ...namesOf(swapInputs),
  'project-id',
  'preview-projects',
  'preview-domain',
  'deploy',
  'wait',
  'on-failed-checks',
] as const;
type SwapValues = Pick<Values<'deploy'>, (typeof rule)[number]>;

/** What speaks against the two inputs, and which of the inputs is the wrong one. */
function misuses(
  values: SwapValues,
  { context }: Step<'deploy'>,
  name: PreviewName | undefined,
): readonly (readonly [input: string, fault: string | false])[] {
  const { 'swap-projects': projects, 'swap-domains': domains, 'preview-domain': template } = values;
  const isMerged = trustIn(context.event).code === 'merged';
  const isMoved = name !== undefined && domains?.includes(name.hostname) === true;
  const noPreview =
    template === undefined
      ? 'needs preview-domain, where the idle project is checked before anything is moved'
      : 'needs a preview-domain without {number}';
  return [
    ['swap-projects', projects === undefined && 'is empty, and swap-domains needs it'],
    ['swap-domains', domains === undefined && 'is empty, and swap-projects needs it'],
    ['project-id', values['project-id'] !== undefined && 'must be empty: swap-projects names both'],
    [
      'preview-projects',
      values['preview-projects'] !== undefined && 'must be empty: swap-projects has no leases',
    ],
    [
      'swap-projects',
      !isMerged &&
        'is for merged code: a run of a pull request or a merge queue must not go live. Give those runs inputs of their own',
    ],
    [
      'swap-projects',
      isMerged && (template === undefined || template.includes('{number}')) && noPreview,
    ],
    [
      'preview-domain',
      template?.includes('{sha}') === true &&
        '{sha} would connect another domain for each commit: leave it out with swap-projects',
    ],
    [
      'preview-domain',
      isMoved &&
        'is one of swap-domains: it must be another hostname, where the idle project is checked',
    ],
    [
      'deploy',
      values.deploy !== true &&
        'must be true with swap-projects: only what was deployed and checked is moved to',
    ],
    [
      'on-failed-checks',
      values['on-failed-checks'] === 'roll-back' &&
        'is roll-back, and swap-projects has a way back of its own: the domains move back to the former project',
    ],
    [
      'wait',
      values.wait === 'none' &&
        'is none, and swap-projects moves domains only once the deployment has succeeded',
    ],
  ];
}

/** What is wrong with the inputs of a swap; nothing as long as one of them is wrong by itself. */
export function swapProblems(step: Step<'deploy'>, name: PreviewName | undefined): Problem[] {
  const look = (values: SwapValues) =>
    misuses(values, step, name).flatMap(([input, message]): Problem[] =>
      message === false ? [] : [{ input, code: 'SD1101', message }],
    );
  return step.inputs.with(rule, look) ?? [];
}

/** What a run of a swap deploys to, and what is checked before anything is moved. */
export interface SwapWork {
  target: Extract<Target, { kind: 'swap' }>;
  checks?: ChecksRequest;
}

/**
 * Turns a swap into what is to be done: the checks are run at the preview's domain first, and later at the domains
 * that move. A preview that is not verified cannot be checked, and then nothing is moved.
 */
export function swapWork(
  { kind, ...settings }: Extract<DeployTarget, { kind: 'swap' }>,
  preview: PreviewRequest,
  checks: ChecksRequest | undefined,
): SwapWork {
  const swap = { ...settings, ...(checks && { checks }) };
  if (checks === undefined) return { target: { kind, swap, preview } };
  return {
    target: {
      kind,
      swap,
      preview: {
        ...preview,
        onPending: 'fail',
        ...(preview.onPending !== 'fail' && { mustBeVerified: true as const }),
      },
    },
    checks: checksBefore(checks, settings.domains, preview.hostname),
  };
}
