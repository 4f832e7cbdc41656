import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import {
  type ActionResult,
  type GitHubOptions,
  type RunEvent,
  startAction,
} from '../../emulator/runner.ts';
import { root, unpacked } from '../dist/run-step.ts';
import { type Contexts, evaluateJson, fillAll, holds } from './expressions.ts';
import { shareProcess } from './shared-process.ts';

const texts = z.record(z.string(), z.coerce.string());
const step = z.strictObject({
  id: z.string().optional(),
  name: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  with: texts.optional(),
  env: texts.optional(),
});
const job = z.strictObject({
  name: z.string().optional(),
  needs: z.union([z.string().transform((one) => [one]), z.array(z.string())]).default([]),
  if: z.string().optional(),
  // Of the job around the steps, which the checks of all workflows are about.
  'runs-on': z.string(),
  'timeout-minutes': z.number(),
  permissions: z.unknown().optional(),
  concurrency: z.unknown().optional(),
  environment: z.unknown().optional(),
  strategy: z
    .looseObject({
      matrix: z.union([
        z.string(),
        z.record(z.string(), z.union([z.string(), z.array(z.string())])),
      ]),
    })
    .optional(),
  outputs: texts.default({}),
  steps: z.array(step),
});
const workflow = z.looseObject({ jobs: z.record(z.string(), job) });

type Job = z.infer<typeof job>;
type Step = z.infer<typeof step>;

/** What an example is played with: the names that its reader fills in, and what GitHub says of the run. */
export interface Play {
  event: RunEvent;
  github?: GitHubOptions;
  secrets: Readonly<Record<string, string>>;
  vars: Readonly<Record<string, string>>;
  /** The inputs of a run that was started by hand. */
  inputs?: Readonly<Record<string, string>>;
  /** What a checkout gives; a job without that step has an empty one. */
  workspace?: string;
  /** Inputs of our own steps that differ from what the file says. */
  changed?: Readonly<Record<string, string>>;
}

/** A step of ours as it ran. */
export type PlayedStep = ActionResult & { job: string };

/** How a job ended, for those that need it. */
interface Ended {
  result: 'success' | 'failure' | 'skipped';
  outputs: Record<string, string>;
}

const ours = /^OWNER\/site-deploy-action(?:\/([\w-]+))?@v\d+$/;

const legs = z.object({ include: z.array(z.record(z.string(), z.unknown())) });

/** The legs of a matrix: one without names if there is none. */
function legsOf({ strategy }: Job, contexts: Contexts): Record<string, unknown>[] {
  const matrix = strategy?.matrix;
  if (matrix === undefined) return [{}];
  if (typeof matrix === 'string') return legs.parse(evaluateJson(matrix, contexts)).include;
  const [[name, given] = ['', []], ...others] = Object.entries(matrix);
  if (others.length > 0) throw new Error('a matrix of more than one name is not played');
  const values = typeof given === 'string' ? evaluateJson(given, contexts) : given;
  return z
    .array(z.string())
    .parse(values)
    .map((value) => ({ [name]: value }));
}

/** Runs a step of ours through `dist/`. */
async function runOurs(folder: string, jobId: string, one: Step, contexts: Contexts, play: Play) {
  const { event, github, secrets, workspace, changed } = play;
  const result = await startAction({
    action: join(unpacked, folder),
    event,
    inputs: { ...fillAll(one.with, contexts), ...changed },
    env: fillAll(one.env, contexts),
    github: { ...github, job: jobId },
    secrets: Object.values(secrets),
    ...(workspace !== undefined && { workspace }),
    launch: shareProcess,
  }).done;
  return { ...result, job: jobId };
}

/** What the steps of a job that `id` names gave so far. */
type Given = Record<string, { outputs: Record<string, string> }>;

/** Whether a step is a checkout; a step of others is not played, and what `run:` says is left out. */
function isCheckout({ uses, run }: Step, { workspace }: Play): boolean {
  if (uses === undefined && run !== undefined) return false;
  if (!uses?.startsWith('actions/checkout@')) throw new Error(`${uses} is not played`);
  if (workspace === undefined) throw new Error('no workspace is given to check out');
  return true;
}

/** Plays the steps of one job, up to the first that fails. */
async function playSteps(jobId: string, { steps }: Job, around: Contexts, play: Play) {
  const played: PlayedStep[] = [];
  const given: Given = Object.fromEntries(steps.map(({ id = '' }) => [id, { outputs: {} }]));
  const contexts = { ...around, steps: given };
  const { workspace, ...unchecked } = play;
  let now: Play = unchecked;
  for (const one of steps) {
    if (!holds(one.if ?? 'true', contexts)) continue;
    const [isOurs, folder = ''] = ours.exec(one.uses ?? '') ?? [];
    if (isOurs === undefined) {
      now = isCheckout(one, play) ? play : now;
      continue;
    }
    const result = await runOurs(folder, jobId, one, contexts, now);
    played.push(result);
    given[one.id ?? ''] = { outputs: result.outputs };
    if (result.conclusion === 'failure') break;
  }
  return { played, contexts };
}

/** Whether a job runs: its own condition, and that of those that it needs unless it says always(). */
function isWanted({ if: condition = 'true', needs }: Job, contexts: Contexts): boolean {
  const hasAll = needs.every(
    (name) => (contexts['needs']?.[name] as Ended | undefined)?.result === 'success',
  );
  return (hasAll || condition.includes('always()')) && holds(condition, contexts);
}

/**
 * Plays a workflow with nothing but names filled in: its jobs in order, with their
 * conditions, matrices and outputs, each step of ours through `dist/`. It does not decide whether the event starts
 * the workflow, and runs no shell.
 *
 * @returns the steps of ours that ran, in order
 * @throws Error for whatever it cannot play
 */
export async function playWorkflow(source: string, play: Play): Promise<PlayedStep[]> {
  const { jobs } = workflow.parse(parse(source));
  const all: PlayedStep[] = [];
  const ended: Record<string, Ended> = {};
  const { event, secrets, vars, inputs = {} } = play;
  const github = { event: event.payload, event_name: event.name, ...play.github };
  for (const [id, one] of Object.entries(jobs)) {
    const needs = Object.fromEntries(
      one.needs.map((name) => {
        const end = ended[name];
        if (end === undefined) throw new Error(`${id} needs ${name}, which did not come before it`);
        return [name, end];
      }),
    );
    const contexts: Contexts = { github, secrets, vars, inputs, needs };
    const legs = isWanted(one, contexts) ? legsOf(one, contexts) : [];
    const end: Ended = { result: legs.length > 0 ? 'success' : 'skipped', outputs: {} };
    for (const matrix of legs) {
      const leg = await playSteps(id, one, { ...contexts, matrix }, play);
      all.push(...leg.played);
      if (leg.played.some(({ conclusion }) => conclusion === 'failure')) end.result = 'failure';
      end.outputs = fillAll(one.outputs, leg.contexts);
    }
    // An output of a job that did not run is empty.
    const names = Object.keys(one.outputs).map((name) => [name, '']);
    ended[id] = { ...end, outputs: { ...Object.fromEntries(names), ...end.outputs } };
  }
  return all;
}

/** Plays a workflow of `examples/`, from its file. */
export const playExample = async (file: string, play: Play): Promise<PlayedStep[]> =>
  await playWorkflow(await readFile(join(root, 'examples/workflows', file), 'utf8'), play);

/** Plays the workflow of the README. */
export async function playReadme(play: Play): Promise<PlayedStep[]> {
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  return await playWorkflow(/```yaml\n([\s\S]*?)```/.exec(readme)?.[1] ?? '', play);
}
