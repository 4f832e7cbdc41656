import * as core from '@actions/core';
import { defuse } from '../kernel/text/safe.ts';
import type { Kept, StepEnvironment } from '../platform.ts';

/**
 * Writes outputs, in the given order. Workflow commands in them are neutralized, as in the log, in case a later step prints
 * them.
 */
function setOutputs(outputs: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(outputs)) core.setOutput(name, defuse(value));
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
