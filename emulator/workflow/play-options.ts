import type { Permissions } from '../github/access.ts';
import type { GitHubOptions } from '../runner/github-context.ts';
import type { RunEvent } from '../runner/job.ts';
import type { Launch } from '../runner/process.ts';
import type { StepResult } from '../runner/step-result.ts';
import type { ConcurrencyGroups } from './concurrency.ts';
import type { Job } from './read-workflow.ts';

/** How a job ended; `neutral`: it succeeded as far as it was played, and a step of ours is not. */
export type JobConclusion = 'success' | 'failure' | 'cancelled' | 'skipped' | 'neutral';

/** How a step ended. */
export type StepConclusion = StepResult['conclusion'] | 'skipped' | 'not-played';

/**
 * What is told while a workflow is played: of a step, its lines and what it left for people to see come before its
 * end. Lines are masked; texts of files and events are as they are.
 */
export type Progress =
  | { type: 'job'; job: string; notPlayed: readonly string[] }
  | { type: 'step'; job: string; title: string }
  | { type: 'line'; job: string; line: string }
  | ({ type: 'shown'; job: string } & Pick<StepResult, 'annotations' | 'summary'>)
  | { type: 'step-end'; job: string; conclusion: StepConclusion }
  | { type: 'end'; job: string; conclusion: JobConclusion; durationMs: number };

/** A checkout that a step asks for. */
export type Checkout = {
  workspace: string;
  inputs: Readonly<Record<string, string>>;
  token: string;
  sha: string;
  ref: string;
};

/** What a workflow is played with. */
export type Play = {
  event: RunEvent;
  github?: GitHubOptions;
  secrets: Readonly<Record<string, string>>;
  vars: Readonly<Record<string, string>>;
  /** The inputs of a run that was started by hand. */
  inputs?: Readonly<Record<string, unknown>>;
  /** The folder with the `action.yml` of each action that is run for real. */
  actions: string;
  /** What the runner itself tells each step, such as where its cache is. */
  runtime?: Readonly<Record<string, string>>;
  launch?: Launch;
  debug?: boolean;
  /** True: `run:` steps run too, on this machine, with whatever the event's text makes of them. */
  runSteps?: boolean;
  /** The folder in which a job works. By default a new empty one, removed at the end. */
  workspaceOf?: (job: Job) => string | undefined;
  /** Fills the workspace. @throws why it cannot, which fails the step */
  checkOut?: (checkout: Checkout) => Promise<void>;
  /** Inputs of our own steps that differ from what the file says. */
  changed?: Readonly<Record<string, string>>;
  /** Why a step must not be started with these inputs; undefined if it may. */
  refuse?: (inputs: Readonly<Record<string, string>>) => string | undefined;
  /** Makes the token of a job, and ends it. By default each job has that of `github`. */
  token?: { issue: (permissions: Permissions | 'all') => string; revoke: (token: string) => void };
  /** True: a name that no context holds is an error. */
  isStrict?: boolean;
  /** The groups in which one run waits for another. By default none waits. */
  groups?: ConcurrencyGroups;
  /** Cancels the run. */
  signal?: AbortSignal;
  /** How long a minute of `timeout-minutes` is, in milliseconds: 60,000 by default. */
  minute?: number;
  report?: (progress: Progress) => void;
};

/** A step of ours as it ran, in the job with this id. */
export type PlayedStep = StepResult & { job: string; pre?: StepResult; post?: StepResult };
