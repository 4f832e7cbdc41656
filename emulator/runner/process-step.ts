import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { CommandProcessor } from './command-processor.ts';
import type { Conclusion } from './conditions.ts';
import type { StepControl } from './control.ts';
import { type CommandFiles, createCommandFiles, processCommandFiles } from './file-commands.ts';
import type { Job } from './job.ts';
import type { Launch, ProcessEnd } from './process.ts';
import { Step } from './step.ts';
import { processVariables } from './step-environment.ts';
import { conclude, report, type StepResult } from './step-result.ts';

/** How any process of a job is run. */
export type ProcessSettings = {
  launch: Launch;
  debug: boolean;
  state: Map<string, string>;
  control: StepControl;
  onLine: (line: string) => void;
  /** True: how the step ends does not change the status of the job, of which the caller decides. */
  mayFail?: boolean;
  /** True: it is a script, whose exit code is said if it fails. */
  isScript?: boolean;
  /** Variables of GitHub that are of this step alone, such as `GITHUB_ACTION`. */
  github?: Readonly<Record<string, string>>;
};

/** The process of a step. */
export type StepProcess = {
  part: Parameters<Launch>[1];
  file: string;
  args: readonly string[];
  cwd: string;
  /** The variables of the step, beside those of the runner. */
  env: Record<string, string>;
};

/**
 * Runs one process as a step of the job, and updates the job by it.
 * @param prepare writes what the log begins with; an error means that there is nothing to start
 */
export async function runProcessStep(
  settings: ProcessSettings,
  job: Job,
  prepare: (step: Step) => Promise<StepProcess | Error>,
): Promise<StepResult> {
  const start = performance.now();
  const { state, onLine, control } = settings;
  const { masker, workspace } = job;
  const step = new Step({ masker, state, workspace, onLine });
  const files = createCommandFiles(join(job.temp, '_runner_file_commands', randomUUID()));
  const prepared = await prepare(step);
  const end =
    prepared instanceof Error ? prepared : await execute(settings, job, step, prepared, files);
  const { cancelled } = control;
  processCommandFiles(files, step);
  if (end instanceof Error) step.error(end.message);
  else if (settings.isScript && !cancelled && end.exitCode !== 0)
    step.error(`Process completed with exit code ${end.exitCode}.`);
  if (cancelled) step.error('The operation was canceled.');
  const conclusion = cancelled ? 'cancelled' : conclude(step, end);
  updateJob(job, step, settings.mayFail === true ? 'success' : conclusion);
  return { ...report(step, end), conclusion, durationMs: performance.now() - start };
}

function updateJob(job: Job, step: Step, conclusion: Conclusion): void {
  for (const [name, value] of step.env) job.env.set(name, value);
  for (const folder of step.path) job.path = [...job.path.filter((old) => old !== folder), folder];
  if (job.status === 'success') job.status = conclusion;
}

/** Runs the process to its end. An error means that it could not be started. */
async function execute(
  { launch, debug, control, github }: ProcessSettings,
  job: Job,
  step: Step,
  { part, file, args, cwd, env }: StepProcess,
  files: CommandFiles,
): Promise<ProcessEnd | Error> {
  const commands = new CommandProcessor(step, debug);
  const onLine = (line: string) => commands.process(line);
  const variables = processVariables(job, env, { ...github, ...files });
  const options = { file, args, cwd, env: variables, onLine };
  const child = launch(options, part);
  control.attach(child);
  return child.ended.catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  );
}
