import type { Declared } from '../declared/declared.ts';
import { accessOf } from '../frame/access.ts';
import type { Preflight, Prepared } from '../frame/action.ts';
import { isRefused } from '../frame/skip.ts';
import type { Step } from '../frame/step.ts';
import type { Values } from '../inputs.ts';
import type { Work } from './job.ts';
import { queryIfOpen, withHeadStart } from './query-pull-request.ts';
import { notesOf, readJob } from './read-job.ts';

/** A job, and what is requested for it before the service is. */
export interface StartedJob {
  values: Values<'deploy'>;
  job: Work;
  /** Whether the pull request is still open; undefined if that is not known. */
  opening: { begin(): void; query(): Promise<boolean | undefined> };
}

/** Reads the job of a step. */
export async function startJob(
  step: Step<'deploy'>,
  declared: Declared,
  preflight: Preflight,
): Promise<Prepared<StartedJob>> {
  const job = await readJob(step, declared, preflight);
  if (isRefused(job)) return job;
  const { values, pull } = job;
  const { context } = step;
  const query = queryIfOpen(accessOf(values, context), context.can, preflight);
  const number = pull?.number;
  const opening = withHeadStart(async () => (number === undefined ? undefined : query(number)));
  return { kind: 'work', work: { values, job, opening }, logEntries: notesOf(job, declared) };
}
