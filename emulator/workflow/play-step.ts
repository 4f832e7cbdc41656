import { join } from 'node:path';
import { StepControl } from '../runner/control.ts';
import type { Job as RunnerJob } from '../runner/job.ts';
import { runnerGrace } from '../runner/process.ts';
import { runScript } from '../runner/script.ts';
import type { StepResult } from '../runner/step-result.ts';
import { beginAction } from '../runner.ts';
import {
  find,
  holds,
  isExpression,
  type Scope,
  type Token,
  textOf,
  textsOf,
} from './expressions.ts';
import type { Play } from './play-options.ts';
import type { WorkflowStep } from './read-workflow.ts';
import { isFree, readSiteFile, sourcesOf } from './sources.ts';

/** One of the actions that are run for real, whoever's account they are in. */
const ours = /^[\w.-]+\/site-deploy-action(?:\/(env-sync|domains|message|projects))?@[^\s@]+$/;

/** What is done with a step. */
export type Kind = 'ours' | 'checkout' | 'run' | 'not-played';

/** What is done with a step of a file. */
export function kindOf({ uses = '', run }: WorkflowStep, { runSteps = false }: Play): Kind {
  if (ours.test(uses)) return 'ours';
  if (/^actions\/checkout@/.test(uses)) return 'checkout';
  return run !== undefined && runSteps ? 'run' : 'not-played';
}

/** A step of a job that runs. */
export type StepRun = {
  step: WorkflowStep;
  job: RunnerJob;
  scope: Scope;
  /** The `defaults.run` of the job and of the workflow, the nearest first. */
  defaults: readonly (Token | undefined)[];
  play: Play;
  onLine: (line: string) => void;
  /** Called with what cancels the step. */
  onControl: (control: StepControl) => void;
};

/** What a step did, and what its end of the job runs. */
export type StepEnd = {
  result?: StepResult;
  conclusion: 'success' | 'failure' | 'cancelled';
  post?: () => Promise<StepResult | undefined>;
};

const control = ({ onControl }: StepRun): StepControl => {
  const made = new StepControl(runnerGrace);
  onControl(made);
  return made;
};

/** The inputs of a step by their names as `action.yml` has them: the runner knows them in upper case. */
const inputsOf = ({ token }: WorkflowStep, scope: Scope): Record<string, string> =>
  Object.fromEntries(
    Object.entries(textsOf(find(token, 'with'), scope)).map(([name, value]) => [
      name.toUpperCase().toLowerCase(),
      value,
    ]),
  );

/** Runs an action of ours, for real. @throws for an expression that can't be evaluated */
export async function playOurs(run: StepRun): Promise<StepEnd> {
  const { step, job, scope, play, onLine } = run;
  const [, folder = ''] = ours.exec(step.uses ?? '') ?? [];
  const inputs = { ...inputsOf(step, scope), ...play.changed };
  const refusal = play.refuse?.(inputs);
  if (refusal !== undefined) throw new Error(refusal);
  const env = textsOf(find(step.token, 'env'), scope);
  const siteFile = await readSiteFile(job.workspace, inputs['config'] ?? '');
  const sources = sourcesOf(inputs, siteFile).map(({ source }) => source);
  const only = sources.filter(isFree);
  const given = new Set([...job.env.keys(), ...Object.keys(env)]);
  const left = [...given].filter((name) => !only.includes(name));
  if (left.length > 0) {
    const names = job.masker.mask(left.join(', '));
    onLine(
      `Not passed to this step: ${names}. It gets only what env-from or from: names, without names that programs read.`,
    );
  }
  const controls = { pre: control(run), main: control(run), post: new StepControl(runnerGrace) };
  const { result, post } = await beginAction(
    {
      action: join(play.actions, folder),
      uses: step.uses ?? '',
      inputs,
      env,
      only,
      mayFail: mayFail(step, scope),
      ...(play.debug === undefined ? {} : { debug: play.debug }),
      ...(play.launch === undefined ? {} : { launch: play.launch }),
    },
    job,
    controls,
    onLine,
  );
  const { conclusion } = result;
  return { result, conclusion, post };
}

/** Plays a checkout. @throws why it cannot be */
export async function playCheckout({ step, job, scope, play, onLine }: StepRun): Promise<StepEnd> {
  const inputs = inputsOf(step, scope);
  onLine(`Run ${step.uses}`);
  const { token = '', sha = '', ref = '' } = job.github;
  await play.checkOut?.({ workspace: job.workspace, inputs, token, sha, ref });
  return { conclusion: 'success' };
}

/** Runs a script with what its expressions paste into it, as GitHub does: text of the event may become a command. */
export async function playScript(run: StepRun): Promise<StepEnd> {
  const { step, job, scope, play, onLine, defaults } = run;
  const script = step.run;
  if (script === undefined) throw new Error('there is no script');
  const setting = (name: string): string => {
    const places = [step.token, ...defaults];
    const token = places.map((one) => find(one, name)).find((one) => one !== undefined);
    return token === undefined ? '' : textOf(token, scope);
  };
  const result = await runScript(
    {
      script: textOf(script, scope),
      shell: setting('shell'),
      workingDirectory: setting('working-directory'),
      env: textsOf(find(step.token, 'env'), scope),
      debug: play.debug === true,
      state: new Map(),
      control: control(run),
      onLine,
      mayFail: mayFail(step, scope),
    },
    job,
  );
  return { result, conclusion: result.conclusion };
}

/** Whether the job goes on although this step fails. */
export function mayFail(step: WorkflowStep, scope: Scope): boolean {
  const token = find(step.token, 'continue-on-error');
  return (
    token !== undefined && holds(isExpression(token) ? token.expression : String(token), scope)
  );
}
