import { join } from 'node:path';
import leven from 'leven';
import type { Conclusion } from '../runner/conditions.ts';
import { StepControl } from '../runner/control.ts';
import type { Job as RunnerJob } from '../runner/job.ts';
import { runnerGrace } from '../runner/process.ts';
import { runScript } from '../runner/script.ts';
import type { StepResult } from '../runner/step-result.ts';
import { beginAction } from '../runner.ts';
import {
  type Contexts,
  find,
  holds,
  isExpression,
  type Scope,
  scalarsIn,
  type Token,
  textOf,
  textsOf,
  Unknown,
} from './expressions.ts';
import type { Play, PlayedStep } from './play-options.ts';
import type { WorkflowStep } from './read-workflow.ts';
import { reportShown, reportStep, stepTitle } from './report-step.ts';
import { isFree, readSiteFile, sourcesOf } from './sources.ts';

/** One of the actions that are run for real, whoever's account they are in. */
const ours = /^[\w.-]+\/site-deploy-action(?:\/(env-sync|domains|message|projects))?@[^\s@]+$/i;

/** The folder of the action of ours that a step uses: empty for the root's; undefined if it uses none. Only a repository's name may be in another case. */
function folderOf({ uses = '' }: WorkflowStep): string | undefined {
  const [isOurs, folder = ''] = ours.exec(uses) ?? [];
  return isOurs !== undefined && folder === folder.toLowerCase() ? folder : undefined;
}

/** What is done with a step. */
export type Kind = 'ours' | 'checkout' | 'run' | 'local' | 'not-played';

/** Whether a step uses an action of a name that is ours, or nearly. */
function isLikeOurs({ uses = '' }: WorkflowStep): boolean {
  const [, repository = ''] = /^[^/]+\/([^/@]+)/.exec(uses) ?? [];
  return leven(repository.toLowerCase(), 'site-deploy-action') <= 3;
}

/** Whether a step uses an action of ours, or one of the repository, which may use it. */
const mayUseOurs = (step: WorkflowStep): boolean =>
  isLikeOurs(step) || /^[.$][/\\]/.test(step.uses ?? '');

/** True of a script for a shell that this machine need not have. */
const isOfWindows = (token: Token): boolean =>
  /^(pwsh|powershell|cmd)\b/.test(String(find(token, 'shell') ?? ''));

/** What is done with a step of a file. */
export function kindOf(step: WorkflowStep, { runSteps = false }: Play): Kind {
  const { uses = '', run, token } = step;
  if (folderOf(step) !== undefined) return 'ours';
  if (/^actions\/checkout@/.test(uses)) return 'checkout';
  if (uses.startsWith('./') && runSteps) return 'local';
  return run !== undefined && runSteps && !isOfWindows(token) ? 'run' : 'not-played';
}

/** What of these steps is not played, each in a few words. */
export function leftOut(steps: readonly WorkflowStep[], play: Play): string[] {
  const left = steps.filter(
    (step) => step.awaits === undefined && kindOf(step, play) === 'not-played',
  );
  const uses = new Set(left.flatMap((one) => one.uses ?? []));
  const scripts = left.filter(({ run }) => run !== undefined).length;
  const counted = scripts === 1 ? '1 run: step' : `${scripts} run: steps`;
  return [...uses, ...(scripts === 0 ? [] : [`${counted} (--run-steps runs them)`])];
}

/** Steps that see each other: those of a job, or of an action. */
export type Frame = {
  steps: readonly WorkflowStep[];
  /** In how many actions they are; 0: of the job itself. */
  depth: number;
  /** How they stand so far. */
  standing: { status: Conclusion };
  /** The contexts but for `steps`, `env` and `job`. */
  contexts: Contexts;
  /** What the step that uses the action, and those around it, put into `env:`. */
  env: Readonly<Record<string, string>>;
  /** Variables of GitHub that all these steps have. */
  variables: Readonly<Record<string, string>>;
  /** The `defaults.run` of the job and of the workflow, the nearest first. */
  defaults: readonly (Token | undefined)[];
};

/** What all steps of a job are played with, those of its actions included. */
export type Given = {
  job: RunnerJob;
  /** What the log calls the job. */
  name: string;
  isStrict: boolean;
  play: Play;
  onLine: (line: string) => void;
  /** Cancels the step that runs. */
  signal: AbortSignal;
  /** The steps of ours that ran. */
  played: PlayedStep[];
  /** What they left for the end of the job, the last first. */
  posts: (() => Promise<void>)[];
  left: Left;
};

/** What was not played of a job, as far as it counts. */
export type Left = {
  /** Each step that uses, or may use, an action of ours. */
  ours: string[];
  /** Set if one that was not played may have set variables. */
  unset?: Unknown;
};

