import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type PlayedStep,
  playWorkflow,
  type Play as WorkflowPlay,
} from '../../emulator/workflow/play-workflow.ts';
import { namesIn, readWorkflow } from '../../emulator/workflow/read-workflow.ts';
import { inputsFor } from '../../emulator/workflow/repository-runs.ts';
import { root, unpacked } from './places.ts';
import { shareProcess } from './shared-process.ts';

export type { PlayedStep } from '../../emulator/workflow/play-workflow.ts';

/** What an example is played with: the names that its reader fills in, and what GitHub says of the run. */
export type Play = Pick<
  WorkflowPlay,
  'event' | 'github' | 'secrets' | 'vars' | 'inputs' | 'changed' | 'runSteps' | 'report'
> & {
  /** What a checkout gives; a job without that step has an empty one. */
  workspace?: string;
  /** An input that its reader takes out of a comment: `preview-idle: 7d`. */
  uncommented?: string;
};

/** What the emulator plays of the examples' steps: what else they use would be left out without a word. */
const played = /^(?:OWNER\/site-deploy-action(?:\/[\w-]+)?@v\d+|actions\/checkout@\S+)$/;

/** The workflows that were read, by their source: to read one takes as long as many steps. */
const known = new Map<string, ReturnType<typeof readWorkflow>>();

/**
 * Plays a workflow with nothing but names filled in, each step of ours through `dist/`. It does not decide whether the
 * event starts the workflow.
 *
 * @returns the steps of ours that ran, in order
 * @throws Error for whatever it cannot play, and for a name that nobody filled in
 */
export async function playExampleSource(source: string, play: Play): Promise<PlayedStep[]> {
  const { workspace, ...given } = play;
  const reading = known.get(source) ?? readWorkflow('example.yml', source);
  known.set(source, reading);
  const workflow = await reading;
  if ('mistakes' in workflow) throw new Error(workflow.mistakes.join('\n'));
  for (const context of ['secrets', 'vars'] as const) {
    const missing = namesIn(workflow, context).filter((name) => !(name in play[context]));
    if (missing.length > 0) throw new Error(`${context} are not given: ${missing.join(', ')}`);
  }
  for (const { uses } of workflow.jobs.flatMap(({ steps }) => steps)) {
    if (uses !== undefined && !played.test(uses)) throw new Error(`${uses} is not played`);
  }
  const errors: string[] = [];
  let lastLine = '';
  const end = await playWorkflow(workflow, {
    ...given,
    inputs: { ...inputsFor(workflow, { ...play.event, payload: {} }), ...play.inputs },
    actions: unpacked,
    launch: shareProcess,
    isStrict: true,
    checkOut: async () => {
      if (workspace === undefined) throw new Error('no workspace is given to check out');
    },
    workspaceOf: ({ steps }) =>
      steps.some(({ uses }) => uses?.startsWith('actions/checkout@')) ? workspace : undefined,
    report: (progress) => {
      play.report?.(progress);
      if (progress.type === 'line') lastLine = progress.line;
      if (progress.type === 'end' && progress.conclusion === 'failure') errors.push(progress.job);
    },
  });
  const steps = end?.steps ?? [];
  // A job that failed without a step that did: what the emulator itself could not play.
  const isOwn = errors.length > 0 && steps.every(({ conclusion }) => conclusion === 'success');
  if (isOwn) throw new Error(`not played to the end: ${errors.join(', ')}: ${lastLine}`);
  return steps;
}

/** Plays a workflow of `examples/`, from its file: one of `workflows/` by its name, another by its path. */
export async function playExample(
  file: string,
  { uncommented = '', ...play }: Play,
): Promise<PlayedStep[]> {
  const path = file.includes('/') ? file : `workflows/${file}`;
  const source = await readFile(join(root, 'examples', path), 'utf8');
  const commented = ` # ${uncommented}\n`;
  if (uncommented !== '' && !source.includes(commented)) {
    throw new Error(`${file} has no line "# ${uncommented}"`);
  }
  return await playExampleSource(source.replace(commented, ` ${uncommented}\n`), play);
}
