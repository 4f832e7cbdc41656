import type { DialectOptions } from '../../emulator/index.ts';
import { randomFrom } from '../record/scrub.ts';

/** Chooses by a seed: the same each time. */
class Choices {
  readonly #random: () => number;

  constructor(seed: string) {
    this.#random = randomFrom(seed);
  }

  of<Value>(...all: readonly Value[]): Value {
    return all[Math.floor(this.#random() * all.length)] as Value;
  }

  /** True so often in a hundred. */
  often(percent: number): boolean {
    return this.#random() * 100 < percent;
  }
}

/** What goes wrong once with a run, at its first request of which `METHOD /path` matches. */
export interface Trouble {
  at: string;
  /**
   * `hold`: from then on all requests of the run wait until it is let go. `kill` and `cancel` end the run, before or
   * after the request's effect. `no request`: the connection breaks before the effect. `no answer`: after it.
   */
  kind:
    | 'hold'
    | 'kill before'
    | 'kill after'
    | 'cancel'
    | 'no request'
    | 'no answer'
    | 'cut'
    | '503'
    | '409'
    | '403';
}

/** What starts a run. Commits are named by their place in the line: 0 is the oldest. */
export type Cause =
  | { event: 'push'; commit: number }
  | { event: 'by hand'; commit: number }
  | { event: 'pull request'; number: number; action: PullRequestAction; commit: number }
  | { event: 'comment'; number: number }
  | { event: 'env-sync' | 'sweep' };

export type PullRequestAction = 'opened' | 'synchronize' | 'reopened' | 'closed';

/** A run. It is not awaited: an act of its own does that. */
export interface RunAct {
  do: 'run';
  run: number;
  cause: Cause;
  inputs: Record<string, string>;
  trouble?: Trouble;
}

/** One thing that happens. What names a run or a thing that is not there does nothing. */
export type Act =
  | RunAct
  /** The same run once more: its next attempt. */
  | { do: 'again'; of: number; run: number; trouble?: Trouble }
  | { do: 'await' | 'let go'; run: number }
  /** What people do by hand. */
  | { do: 'set'; project: ProjectName; name: string; value: string }
  | { do: 'unset'; project: ProjectName; name: string }
  | { do: 'forget' }
  | { do: 'move'; number: number; to: ProjectName | 'foreign' | null }
  | { do: 'rotate' }
  /** A month passes for all GitHub deployments that there are. */
  | { do: 'age' }
  | { do: 'label'; number: number; isKept: boolean }
  /** The drift issue is closed. */
  | { do: 'close' };

export type ProjectName = 'production' | 'a' | 'b';

/** Runs over each other, and what people and a bad network do in between: all that it takes to play it. */
export interface History {
  /** By which it is chosen whose request is next, of runs under way at once. */
  seed: number;
  dialect: DialectOptions;
  /** Previews lease one of two projects. If not, all of them are to have the same one. */
  isLeased: boolean;
  /** What runs write of variables is remembered. */
  hasLedger: boolean;
  /** The commits whose page answers 503. */
  broken: number[];
  acts: Act[];
}

/** Pull requests that would lease the same project first. */
export const numbers = [7, 9] as const;
const commits = [0, 1, 2, 3] as const;

function dialectOf(choices: Choices): DialectOptions {
  const all: DialectOptions = {
    offers: choices.of('both', 'poll', 'stream'),
    errorShape: choices.of(
      'problem',
      'nested',
      'string',
      'message',
      'list',
      'text',
      'html',
      'empty',
    ),
    echoValues: true,
    extraFields: choices.often(50),
    absentFields: choices.of('null', 'omitted', 'empty'),
    staleVersion: choices.of('409', '412', '400', '422', 'ignore'),
    duplicateName: choices.of('409', '422', '400', 'allow'),
    writeBody: choices.of('full', 'empty', 'no-content', 'wrong'),
    idempotency: choices.of('replay', 'ignore', 'conflict'),
    pendingFlags: choices.of('honest', 'absent', 'always-false'),
    firstVersion: choices.of(1, -5, 1000),
    unassigned: choices.of('null', 'absent', 'empty'),
    duplicateHostname: choices.of('409', 'same'),
    assignedElsewhere: choices.of('moves', '409'),
    revalidation: choices.of('ignored', 'advances'),
    domainEnds: choices.of('success', 'success', 'failure'),
    overlappingDeployments: choices.of('independent', 'independent', '409'),
    deploymentEnds: choices.of('success', 'success', 'success', 'failure'),
    statusShape: choices.of('flat', 'nested', 'data', 'list', 'foreign-first'),
    jitterMs: choices.of(0, 30),
    refuse: [choices.of('createVariable', 'replaceVariable', 'createDeployment', 'assignDomain')],
  };
  // Each history is odd in some ways only, so that the rest of it goes far.
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => choices.often(name === 'refuse' ? 25 : 35)),
  );
}

