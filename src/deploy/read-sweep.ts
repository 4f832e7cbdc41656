import { accessOf } from '../frame/access.ts';
import type { WayIn } from '../frame/action.ts';
import type { Step } from '../frame/step.ts';
import { previewProjects } from '../frame/target.ts';
import type { Values } from '../inputs.ts';
import { matcherOf } from '../previews/read-preview.ts';
import type { SweepRequest } from '../previews/sweep.ts';
import { askIfOpen } from './pull-request.ts';

/** True if a run sweeps beside its sync, or may: while one of the inputs is wrong, that cannot be told. */
export function maySweep({ inputs, context }: Step<'deploy'>): boolean {
  const isScheduled = ['schedule', 'workflow_dispatch'].includes(context.event.name);
  const sweeps = inputs.with(
    ['preview-domain', 'deploy', 'mode'],
    ({ 'preview-domain': template, deploy, mode }) =>
      template !== undefined && !deploy && mode !== 'plan',
  );
  return isScheduled && sweeps !== false;
}

/** The sweep of a scheduled run, if it sweeps: it needs nothing but the domains and GitHub. */
export function sweepFor(
  step: Step<'deploy'>,
  values: Values<'deploy'>,
  wayIn: WayIn,
): SweepRequest | undefined {
  const { context } = step;
  const template = values['preview-domain'];
  if (template === undefined || !maySweep(step)) return undefined;
  return {
    matcher: matcherOf(template, context),
    projects: previewProjects(values),
    disconnect: values['disconnect-on-close'],
    isOpen: askIfOpen(accessOf(values, context), wayIn),
  };
}