/** A step that runs. */
export type StepRun = Given &
  Pick<Frame, 'depth' | 'env' | 'variables' | 'defaults'> & {
    step: WorkflowStep;
    /** With the step's own `env:`. */
    scope: Scope;
    /** Plays the steps of an action, and gives the scope that they leave. */
    within: (frame: Frame) => Promise<Scope>;
  };

/** The outputs of a step or a job. */
export type Outputs = Readonly<Record<string, string | Unknown>> | Unknown;

/** How a step ended. */
export type StepEnd = { outputs: Outputs; conclusion: Conclusion } & Partial<
  Pick<StepResult, 'annotations' | 'summary'>
>;

const control = ({ signal }: StepRun): StepControl => {
  const made = new StepControl(runnerGrace);
  // A step that runs although its run was cancelled before is not cancelled itself.
  signal.addEventListener('abort', () => made.cancel());
  return made;
};

/** How a message calls a step. */
function titleOf({ id, uses = 'a run: step' }: WorkflowStep): string {
  return /^(__|$)/.test(id) ? uses : `${uses} (${id})`;
}

/**
 * Leaves a step out, as one that succeeded.
 * @param reason what it would need, if it could be played
 */
export function leaveOut(step: WorkflowStep, { onLine, left }: Given, reason?: Unknown): StepEnd {
  const title = titleOf(step);
  const isLike = isLikeOurs(step) && folderOf(step) === undefined;
  const missing = isLike ? `${title}: there is no such action of site-deploy-action` : title;
  const line = reason === undefined ? missing : `${title}: ${reason.message}`;
  if (reason !== undefined) onLine(`Not played: ${line}`);
  if (mayUseOurs(step)) left.ours.push(line);
  const script = step.run === undefined ? '' : [...scalarsIn(step.run)].join();
  if (/^[.$]/.test(step.uses ?? '') || script.includes('GITHUB_ENV'))
    left.unset ??= new Unknown(`the variables that ${title} sets are unknown`);
  return { outputs: new Unknown(`the outputs of ${title} are unknown`), conclusion: 'success' };
}

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
  const { step, job, scope, play, onLine, env, variables } = run;
  const controls = { pre: control(run), main: control(run), post: new StepControl(runnerGrace) };
  const folder = folderOf(step) ?? '';
  const inputs = { ...inputsOf(step, scope), ...play.changed };
  const refusal = play.refuse?.(inputs);
  if (refusal !== undefined) throw new Error(refusal);
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
  const { result, post } = await beginAction(
    {
      action: join(play.actions, folder),
      uses: step.uses ?? '',
      inputs,
      env,
      only,
      github: variables,
      mayFail: true,
      ...(play.debug === undefined ? {} : { debug: play.debug }),
      ...(play.launch === undefined ? {} : { launch: play.launch }),
    },
    job,
    controls,
    onLine,
  );
  const played: PlayedStep = { ...result, job: job.github['job'] ?? '' };
  run.played.push(played);
  run.posts.unshift(async () => {
    await reportStep(run, `Post ${stepTitle(step, scope)}`, async () => {
      const after = await post();
      if (after === undefined) return { conclusion: 'skipped' as const };
      played.post = after;
      reportShown(run, after);
      const isBad = after.conclusion === 'failure' && !mayFail(step, scope);
      if (isBad && job.status === 'success') job.status = 'failure';
      return after;
    });
  });
  return result;
}

/** Plays a checkout. @throws why it cannot be */
export async function playCheckout({ step, job, scope, play, onLine }: StepRun): Promise<StepEnd> {
  const inputs = inputsOf(step, scope);
  onLine(`Run ${step.uses}`);
  const { token = '', sha = '', ref = '' } = job.github;
  await play.checkOut?.({ workspace: job.workspace, inputs, token, sha, ref });
  return { outputs: {}, conclusion: 'success' };
}

/** Runs a script with what its expressions paste into it, as GitHub does: text of the event may become a command. */
export async function playScript(run: StepRun): Promise<StepEnd> {
  const { step, job, scope, play, onLine, defaults, env, variables } = run;
  const script = step.run;
  if (script === undefined) throw new Error('there is no script');
  const setting = (name: string): string => {
    const places = [step.token, ...defaults];
    const token = places.map((one) => find(one, name)).find((one) => one !== undefined);
    return token === undefined ? '' : textOf(token, scope);
  };
  return await runScript(
    {
      script: textOf(script, scope),
      shell: setting('shell'),
      workingDirectory: setting('working-directory'),
      env,
      github: variables,
      debug: play.debug === true,
      state: new Map(),
      control: control(run),
      onLine,
      mayFail: true,
    },
    job,
  );
}

/** Whether the job goes on although this step fails, or the run although this job does. */
export function mayFail({ token: of }: Pick<WorkflowStep, 'token'>, scope: Scope): boolean {
  const token = find(of, 'continue-on-error');
  return (
    token !== undefined && holds(isExpression(token) ? token.expression : String(token), scope)
  );
}
