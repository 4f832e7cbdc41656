import * as core from '@actions/core';
import { defuseOutputs } from '../../kernel/text/safe.ts';
import type { Kept, StepEnvironment } from '../../platform.ts';
import { outputTexts, type RunResult } from '../../report/outputs.ts';

/** Writes the outputs, in the given order. */
function setOutputs(result: RunResult): void {
  const texts = defuseOutputs(outputTexts(result));
  for (const [name, text] of Object.entries(texts)) core.setOutput(name, text);
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
