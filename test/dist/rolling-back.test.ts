import { describe, expect, it } from 'vitest';
import type { ActionResult, RunOptions } from '../../emulator/runner.ts';
import { rows } from '../support/exhaustive.ts';
import { type HistoryWorld, repository, startHistory } from './history-world.ts';
import { previewInputs, pushToPullRequest } from './preview-push.ts';

const inputs = (world: HistoryWorld, more: Record<string, string> = {}) => ({
  'verify-url': world.page,
  'verify-contains': 'live: {sha}',
  'verify-timeout': '6s',
  'on-failed-checks': 'roll-back',
  ...more,
});

/** A world in which the first commit was deployed with good checks, and the second is broken. */
async function startGood(dialect: Parameters<typeof startHistory>[0] = {}) {
  const world = await startHistory(dialect);
  const { first, second } = world.commits;
  const { outputs } = await world.run(first, inputs(world));
  expect(outputs).toMatchObject({ outcome: 'succeeded', 'live-commit': first });
  world.broken.add(second);
  world.asked();
  return world;
}

/** The last status of each GitHub Deployment. */
const recorded = ({ github }: HistoryWorld) =>
  github.deployments(repository).map(({ statuses }) => {
    const { state, description = '' } = statuses.at(-1) ?? {};
    return `${state}: ${description}`;
  });

/** What a run says in its last line, its annotation, its summary and its output. */
const said = ({ log, summary, annotations, outputs }: ActionResult) => ({
  log: log.join('\n'),
  summary,
  annotation: annotations.map(({ message }) => message).join('\n'),
  output: outputs['error'] ?? '',
});

const short = (commit: string) => commit.slice(0, 7);

describe.concurrent('on-failed-checks: roll-back', () => {
  it('goes back to the commit that was good, and says everywhere what is live', async () => {
    await using world = await startGood();
    const { first, second, third } = world.commits;
    const result = await world.run(second, inputs(world, { env: 'A_NAME=fake' }));
    expect(result).toMatchObject({ conclusion: 'failure', exitCode: 1 });
    expect(result.outputs).toMatchObject({
      outcome: 'rolled-back',
      'commit-sha': second,
      'live-commit': first,
      'deployment-id': world.project.deployments[1]?.id,
    });
    expect(JSON.parse(result.outputs['checks'] ?? '')).toMatchObject([{ held: false }]);
    expect(world.deployed()).toEqual([first, second, first]);
    const title = `Production was rolled back to ${short(first)}: 1 check of ${short(second)} failed`;
    const { log, summary, annotation, output } = said(result);
    expect(log).toContain(`The checks failed: rolling back to commit ${first}`);
    expect(log).toContain(title);
    expect(summary).toContain(`## ↩️ ${title}`);
    expect(summary).toContain(`**Live now:** Commit [<code>${short(first)}</code>]`);
    expect(summary).toContain(`Checks of <code>${short(first)}</code> (after the rollback):`);
    expect(output).toMatch(
      new RegExp(
        `^Commit ${short(first)} is live again, and its checks pass\\. \\w{7}: 1 check failed \\(tried for 6s\\)\\. GET http.*returned 503, expected 2xx\\. .*\\. Variables keep their new values\\. \\(SD5005\\)$`,
      ),
    );
    expect(annotation).toBe(output);
    expect(recorded(world)).toEqual([expect.stringMatching(/^success/), `failure: ${title}`]);
    const mended = await world.run(third, inputs(world));
    expect(mended.outputs).toMatchObject({ outcome: 'succeeded', 'live-commit': third });
    expect(world.states()).toEqual(['inactive', 'inactive', 'success']);
    expect(world.github.violations).toEqual([]);
  });

  it.each(rows(['PREVIOUS', 'a SHA', '7 digits'], 1))(
    'goes back to what was live if a commit chosen by hand fails: %s',
    async (given) => {
      await using world = await startGood();
      const { first, second } = world.commits;
      world.broken.clear();
      await world.run(second, inputs(world));
      world.broken.add(first);
      const chosen = { PREVIOUS: 'PREVIOUS', 'a SHA': first, '7 digits': short(first) }[given];
      const more = { 'commit-sha': chosen ?? '' };
      const { outputs } = await world.run(second, inputs(world, more));
      expect(outputs, outputs['error']).toMatchObject({
        outcome: 'rolled-back',
        'commit-sha': first,
        'live-commit': second,
      });
      expect(world.deployed()).toEqual([first, second, first, second]);
    },
  );

  it.each(rows([{ 'on-failed-checks': 'fail' }, {}], 1))(
    'asks nobody anything where it is not used: %j',
    async (unused: Record<string, string>) => {
      await using world = await startGood();
      const page = { 'verify-url': world.page, 'verify-timeout': '2s', 'on-older': 'deploy' };
      world.emulator.journal.clear();
      await world.run(world.commits.second, { ...page, ...unused });
      expect(world.emulator.journal.of('createDeployment')).toHaveLength(1);
      expect(world.asked().sort()).toEqual([
        'repos/create-deployment',
        'repos/create-deployment-status',
        'repos/create-deployment-status',
        'repos/list-deployment-statuses',
        'repos/list-deployments',
        'repos/list-deployments',
      ]);
    },
  );

  it('goes back on a preview, and its comment says so', async () => {
    await using world = await startHistory();
    const { first, second } = world.commits;
    const push = async (sha: string, onFailedChecks = 'roll-back') => {
      const more = { ...previewInputs(world), 'on-failed-checks': onFailedChecks };
      return await world.run(sha, inputs(world, more), { event: pushToPullRequest(world, sha) });
    };
    expect((await push(first)).outputs['outcome']).toBe('succeeded');
    world.broken.add(second);
    const { outputs } = await push(second);
    expect(outputs).toMatchObject({ outcome: 'rolled-back', 'live-commit': first });
    const [comment = ''] = world.github.comments(repository, 7).map(({ body = '' }) => body);
    expect(comment).toContain(`7 was rolled back to ${short(first)}: `);
    expect(comment).toContain('Still live, from commit');
    expect(world.deployed()).toEqual([first, second, first]);
    // Where nothing is rolled back, what is broken is live.
    expect((await push(second, 'fail')).outputs).toMatchObject({ 'live-commit': second });
    const [bad = ''] = world.github.comments(repository, 7).map(({ body = '' }) => body);
    expect(bad).toContain('7 is deployed, but 1 check failed');
    expect(bad).not.toContain('Still live');
    expect(world.github.violations).toEqual([]);
  });
});