/** Where trouble comes, of what runs ask the service and GitHub: of variables, of a deployment, of a preview. */
const moments: Record<
  'variables' | 'deployment' | 'preview' | 'issue',
  readonly [string, ...string[]]
> = {
  variables: [
    'GET .*/environment$',
    'POST .*/environment$',
    'POST .*/environment$',
    'PUT .*/environment/',
    'DELETE .*/environment/',
  ],
  deployment: [
    'POST /v1/.*/deployments$',
    'POST /v1/.*/deployments$',
    'GET /v1/.*/deployments/',
    'GET /repos/.*/deployments$',
    'POST /repos/.*/deployments$',
    'POST /repos/.*/statuses$',
  ],
  preview: [
    'GET /connected-domains$',
    'POST /connected-domains$',
    'POST /connected-domains/.*/project$',
    'GET /repos/.*/pulls/',
    'GET /repos/.*/comments$',
    'POST /repos/.*/comments$',
    'PATCH /repos/.*/comments/',
  ],
  issue: [
    'GET /repos/.*/issues$',
    'POST /repos/.*/issues$',
    'POST /repos/.*/issues$',
    'PATCH /repos/.*/issues/',
  ],
};

const kinds = [
  'no answer',
  'no answer',
  'no answer',
  'cut',
  'no request',
  'kill before',
  'kill after',
  'cancel',
  '503',
  '409',
  '403',
] as const;

function troubleOf(choices: Choices, { event }: Cause): Trouble | undefined {
  const isPreview = event === 'pull request' || event === 'comment' || event === 'sweep';
  const ofRelease = choices.of<keyof typeof moments>(
    'variables',
    'deployment',
    isPreview ? 'preview' : 'deployment',
  );
  const at = choices.of(...moments[event === 'env-sync' ? 'variables' : ofRelease]);
  if (choices.often(25)) return { at: choices.often(50) ? '' : at, kind: 'hold' };
  return choices.often(55) ? { at, kind: choices.of(...kinds) } : undefined;
}

function inputsOf(choices: Choices, event: Cause['event']): Record<string, string> {
  const isDeploy = event !== 'env-sync' && event !== 'sweep';
  const isOurs = event === 'push' || event === 'by hand';
  const value = choices.of('a fake value', 'another fake value');
  const all: Record<string, string> = {
    ...(event !== 'sweep' && {
      env: choices.of('', `GREETING=${value}`, `GREETING=${value}\nFLAG=on`),
      'env-from': choices.of('', 'TOKEN'),
      'env-remove': choices.of('', '', 'OLD'),
      'env-on-conflict': choices.of('overwrite', 'keep', 'fail'),
      mode: choices.of('apply', 'apply', 'apply', 'apply', 'plan'),
    }),
    ...(isDeploy && { deploy: choices.of('true', 'true', 'true', 'true', 'if-needed', 'false') }),
    ...(isOurs && { 'on-older': choices.of('skip', 'skip', 'fail', 'deploy') }),
    ...(isOurs &&
      choices.often(25) && {
        'verify-url': '{page}',
        'verify-contains': 'live: {sha}',
        'verify-timeout': '2s',
        'on-failed-checks': choices.of('fail', 'roll-back'),
      }),
    ...(!isOurs && isDeploy && { 'disconnect-on-close': choices.of('false', 'true') }),
  };
  return Object.fromEntries(Object.entries(all).filter(([, text]) => text !== ''));
}

