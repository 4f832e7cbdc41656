import { setTimeout as delay } from 'node:timers/promises';
import type { GitHubStandIn } from '../../emulator/github/index.ts';
import type { Emulator, FaultKind, FaultSpec } from '../../emulator/index.ts';
import type { ActionResult, RunningAction, RunOptions } from '../../emulator/runner.ts';
import { type HistoryWorld, startHistory } from '../dist/history-world.ts';
import { type PullRequestWorld, startPullRequest } from '../dist/pull-request-world.ts';

import { type RecordedPlay, record } from './recorded.ts';
import { randomFrom } from './scrub.ts';

/** Chooses by a seed. */
class Choices {
  /** Whether a kill was chosen. */
  isKilled = false;
  readonly #random: () => number;

  constructor(seed: string) {
    this.#random = randomFrom(seed);
  }

  of<Value>(...all: readonly [Value, ...Value[]]): Value {
    return all[Math.floor(this.#random() * all.length)] ?? all[0];
  }

  /** True so often in a hundred. */
  often(percent: number): boolean {
    return this.#random() * 100 < percent;
  }
}

/** A moment of a kill, so often in a hundred. */
function killOf(choices: Choices): Moment | undefined {
  if (!choices.often(20)) return undefined;
  choices.isKilled = true;
  return choices.of(...moments);
}

/** A moment at which nothing else is under way, so that what a kill leaves is the same each time. */
type Moment =
  | { side: 'service'; operation: string; effect: boolean }
  | { side: 'GitHub'; operation: Parameters<GitHubStandIn['on']>[0] };

const moments: readonly [Moment, ...Moment[]] = [
  { side: 'service', operation: 'createDeployment', effect: false },
  { side: 'service', operation: 'createDeployment', effect: true },
  { side: 'service', operation: 'site', effect: true },
  { side: 'GitHub', operation: 'repos/create-deployment-status' },
];

const faults: readonly [FaultKind, ...FaultKind[]] = [
  { kind: 'reset-before' },
  { kind: 'reset-after' },
  { kind: 'cut-body' },
  { kind: 'not-json' },
  { kind: 'status', status: 503, headers: { 'retry-after': '0' }, effect: false },
  { kind: 'status', status: 409, effect: false },
  { kind: 'status', status: 403, effect: false },
];

interface Around {
  emulator: Emulator;
  github: GitHubStandIn;
}

/** Waits until nothing more arrives: what runs beside the moment of a kill has then been done, whatever came first. */
async function quiet({ emulator, github }: Around): Promise<void> {
  let before = -1;
  for (;;) {
    const now = emulator.journal.entries.length + github.journal.length;
    if (now === before) return;
    before = now;
    await delay(200);
  }
}

/** Kills a run at a moment; if that never comes, the run ends by itself. */
async function killedAt(
  { emulator, github }: Around,
  moment: Moment,
  start: () => Promise<RunningAction>,
): Promise<ActionResult> {
  const reached = Promise.withResolvers<void>();
  let isArmed = true;
  let fault: ReturnType<Emulator['faults']['add']> | undefined;
  if (moment.side === 'GitHub') {
    github.on(moment.operation, async () => {
      if (!isArmed) return;
      reached.resolve();
      await step?.done;
    });
  } else {
    const { operation, effect } = moment;
    fault = emulator.faults.add({ kind: 'stall', operation, effect });
    void emulator.journal.waitFor(() => fault?.fired === 1).then(() => reached.resolve());
  }
  let step: RunningAction | undefined = await start();
  await using running = step;
  await Promise.race([reached.promise, running.done]);
  await quiet({ emulator, github });
  isArmed = false;
  fault?.remove();
  running.kill();
  step = undefined;
  return await running.done;
}

/** Puts a fault in a run's way, so often in a hundred, and takes it away behind the run. */
async function withFault<Result>(
  choices: Choices,
  { emulator }: Around,
  operations: readonly [string, ...string[]],
  run: () => Promise<Result>,
): Promise<Result> {
  if (!choices.often(25)) return await run();
  const spec: FaultSpec = { ...choices.of(...faults), operation: choices.of(...operations) };
  const fault = emulator.faults.add(spec);
  const result = await run();
  fault.remove();
  return result;
}

/** Runs on production: pushes in any order, gates, checks, ways back, kills and faults. */
async function production(name: string): Promise<RecordedPlay> {
  const choices = new Choices(name);
  await using world = await startHistory({
    buildMs: 0,
    offers: choices.of('both', 'poll', 'stream'),
    errorShape: choices.of('problem', 'nested', 'html'),
    echoValues: choices.often(30),
  });
  const { commits, emulator } = world;
  const steps: ActionResult[] = [];
  for (let run = 0; run < 3 + choices.of(0, 1, 2); run += 1) {
    emulator.dialect.deploymentEnds = choices.often(15) ? 'failure' : 'success';
    const commit = commits[choices.of('first', 'second', 'third', 'aside')];
    world.broken = new Set(choices.often(30) ? [commit] : []);
    const inputs: Record<string, string> = {
      'on-older': choices.of('deploy', 'skip', 'fail'),
      deploy: choices.of('true', 'true', 'if-needed', 'false'),
      mode: choices.often(10) ? 'plan' : 'apply',
      'env-on-conflict': choices.of('overwrite', 'keep', 'fail'),
      env: choices.of('', 'GREETING=hello-from-a-fake', 'GREETING=another-fake-value'),
      ...(choices.often(70) && {
        'verify-url': world.page,
        'verify-contains': 'live: {sha}',
        'verify-timeout': '2s',
        'on-failed-checks': choices.of('fail', 'roll-back'),
      }),
    };
    if (inputs['deploy'] === 'if-needed' && choices.often(50)) inputs['commit-sha'] = commit;
    const options = (launch?: object): Partial<RunOptions> => ({ ...launch, inputs });
    const kill = killOf(choices);
    const go = () =>
      kill === undefined
        ? world.run(commit, inputs)
        : killedAt(world, kill, () => world.start(commit, options()));
    steps.push(
      await withFault(
        choices,
        world,
        ['createDeployment', 'readEnvironment', 'createVariable'],
        go,
      ),
    );
  }
  const { isKilled } = choices;
  return record(name, { ...world, steps, isKilled, names: namesOf(world) });
}

const namesOf = ({ commits, page }: HistoryWorld) => ({
  ...Object.fromEntries(Object.entries(commits).map(([name, sha]) => [sha, name])),
  [page]: 'page',
});

/** A pull request from its opening to its close, with a lease of a project. */
async function pullRequest(name: string): Promise<RecordedPlay> {
  const choices = new Choices(name);
  await using world: PullRequestWorld = await startPullRequest({
    buildMs: 0,
    verifyMs: 0,
    deploymentEnds: choices.often(20) ? 'failure' : 'success',
  });
  const { emulator, project } = world;
  const other = await emulator.world.createProject('another');
  if (choices.often(25)) emulator.world.connectDomain('taken.example.com', project.id);
  const isLeased = choices.often(60);
  const steps: ActionResult[] = [];
  for (const action of ['opened', 'synchronize', choices.of('synchronize', 'reopened'), 'closed']) {
    if (action === 'closed') world.close();
    const inputs = {
      env: choices.of('', 'GREETING=hello-from-a-fake'),
      deploy: choices.of('true', 'true', 'false'),
      'disconnect-on-close': choices.of('true', 'false'),
      ...(isLeased && { 'project-id': '', 'preview-projects': `${project.id}\n${other.id}` }),
    };
    const kill = killOf(choices);
    const go = () =>
      kill === undefined
        ? world.run(action, { inputs })
        : killedAt(world, kill, () => world.start(action, { inputs }));
    const operations = [
      'createDeployment',
      'assignDomain',
      'connectDomain',
      'listConnectedDomains',
    ] as const;
    steps.push(await withFault(choices, world, operations, go));
  }
  const { isKilled } = choices;
  return record(name, { ...world, steps, isKilled, names: { [await project.head()]: 'head' } });
}

const families = { production, 'pull request': pullRequest };

/** Seeded histories of runs: so many of each kind. */
export const histories = (count: number): (readonly [string, () => Promise<RecordedPlay>])[] =>
  Object.entries(families).flatMap(([family, play]) =>
    Array.from({ length: count }, (_, index) => {
      const name = `history: ${family} ${index + 1}`;
      return [name, () => play(name)] as const;
    }),
  );