describe.concurrent('nothing is sent where roll-back', () => {
  const mistakes: [string, Record<string, string>, string[]][] = [
    ['has no check', { 'verify-url': '', 'verify-contains': '' }, ['roll-back needs a check']],
    [
      'has no records, waits for nothing, and is of HEAD',
      { 'github-deployment': 'false', wait: 'none', 'commit-sha': 'HEAD', 'verify-contains': '' },
      [
        'needs github-deployment: true',
        'roll-back needs a wait other than none',
        'commit-sha is HEAD',
      ],
    ],
    ['is another word', { 'on-failed-checks': 'undo' }, ['fail or roll-back']],
  ];
  it('has no check, no records or another word, or is checked by something with a mistake', async () => {
    await using world = await startHistory();
    const { first } = world.commits;
    world.emulator.journal.clear();
    for (const [what, more, says] of mistakes) {
      const { outputs } = await world.run(first, inputs(world, more));
      expect(outputs, what).toMatchObject({ outcome: 'failed', requests: '0' });
      expect(outputs['error'], what).toContain('on-failed-checks');
      for (const words of says) expect(outputs['error'], what).toContain(words);
    }
    // A mistake in the check alone is told.
    const { outputs } = await world.run(first, inputs(world, { 'verify-timeout': '1s' }));
    expect(outputs['error']).toMatch(/^verify-timeout: "1s" must be at least 2s/);
    expect(outputs['error']).not.toContain('needs a check');
    expect(world.emulator.journal.entries).toEqual([]);
  });

  it('but a watch goes on, which never rolls anything back', async () => {
    await using world = await startGood();
    const { first, second } = world.commits;
    world.broken.add(first);
    const more = { deploy: 'false', 'verify-contains': '', 'github-deployment': 'false' };
    const { outputs } = await world.run(second, inputs(world, more));
    expect(outputs['outcome']).toBe('failed');
    expect(world.deployed()).toEqual([first]);
  });
});

