import { resolve } from 'node:path';
import { holds } from './runner/conditions.ts';
import { StepControl } from './runner/control.ts';
import type { GitHubOptions } from './runner/github-context.ts';
import { createJob, type Job, type RunEvent } from './runner/job.ts';
import { LineFeed } from './runner/line-feed.ts';
import { readManifest } from './runner/manifest.ts';
import { type Grace, type Launch, runnerGrace, startProcess } from './runner/process.ts';
import { runStage, type Stage } from './runner/stage.ts';
import type { StepResult } from './runner/step-result.ts';

export type { Conclusion } from './runner/conditions.ts';
export type { GitHubOptions } from './runner/github-context.ts';
export type { RunEvent } from './runner/job.ts';
export type { Grace } from './runner/process.ts';
export type { Annotation, AnnotationLevel } from './runner/step.ts';
export type { StepResult } from './runner/step-result.ts';

/** A step that uses an action, and the job around it. */
export type RunOptions = {
  /** The folder that holds `action.yml`. */
  action: string;
  /** How the workflow names the action; only the log shows it. */
  uses?: string;
  /** The step's `with:`, by input name. */
  inputs?: Readonly<Record<string, string>>;
  /** The step's `env:`. Nothing of our own environment reaches the action but what a machine has by itself. */
  env?: Readonly<Record<string, string>>;
  /** Default: a `workflow_dispatch` without payload. */
  event?: RunEvent;
  github?: GitHubOptions;
  /** The folder that a checkout would have filled. Default: a new empty one, removed at the end. */
  workspace?: string;
  /** Values that are masked from the start, as the values of `secrets.*` are. The token always is. */
  secrets?: readonly string[];
  /** What the runner itself tells the step, such as where its cache is. The log does not show it. */
  runtime?: Readonly<Record<string, string>>;
  /** Debug logging, as when a run is repeated with it. */
  debug?: boolean;
  /** False leaves the post step out. */
  post?: boolean;
  grace?: Partial<Grace>;
  /** Arguments for Node before the script, such as `--import` of a probe. */
  nodeArgs?: readonly string[];
  /** How each script is started. By default in a process of its own. */
  launch?: Launch;
  /** Called with each line of the log as a person would see it. */
  onLine?: (line: string) => void;
};

/**
 * The main step's result, with those of the steps around it that ran. After a failed `pre`, main does not run
 * and the result is that of `pre`.
 */
export type ActionResult = StepResult & { pre?: StepResult; post?: StepResult };

/** An action that runs. Disposing of it kills what still runs and waits for the end. */
export type RunningAction = AsyncDisposable & {
  /** Rejects if there is no action to run, or it cannot be read. */
  done: Promise<ActionResult>;
  /** The log so far, of all steps. */
  lines: readonly string[];
  /** The first line, past or to come, for which this holds; rejects if the run ends without one. */
  waitForLine: (predicate: (line: string) => boolean) => Promise<string>;
  /**
   * Cancels the run: SIGINT to the main step, then SIGTERM, then the kill of its process tree. The post step
   * runs nevertheless. On Windows Node can send neither signal, and the kill comes at once.
   */
  cancel: () => void;
  /** Kills the process tree of the step that runs now, as a machine short of memory would. */
  kill: () => void;
};

/** Runs an action as a step of a job by GitHub's runner, to its end. A step that fails is a result. */
export function runAction(options: RunOptions): Promise<ActionResult> {
  return startAction(options).done;
}

/** Starts an action as a step of a job by GitHub's runner. */
export function startAction(options: RunOptions): RunningAction {
  const grace = { ...runnerGrace, ...options.grace };
  const controls = {
    pre: new StepControl(grace),
    main: new StepControl(grace),
    post: new StepControl(grace),
  };
  let current = controls.main;
  const feed = new LineFeed(options.onLine);
  const run = (job: Job, stage: Stage) => {
    current = stage.control;
    return runStage(stage, job);
  };
  const done = runJob(options, controls, (line) => feed.push(line), run);
  const over = done.then(
    () => feed.end(),
    (error: unknown) => feed.end(error),
  );
  return {
    done,
    lines: feed.lines,
    waitForLine: (predicate) => feed.waitFor(predicate),
    cancel: () => controls.main.cancel(),
    kill: () => current.kill(),
    [Symbol.asyncDispose]: async () => {
      for (const control of Object.values(controls)) control.kill();
      await over;
    },
  };
}

async function runJob(
  options: RunOptions,
  controls: Record<Stage['name'], StepControl>,
  onLine: (line: string) => void,
  run: (job: Job, stage: Stage) => Promise<StepResult>,
): Promise<ActionResult> {
  const {
    event = { name: 'workflow_dispatch', payload: {} },
    github = {},
    workspace,
    secrets = [],
    runtime = {},
    debug = false,
  } = options;
  await using job = createJob({ event, github, workspace, secrets, runtime, debug });
  const { result, post } = await beginAction(options, job, controls, onLine, run);
  const after = options.post === false ? undefined : await post();
  return { ...result, ...(after && { post: after }) };
}

/** What an action is run with in a job that is there. */
export type ActionOptions = Pick<
  RunOptions,
  'action' | 'uses' | 'inputs' | 'env' | 'debug' | 'nodeArgs' | 'launch'
> &
  Pick<Stage, 'only' | 'mayFail' | 'github'>;

/**
 * Runs an action as a step of a job, and gives what its end of the job runs.
 * @param run runs one stage of it
 */
export async function beginAction(
  options: ActionOptions,
  job: Job,
  controls: Record<Stage['name'], StepControl>,
  onLine: (line: string) => void,
  run: (job: Job, stage: Stage) => Promise<StepResult> = (of, stage) => runStage(stage, of),
): Promise<{ result: ActionResult; post: () => Promise<StepResult | undefined> }> {
  const { uses = './', inputs = {}, env = {}, debug = false, nodeArgs = [] } = options;
  const { launch = startProcess, mayFail = false, github = {} } = options;
  const folder = resolve(options.action);
  const manifest = readManifest(folder);
  const state = new Map<string, string>();
  const passed = options.only === undefined ? {} : { only: options.only };
  const around = { folder, manifest, uses, inputs, env, nodeArgs, launch, debug, state, github };
  const given = { ...around, ...passed };
  const { pre, main, post, ...conditions } = manifest.runs;
  const stage = (name: Stage['name'], script: string): Promise<StepResult> =>
    run(job, { ...given, mayFail, onLine, name, script, control: controls[name] });

  const before =
    pre !== undefined && holds(conditions['pre-if'], job.status)
      ? await stage('pre', pre)
      : undefined;
  const isStarting = before === undefined || before.conclusion === 'success';
  const result = isStarting ? await stage('main', main) : before;
  return {
    result: { ...result, ...(before && { pre: before }) },
    post: async () =>
      post !== undefined && holds(conditions['post-if'], job.status)
        ? await stage('post', post)
        : undefined,
  };
}