/** What a person does, with a value of its own. */
function byPeople(choices: Choices, value: string): Act {
  const project = choices.of('production', 'production', 'a', 'b');
  const name = choices.of('GREETING', 'GREETING', 'TOKEN', 'UNDECLARED', 'OLD');
  const to = choices.of('foreign', null) as 'foreign' | null;
  const number = choices.of(...numbers);
  return choices.of<Act>(
    { do: 'set', project, name, value },
    { do: 'set', project, name, value },
    { do: 'unset', project, name },
    { do: 'forget' },
    { do: 'move', number, to },
    { do: 'rotate' },
  );
}

/** A history that is being written. */
class Draft {
  readonly acts: Act[] = [];
  #choices: Choices;
  readonly #held = new Set<number>();
  readonly #opened = new Set<number>();
  readonly #mostly: 'production' | 'previews';
  #runs = 0;

  constructor(choices: Choices) {
    this.#choices = choices;
    this.#mostly = choices.of('production', 'previews');
  }

  #end(how: 'await' | 'let go', run: number): void {
    this.acts.push({ do: how, run });
    this.#held.delete(run);
  }

  /** Awaits most runs: the others are beside what comes next. */
  #begin(run: number, trouble: Trouble | undefined): void {
    if (trouble?.kind === 'hold') this.#held.add(run);
    else if (this.#choices.often(70)) this.#end('await', run);
  }

  #start(
    cause: Cause,
    trouble: Trouble | null | undefined = troubleOf(this.#choices, cause) ?? null,
    given: Record<string, string> = {},
  ): void {
    this.#runs += 1;
    const inputs = { ...inputsOf(this.#choices, cause.event), ...given };
    this.acts.push({ do: 'run', run: this.#runs, cause, inputs, ...(trouble && { trouble }) });
    this.#begin(this.#runs, trouble ?? undefined);
  }

  #again(of: number): void {
    this.#runs += 1;
    const trouble = troubleOf(this.#choices, { event: 'sweep' });
    this.acts.push({ do: 'again', of, run: this.#runs, ...(trouble && { trouble }) });
    this.#begin(this.#runs, trouble);
  }

  #release(trouble?: Trouble): void {
    const choices = this.#choices;
    const where = choices.often(80) ? this.#mostly : choices.of('production', 'previews');
    if (where === 'production') {
      const event = choices.of('push', 'push', 'push', 'by hand');
      this.#start({ event, commit: choices.of(...commits) }, trouble);
      return;
    }
    const number = choices.of(...numbers);
    const later = choices.of('synchronize', 'closed', 'closed', 'reopened');
    const action: PullRequestAction = this.#opened.has(number) ? later : 'opened';
    this.#opened.add(number);
    this.#start({ event: 'pull request', number, action, commit: choices.of(...commits) }, trouble);
  }

  /** Holds a run before a write that it has decided on, until another one has passed it. */
  #overtake(): void {
    const at = this.#choices.of(
      'POST /connected-domains',
      'POST /v1/.*/deployments$',
      'environment$',
    );
    this.#release({ at, kind: 'hold' });
    const held = this.#runs;
    this.#release();
    this.#end('await', this.#runs);
    this.#end('let go', held);
  }

  /** Changes by hand what a run has written, and has the same written again. */
  #intervene(): void {
    this.#release();
    const run = this.#runs;
    this.#end('await', run);
    const project = this.#mostly === 'production' ? 'production' : 'a';
    this.acts.push({ do: 'set', project, name: 'GREETING', value: `by hand ${run}` });
    this.#again(run);
  }

  /** Sweeps previews that have become old, of which one may have a run in progress or a label. */
  #sweepIdle(): void {
    const choices = this.#choices;
    const number = choices.of(...numbers);
    const commit = choices.of(...commits);
    const release = (action: PullRequestAction, trouble: Trouble | null) =>
      this.#start({ event: 'pull request', number, action, commit }, trouble, { deploy: 'true' });
    release('opened', null);
    this.#end('await', this.#runs);
    const [asked, followed] = ['POST /v1/.*/deployments$', 'GET /v1/.*/deployments/'];
    const at = choices.of('GET .*/environment$', asked, followed, 'POST /repos/.*/statuses$');
    const age = () => this.acts.push({ do: 'age' });
    const hold = () => choices.often(70) && release('synchronize', { at, kind: 'hold' });
    for (const next of choices.of([age, hold], [hold, age])) next();
    if (choices.often(40)) this.acts.push({ do: 'label', number, isKept: choices.often(70) });
    const troubles = choices.often(30) ? undefined : null;
    this.#start({ event: 'sweep' }, troubles, { 'preview-idle': '7d' });
    if (choices.often(30)) release('synchronize', null);
  }

  /** Reports drift in an issue, once or more, beside what people do; and once more when all is quiet. */
  #reportDrift(): void {
    const choices = this.#choices;
    const declared = { env: 'GREETING=a fake value', 'env-from': '', mode: 'apply' };
    const reports: number[] = [];
    const report = () => {
      const at = choices.of(...moments.issue);
      const kind = choices.often(50) ? ('hold' as const) : choices.of(...kinds);
      const trouble: Trouble | null = choices.often(50) ? { at, kind } : null;
      const inputs = { ...declared, mode: 'plan', 'drift-issue': 'true' };
      this.#start({ event: 'env-sync' }, trouble, inputs);
      reports.push(this.#runs);
    };
    const set = () => {
      const value = `by hand ${this.acts.length}`;
      this.acts.push({ do: 'set', project: 'production', name: 'GREETING', value });
    };
    const sync = () => this.#start({ event: 'env-sync' }, null, declared);
    const close = () => this.acts.push({ do: 'close' });
    report();
    const count = choices.of(1, 2, 3, 4);
    for (let act = 0; act < count; act += 1) choices.of(report, report, set, sync, close)();
    for (const one of reports) this.#end('await', one);
    report();
  }

  /** Adds what ends or reports by itself, by choices of its own: what came before stays as it is. */
  addLater(choices: Choices): void {
    this.#choices = choices;
    const [sweeps, reports] = [choices.often(30), choices.often(30)];
    // None is held for longer than it has time.
    if (sweeps || reports) for (const run of this.#held) this.#end('await', run);
    if (sweeps) this.#sweepIdle();
    if (reports) this.#reportDrift();
  }

  /** Adds what happens next. */
  add(): void {
    const choices = this.#choices;
    const [held] = this.#held;
    if (held !== undefined && choices.often(30)) {
      this.#end('let go', held);
      return;
    }
    const release = () => this.#release();
    const overtake = () => this.#overtake();
    const edit = () => this.acts.push(byPeople(choices, `by hand ${this.acts.length}`));
    const runs = Array.from({ length: this.#runs }, (_, index) => index + 1);
    choices.of<() => unknown>(
      ...[release, release, release, release, release, release, overtake, overtake, edit, edit],
      () => this.#intervene(),
      () => this.#again(choices.of(1, ...runs)),
      () => this.#start({ event: choices.of('env-sync', 'sweep', 'sweep') }),
      () => this.#start({ event: 'comment', number: choices.of(...numbers) }),
    )();
  }
}

/** Writes a history by a seed: the same one each time. */
export function generate(seed: number): History {
  const choices = new Choices(`history ${seed}`);
  const draft = new Draft(choices);
  const count = choices.of(3, 4, 5, 6, 7);
  for (let act = 0; act < count; act += 1) draft.add();
  draft.addLater(new Choices(`history ${seed}, later`));
  return {
    seed,
    dialect: dialectOf(choices),
    isLeased: choices.often(60),
    hasLedger: choices.often(60),
    broken: choices.often(30) ? [choices.of(...commits)] : [],
    acts: draft.acts,
  };
}

/** The same history with one run after the other, and none that is held, killed or canceled: it leaves the same each time. */
export function inTurn(history: History): History {
  const acts = history.acts.flatMap((act): Act[] => {
    if (act.do === 'await' || act.do === 'let go') return [];
    if (act.do !== 'run' && act.do !== 'again') return [act];
    const { trouble, ...calm } = act;
    const isCalm = trouble === undefined || /hold|kill|cancel/.test(trouble.kind);
    return [isCalm ? calm : act, { do: 'await', run: act.run }];
  });
  return { ...history, dialect: { ...history.dialect, jitterMs: 0 }, acts };
}
