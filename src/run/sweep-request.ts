import type { SweepRequest } from '../commands/sweep.ts';
import type { Preparing } from './preparing.ts';
import { matcherOf, previewProjects } from './preview-request.ts';
import { askIfOpen } from './pull-request.ts';

/** The sweep of a scheduled run: it needs nothing but the domains and GitHub. */
export function sweepFor({ step, signal, warn }: Preparing): SweepRequest | undefined {
  const { values, context } = step;
  const template = values['preview-domain'];
  const isScheduled = ['schedule', 'workflow_dispatch'].includes(context.event.name);
  const isOff = values.deploy !== false || values.mode === 'plan';
  if (template === undefined || isOff || !isScheduled) return undefined;
  return {
    matcher: matcherOf(template, context),
    projects: previewProjects(values),
    disconnect: values['disconnect-on-close'] ?? false,
    isOpen: askIfOpen(context, values['github-token'] ?? '', signal, warn),
  };
}
