import type { GitHubEvent } from '../github/index.ts';
import type { Annotation } from '../runner.ts';
import type { JobConclusion, Progress, StepConclusion } from './play-options.ts';
import type { Run, RunProgress } from './repository-runs.ts';

/** When something began and ended, in milliseconds since the epoch, and how; null until then. */
type Course<Conclusion> = {
  startedAt: number;
  endedAt: number | null;
  conclusion: Conclusion | null;
};

/** A step as the page of its run shows it. Its lines are masked, and may have escape codes. */
export type StepRecord = Course<StepConclusion> & {
  title: string;
  lines: string[];
  annotations: Annotation[];
  summary: string;
};

/** A job, or one leg of its matrix. */
export type JobRecord = Course<JobConclusion> & {
  name: string;
  /** What of it is not played, each in a few words. */
  notPlayed: readonly string[];
  steps: StepRecord[];
};

/** A run as its page shows it: waiting until it has a job. */
export type RunRecord = Course<(RunProgress & { type: 'end' })['conclusion']> & {
  run: Run;
  jobs: JobRecord[];
  /** What makes a run that succeeded neutral. */
  notPlayed: readonly string[];
};

/** An event that started no workflow, or a mistake in one, with why. */
export type Unstarted = { at: number; event: GitHubEvent | null; reasons: readonly string[] };

/** The latest runs of a repository, and the latest events without one, both oldest first. */
export type RunHistory = { runs: RunRecord[]; unstarted: Unstarted[] };

/** How many runs are kept, and how many events that started none. */
const kept = { runs: 100, unstarted: 10 } as const;

const beginning = (at: number) => ({ startedAt: at, endedAt: null, conclusion: null });

/** Adds what is told of the runs of a repository. @param at in milliseconds since the epoch */
export function recordProgress(
  { runs, unstarted }: RunHistory,
  told: RunProgress,
  at: number,
): void {
  if (told.type === 'event') {
    const { event, started, left } = told;
    if (started.length === 0) unstarted.push({ at, event, reasons: left });
  } else if (told.type === 'mistake') unstarted.push({ at, event: null, reasons: [told.text] });
  else if (told.type === 'start')
    runs.push({ run: told.run, jobs: [], notPlayed: [], ...beginning(at) });
  else {
    const record = runs.findLast(({ run }) => run.id === told.run.id);
    if (record === undefined) return;
    if (told.type === 'run') recordJob(record, told.progress, at);
    else
      Object.assign(record, {
        endedAt: at,
        conclusion: told.conclusion,
        notPlayed: told.notPlayed,
      });
  }
  runs.splice(0, Math.max(0, runs.length - kept.runs));
  unstarted.splice(0, Math.max(0, unstarted.length - kept.unstarted));
}

function recordJob({ jobs }: RunRecord, progress: Progress, at: number): void {
  const job = jobs.find(({ name }) => name === progress.job) ?? addJob(jobs, progress.job, at);
  if (progress.type === 'job') job.notPlayed = progress.notPlayed;
  else if (progress.type === 'end')
    Object.assign(job, { endedAt: at, conclusion: progress.conclusion });
  else if (progress.type === 'step') addStep(job, progress.title, at);
  else {
    const open = job.steps.findLast(({ endedAt }) => endedAt === null);
    if (progress.type === 'line') (open ?? ownStep(job, at)).lines.push(progress.line);
    else if (open === undefined) return;
    else if (progress.type === 'shown') {
      open.annotations.push(...progress.annotations);
      open.summary += progress.summary;
    } else Object.assign(open, { endedAt: at, conclusion: progress.conclusion });
  }
}

function addJob(jobs: JobRecord[], name: string, at: number): JobRecord {
  const job: JobRecord = { name, notPlayed: [], steps: [], ...beginning(at) };
  jobs.push(job);
  return job;
}

function addStep({ steps }: JobRecord, title: string, at: number): StepRecord {
  const step: StepRecord = { title, lines: [], annotations: [], summary: '', ...beginning(at) };
  steps.push(step);
  return step;
}

/** Where the lines are that no step wrote: of what is around the steps. */
function ownStep(job: JobRecord, at: number): StepRecord {
  const last = job.steps.at(-1);
  if (last?.title === 'Job') return last;
  return Object.assign(addStep(job, 'Job', at), { endedAt: at, conclusion: 'success' });
}
