import * as core from '@actions/core';
import { defuseOutputs } from '../../kernel/text/safe.ts';
import type { Kept, StepEnvironment } from '../../platform.ts';

/** Writes outputs, in the given order. */
function setOutputs(outputs: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(defuseOutputs(outputs))) core.setOutput(name, value);
}

/** Adds Markdown to the job summary, if the machine has one. */
async function addSummary(markdown: string, environment: StepEnvironment): Promise<void> {
  if ((environment['GITHUB_STEP_SUMMARY'] ?? '') === '') return;
  await core.summary.addRaw(markdown).write();
}

/** What the runner keeps of a step, in its files. */
export const runnerFiles = (environment: StepEnvironment): Kept => ({
  setOutputs,
  save: (name, value) => core.saveState(name, value),
  read: (name) => core.getState(name),
  addSummary: (markdown) => addSummary(markdown, environment),
  end: ({ fails }) => {
    // The step fails when the process ends.
    if (fails) process.exitCode = core.ExitCode.Failure;
  },
});
