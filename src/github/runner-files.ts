import * as core from '@actions/core';
import { defuse } from '../kernel/text/clean.ts';
import type { StepEnvironment } from './runner.ts';

/**
 * Writes outputs, in the order given. What others wrote in them cannot be read as a command where a later step prints
 * it, as in the log.
 */
export function setOutputs(outputs: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(outputs)) core.setOutput(name, defuse(value));
}

/** Keeps a value for the post step; it survives a kill of this one. */
export function saveState(name: string, value: string): void {
  core.saveState(name, value);
}

/** A value that the main step kept; empty if it kept none. */
export function readState(name: string): string {
  return core.getState(name);
}

/** Adds Markdown to the job's summary. A machine that offers none, such as a shell, is no fault. */
export async function addSummary(markdown: string, environment: StepEnvironment): Promise<void> {
  if ((environment['GITHUB_STEP_SUMMARY'] ?? '') === '') return;
  await core.summary.addRaw(markdown).write();
}

/** Makes the step fail when the process ends. */
export function failStep(): void {
  process.exitCode = core.ExitCode.Failure;
}
