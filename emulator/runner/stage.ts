import { statSync } from 'node:fs';
import { join } from 'node:path';
import { inputVariables, resolveInputs } from './action-inputs.ts';
import type { Job } from './job.ts';
import type { Manifest } from './manifest.ts';
import { type ProcessSettings, runProcessStep } from './process-step.ts';
import type { Step } from './step.ts';
import { stepVariables } from './step-environment.ts';
import type { StepResult } from './step-result.ts';

/** A part of an action's run, and what is the same in each part. */
export type Stage = ProcessSettings & {
  name: 'pre' | 'main' | 'post';
  folder: string;
  /** The script, relative to the action's folder. */
  script: string;
  manifest: Manifest;
  /** How the workflow names the action, for the log. */
  uses: string;
  inputs: Readonly<Record<string, string>>;
  env: Readonly<Record<string, string>>;
  /** The only variables that it gets of its `env:` and the job's. By default it gets all. */
  only?: readonly string[];
  nodeArgs: readonly string[];
};

/** Runs one stage as a step of the job, and updates the job by it. */
export async function runStage(stage: Stage, job: Job): Promise<StepResult> {
  return await runProcessStep(stage, job, async (step) => {
    const inputs = resolveInputs(stage.manifest, stage.inputs, job.github, step);
    const env = stepVariables(stage, job);
    describe(stage, step, inputs, env);
    const script = join(stage.folder, stage.script);
    const found = statSync(script, { throwIfNoEntry: false });
    if (found?.isFile() !== true) return new Error(`File not found: '${script}'`);
    return {
      part: stage.name,
      file: process.execPath,
      args: [...stage.nodeArgs, script],
      cwd: job.workspace,
      env: { ...env, ...inputVariables(inputs) },
    };
  });
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
  writeEnv(step, env);
  step.log.endGroup();
}

/** Writes a step's environment as the runner does. */
export function writeEnv(step: Step, env: Readonly<Record<string, string>>): void {
  if (Object.keys(env).length > 0) step.log.write('env:');
  for (const [name, value] of Object.entries(env)) step.log.write(`  ${name}: ${value}`);
}
