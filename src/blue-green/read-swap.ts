import type { ChecksRequest } from '../checks/intent.ts';
import type { Step } from '../frame/step.ts';
import type { DeployTarget } from '../frame/target.ts';
import { namesOf } from '../inputs/input.ts';
import type { Values } from '../inputs.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import type { PreviewRequest } from '../previews/preview.ts';
import type { PreviewName } from '../previews/read-preview.ts';
import type { Target } from '../release/context.ts';
import { swapInputs } from './inputs.ts';
import { checksBefore } from './plan.ts';

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

/** What is wrong with the two inputs and those that they depend on. */
function misuses(
  values: SwapValues,
  { context }: Step<'deploy'>,
  name: PreviewName | undefined,
): readonly (readonly [input: string, fault: string | false])[] {
  const { 'swap-projects': projects, 'swap-domains': domains, 'preview-domain': template } = values;
  const isMerged = context.event.trust.code === 'merged';
  const isMoved = name !== undefined && domains?.includes(name.hostname) === true;
  const noPreview =
    template === undefined
      ? 'needs preview-domain, where the idle project is checked before the domains move'
      : 'needs a preview-domain without {number}';
  return [
    ['swap-projects', projects === undefined && 'is empty, but swap-domains needs it'],
    ['swap-domains', domains === undefined && 'is empty, but swap-projects needs it'],
    ['project-id', values['project-id'] !== undefined && 'must be empty: swap-projects names both'],
    [
      'preview-projects',
      values['preview-projects'] !== undefined && 'must be empty with swap-projects',
    ],
    [
      'swap-projects',
      !isMerged &&
        'is for merged code, not for runs of a pull request or a merge queue. Use other inputs for those runs',
    ],
    [
      'swap-projects',
      isMerged && (template === undefined || template.includes('{number}')) && noPreview,
    ],
    [
      'preview-domain',
      template?.includes('{sha}') === true &&
        'must not contain {sha} with swap-projects: each commit would connect another domain',
    ],
    [
      'preview-domain',
      isMoved && 'must not be one of swap-domains: it is where the idle project is checked',
    ],
    ['deploy', values.deploy !== true && 'must be true with swap-projects'],
    [
      'on-failed-checks',
      values['on-failed-checks'] === 'roll-back' &&
        'must not be roll-back with swap-projects, which moves the domains back itself',
    ],
    [
      'wait',
      values.wait === 'none' &&
        'must not be none with swap-projects: the domains move after the deployment has succeeded',
    ],
  ];
}

/** What is wrong with the inputs of a swap; nothing while one of them is invalid by itself. */
export function swapProblems(step: Step<'deploy'>, name: PreviewName | undefined): Problem[] {
  const check = (values: SwapValues) =>
    misuses(values, step, name).flatMap(([input, message]): Problem[] =>
      message === false ? [] : [{ input, code: 'SD1101', message }],
    );
  return step.inputs.with(rule, check) ?? [];
}

/** What a run of a swap deploys to, and its checks before the domains move. */
interface SwapWork {
  target: Extract<Target, { kind: 'swap' }>;
  checks?: ChecksRequest;
}

/**
 * Plans a swap: the checks run at the preview's domain first, and at the domains after the move. A preview that is not
 * verified can't be checked, and then nothing moves.
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
