import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Job } from './job.ts';
import { startProcess } from './process.ts';
import { type ProcessSettings, runProcessStep } from './process-step.ts';
import { writeEnv } from './stage.ts';
import { stepVariables } from './step-environment.ts';
import type { StepResult } from './step-result.ts';

/** A `run:` step. */
export type Script = Omit<ProcessSettings, 'launch'> & {
  script: string;
  /** The step's `shell:`; empty: bash, as GitHub starts it where no shell is named. */
  shell: string;
  /** Relative to the workspace; empty: the workspace. */
  workingDirectory: string;
  env: Readonly<Record<string, string>>;
};

/** How each shell is started; `{0}` is the script's file. */
const shells: Readonly<Record<string, string>> = {
  '': 'bash -e {0}',
  bash: 'bash --noprofile --norc -eo pipefail {0}',
  sh: 'sh -e {0}',
  python: 'python3 {0}',
};

/** The words of a command line as .NET, and so the runner, splits it: single quotes mean nothing. */
function wordsOf(command: string): string[] {
  return Array.from(command.matchAll(/(?:"(?:\\"|[^"])*"?|\\"|[^\s"])+/g), ([word]) =>
    word.replaceAll(/\\"|"/g, (one) => (one === '"' ? '' : '"')),
  );
}

/** Runs a script as a step of the job, and updates the job by it. */
export async function runScript(script: Script, job: Job): Promise<StepResult> {
  const settings = { ...script, launch: startProcess, isScript: true };
  return await runProcessStep(settings, job, async (step) => {
    const env = stepVariables(script, job);
    step.log.startGroup(`Run ${script.script.trim().split('\n')[0]}`);
    for (const line of script.script.trimEnd().split('\n')) step.log.write(`  ${line}`);
    const command = shells[script.shell] ?? script.shell;
    step.log.write(`shell: ${command}`);
    writeEnv(step, env);
    step.log.endGroup();
    if (!command.includes('{0}')) {
      return new Error(`shell: '${script.shell}' is not played; use bash, sh or python`);
    }
    const file = join(job.temp, `${randomUUID()}.sh`);
    await mkdir(job.temp, { recursive: true });
    await writeFile(file, script.script);
    const [program = 'bash', ...args] = wordsOf(command);
    const cwd = resolve(job.workspace, script.workingDirectory);
    if (!existsSync(cwd)) {
      return new Error(`working-directory: there is no folder '${script.workingDirectory}'`);
    }
    return {
      part: 'main',
      file: program,
      args: args.map((one) => one.replace('{0}', file)),
      cwd,
      env,
    };
  });
}