type Cut = 'kill' | 'cancel';

/** Starts the run of the broken commit, cuts it off at a moment, and gives what was said at the end. */
async function cutOff(
  world: HistoryWorld,
  how: Cut,
  moment: () => Promise<unknown>,
  options: Partial<RunOptions> = {},
) {
  await using step = await world.start(world.commits.second, {
    inputs: inputs(world),
    ...options,
  });
  await moment();
  if (how === 'kill') step.kill();
  else step.cancel();
  const result = await step.done;
  const words = how === 'kill' ? (result.post?.log ?? []) : [result.outputs['error'] ?? ''];
  return { result, words: words.join('\n') };
}

const isWindows = process.platform === 'win32';

describe.concurrent.each<Cut>(['kill', 'cancel'])('a %s in the way back', (how) => {
  const title = (first: string) =>
    how === 'kill'
      ? `error: Production: the run did not finish rolling back to ${short(first)}`
      : `error: Production: canceled while it was being rolled back to ${short(first)}`;

  const effects: [string, boolean][] = [
    ['before the request has its effect', false],
    ['after it', true],
  ];
  it.skipIf(isWindows).each(rows(effects, ([, effect]) => effect === (how === 'kill')))(
    '%s says that it may go live (Windows has no signals)',
    async (_, effect) => {
      await using world = await startGood();
      const { first, second } = world.commits;
      world.emulator.faults.add({ operation: 'createDeployment', kind: 'stall', effect, after: 1 });
      const stalled = async () => {
        const { journal } = world.emulator;
        await journal.waitFor(
          ({ operation, status, body, effect: done }) =>
            operation === 'createDeployment' &&
            status === null &&
            (body as { versionId?: string } | undefined)?.versionId === first &&
            (done || !effect),
        );
      };
      world.emulator.journal.clear();
      const { words } = await cutOff(world, how, stalled);
      expect(words).toContain(`The rollback to commit ${short(first)} was requested`);
      expect(words).toMatch(/may (still )?go live/);
      expect(world.deployed()).toEqual([first, second, ...(effect ? [first] : [])]);
      expect(recorded(world)[1]).toBe(title(first));
      expect(world.states()).toHaveLength(2);
    },
  );

  // Of each way to be cut off another moment.
  it.runIf(how === 'cancel' && !isWindows)(
    'while it is followed says which deployment may go live (Windows has no signals)',
    async () => {
      let isBack = false;
      await using world = await startGood({
        deploymentEnds: () => (isBack ? 'never' : 'success'),
      });
      const { first, second } = world.commits;
      world.onBroken = async () => {
        isBack = true;
      };
      const followed = async () => {
        const { journal } = world.emulator;
        await journal.waitFor(({ operation, path }) => {
          const id = world.project.deployments[2]?.id;
          return id !== undefined && operation.startsWith('readDeployment') && path.includes(id);
        });
      };
      const { words } = await cutOff(world, how, followed);
      const id = world.project.deployments[2]?.id;
      expect(words).toContain(`The rollback to commit ${short(first)} (deployment ${id}) `);
      expect(words).toContain('may still go live');
      expect(world.deployed()).toEqual([first, second, first]);
      expect(recorded(world)[1]).toBe(title(first));
    },
  );

  it.runIf(how === 'kill' && !isWindows)(
    'while GitHub is told of its end lets the post step repeat it (Windows has no signals)',
    async () => {
      await using world = await startGood();
      const { first, second } = world.commits;
      const telling = Promise.withResolvers<void>();
      world.github.latency = ({ operationId, body }) => {
        const isEnd = (body as { state?: string } | undefined)?.state === 'failure';
        if (operationId !== 'repos/create-deployment-status' || !isEnd) return 0;
        telling.resolve();
        return 60_000;
      };
      const moment = async () => {
        await telling.promise;
        world.github.latency = 0;
      };
      const { result } = await cutOff(world, how, moment);
      expect(result.outputs['outcome']).toBe('rolled-back');
      expect(recorded(world)[1]).toMatch(/^failure: .* was rolled back to /);
      expect(result.post?.log.join('\n')).toContain(`was rolled back to ${short(first)}: `);
      expect(world.deployed()).toEqual([first, second, first]);
    },
  );
});
