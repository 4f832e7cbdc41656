import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inputVariables, resolveInputs } from './action-inputs.ts';
import { CommandProcessor } from './command-processor.ts';
import type { Conclusion } from './conditions.ts';
import type { StepControl } from './control.ts';
import { type CommandFiles, createCommandFiles, processCommandFiles } from './file-commands.ts';
import type { Job } from './job.ts';
import type { Manifest } from './manifest.ts';
import type { Launch, ProcessEnd } from './process.ts';
import { Step } from './step.ts';
import { processVariables, stepVariables } from './step-environment.ts';
import { conclude, report, type StepResult } from './step-result.ts';

/** A part of an action's run, and what is the same in each part. */
export type Stage = {
  name: 'pre' | 'main' | 'post';
  folder: string;
  /** The script, relative to the action's folder. */
  script: string;
  manifest: Manifest;
  /** How the workflow names the action, for the log. */
  uses: string;
  inputs: Readonly<Record<string, string>>;
  env: Readonly<Record<string, string>>;
  nodeArgs: readonly string[];
  launch: Launch;
  debug: boolean;
  state: Map<string, string>;
  control: StepControl;
  onLine: (line: string) => void;
};

/** Runs one stage as a step of the job, and updates the job by it. */
export async function runStage(stage: Stage, job: Job): Promise<StepResult> {
  const start = performance.now();
  const { state, onLine, control } = stage;
  const { masker, workspace } = job;
  const step = new Step({ masker, state, workspace, onLine });
  const files = await createCommandFiles(join(job.temp, '_runner_file_commands', randomUUID()));
  const inputs = resolveInputs(stage.manifest, stage.inputs, job.github, step);
  const env = stepVariables(stage, job);
  describe(stage, step, inputs, env);
  const end = await execute(stage, job, step, { ...env, ...inputVariables(inputs) }, files);
  const { cancelled } = control;
  await processCommandFiles(files, step);
  if (end instanceof Error) step.error(end.message);
  if (cancelled) step.error('The operation was canceled.');
  const conclusion = cancelled ? 'cancelled' : conclude(step, end);
  updateJob(job, step, conclusion);
  return { ...report(step, end), conclusion, durationMs: performance.now() - start };
}

function updateJob(job: Job, step: Step, conclusion: Conclusion): void {
  for (const [name, value] of step.env) job.env.set(name, value);
  for (const folder of step.path) job.path = [...job.path.filter((old) => old !== folder), folder];
  if (job.status === 'success') job.status = conclusion;
}

/** Writes what the runner writes before a step: the action's name, its inputs and its environment. */
function describe(
  stage: Stage,
  step: Step,
  inputs: ReadonlyMap<string, string>,
  env: Record<string, string>,
): void {
  if (stage.name === 'post') {
    step.log.write('Post job cleanup.');
    return;
  }
  step.log.startGroup(`Run ${stage.uses}`);
  if (inputs.size > 0) step.log.write('with:');
  for (const [name, value] of inputs) if (value !== '') step.log.write(`  ${name}: ${value}`);
  if (Object.keys(env).length > 0) step.log.write('env:');
  for (const [name, value] of Object.entries(env)) step.log.write(`  ${name}: ${value}`);
  step.log.endGroup();
}

/** Runs the script to its end. An error means that it could not be started. */
async function execute(
  stage: Stage,
  job: Job,
  step: Step,
  env: Record<string, string>,
  files: CommandFiles,
): Promise<ProcessEnd | Error> {
  const script = join(stage.folder, stage.script);
  const found = await stat(script).catch(() => undefined);
  if (found?.isFile() !== true) return new Error(`File not found: '${script}'`);
  const commands = new CommandProcessor(step, stage.debug);
  const options = {
    file: process.execPath,
    args: [...stage.nodeArgs, script],
    cwd: job.workspace,
    env: processVariables(job, env, files),
    onLine: (line: string) => commands.process(line),
  };
  const child = stage.launch(options, stage.name);
  stage.control.attach(child);
  return child.ended.catch((error: unknown) =>
    error instanceof Error ? error : new Error(String(error)),
  );
}
