import { describe, expect, test } from 'vitest';
import {
  checksOf,
  deployedBy,
  type ExampleWorld,
  openPull,
  startExampleWorld,
} from '../examples/example-world.ts';
import { processesIn } from '../git/processes.ts';
import { repository } from '../git/support.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { push } from './push.ts';
import { outcomesIn, runAct, startAct, stepsIn } from './run-act.ts';

/** Values that may stand in no log. */
const secretsOf = (world: ExampleWorld) => [...Object.values(world.secrets), world.github.token];

test('push.yml: the commit is pushed and deployed with its variables, and no secret is shown', async () => {
  await using world = await startExampleWorld();
  const { sha, event } = await push(world);
  const { exitCode, log } = await runAct(world, { workflow: 'push.yml', event });
  expect(exitCode, log).toBe(0);
  expect(stepsIn(log)).toMatchObject([{ outputs: { outcome: 'succeeded', pushed: 'true' } }]);
  expect(deployedBy(world)).toEqual([sha]);
  const stored = world.project.variables.map(({ name, value }) => [name, value]);
  expect(Object.fromEntries(stored)).toEqual({
    STRIPE_KEY: world.secrets['STRIPE_KEY'],
    DATABASE_URL: world.secrets['PRODUCTION_DATABASE_URL'],
  });
  expect(world.github.deployments(repository).at(-1)?.statuses.at(-1)?.state).toBe('success');
  for (const secret of secretsOf(world)) expect(log).not.toContain(secret);
});

test('pull-request.yml: opened, synchronised, closed', async () => {
  await using world = await startExampleWorld();
  const { github, emulator } = world;
  const first = await openPull(world, repository);
  const workflow = 'pull-request.yml';
  const opened = await runAct(world, { workflow, event: first.event('opened') });
  expect(opened.exitCode, opened.log).toBe(0);
  expect(stepsIn(opened.log)).toMatchObject([
    { outputs: { outcome: 'succeeded', 'preview-url': 'https://pr-7.preview.example.com' } },
  ]);
  const [comment, ...others] = github.comments(repository, 7);
  expect(others).toEqual([]);
  const next = await openPull(world, repository);
  const again = await runAct(world, { workflow, event: next.event('synchronize') });
  expect(again.exitCode, again.log).toBe(0);
  expect(deployedBy(world)).toEqual([first.sha, next.sha]);
  expect(github.comments(repository, 7).map(({ id }) => id)).toEqual([comment?.id]);
  next.close();
  const closed = await runAct(world, { workflow, event: next.event('closed') });
  expect(outcomesIn(closed), closed.log).toEqual(['cleaned-up']);
  expect(emulator.world.domains.all[0]?.projectId).toBeNull();
});

test('fork-preview.yml: a fork by the end of its checks, its close, and nothing for a branch of our own', async () => {
  await using world = await startExampleWorld();
  const fork = 'octo-stranger/octo-site';
  const { sha, close } = await openPull(world, fork);
  const workflow = 'fork-preview.yml';
  const run = await runAct(world, { workflow, event: checksOf(fork, sha) });
  expect(outcomesIn(run), run.log).toEqual(['succeeded']);
  expect(deployedBy(world)).toEqual([sha]);
  expect(world.github.comments(repository, 7)).toHaveLength(1);
  const own = await runAct(world, { workflow, event: checksOf(repository, sha) });
  expect(stepsIn(own.log)).toEqual([]);
  expect(own.exitCode).toBe(0);
  expect(deployedBy(world)).toEqual([sha]);
  close();
  const closed = await runAct(world, { workflow, event: checksOf(fork, sha) });
  expect(outcomesIn(closed), closed.log).toEqual(['cleaned-up']);
});

test('chat.yml: each step takes the outputs of the one before', async () => {
  await using world = await startExampleWorld();
  const { event } = await openPull(world, repository);
  await runAct(world, { workflow: 'pull-request.yml', event: event('opened') });
  const payload = adjust(examplePayload('issue_comment', 'created'), {
    'issue.number': 7,
    'issue.state': 'open',
    'issue.pull_request': {},
    'comment.body': '/site Make it blue.',
    'comment.author_association': 'MEMBER',
  });
  const said = { name: 'issue_comment', payload };
  const run = await runAct(world, { workflow: 'chat.yml', event: said });
  expect(outcomesIn(run), run.log).toEqual(['synced', 'succeeded', 'succeeded']);
  expect(world.project.messages).toHaveLength(1);
});

describe('what goes wrong', () => {
  test('a deployment that fails: the job fails, and GitHub is told', async () => {
    await using world = await startExampleWorld({ deploymentEnds: 'failure' });
    const { event } = await push(world);
    const run = await runAct(world, { workflow: 'push.yml', event });
    expect(outcomesIn(run), run.log).toEqual(['failed']);
    expect(run.exitCode).toBe(1);
    expect(world.github.deployments(repository).at(-1)?.statuses.at(-1)?.state).toBe('failure');
  });

  test.runIf(process.platform === 'linux')(
    'a step that is killed: the post step says what was accepted (found by /proc, so on Linux)',
    async () => {
      await using world = await startExampleWorld({ deploymentEnds: 'never' });
      const { sha, event } = await push(world);
      const running = await startAct(world, { workflow: 'push.yml', event });
      await world.emulator.journal.waitFor(({ operation }) => operation === 'readDeploymentEvents');
      const steps = (await processesIn(world.folder)).filter(({ args }) =>
        args.includes('dist/deploy.js'),
      );
      expect(steps).toHaveLength(1);
      for (const { pid } of steps) process.kill(pid, 'SIGKILL');
      const { exitCode, log } = await running.done;
      expect(exitCode).toBe(1);
      expect(log).toContain('killed before it could report');
      expect(log).toContain(world.project.deployments[0]?.id);
      expect(deployedBy(world)).toEqual([sha]);
      expect(world.github.deployments(repository).at(-1)?.statuses.at(-1)?.state).toBe('error');
    },
  );
});

test('what we mask stays masked in the steps after ours', async () => {
  await using world = await startExampleWorld();
  const { event } = await push(world);
  const value = 'fake-of-a-file-0123456789';
  const workflow = `on: push
jobs:
  deploy:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v6
      - run: cat secrets.env
      - uses: OWNER/site-deploy-action/env-sync@v1
        with:
          api-key: \${{ secrets.SITE_API_KEY }}
          base-url: \${{ vars.SITE_BASE_URL }}
          project-id: \${{ vars.SITE_PROJECT_ID }}
          env-file: secrets.env
      - run: sed 's/^/later /' secrets.env
`;
  const files = { 'secrets.env': `FROM_FILE=${value}\n` };
  const run = await runAct(world, { workflow, event, files });
  expect(outcomesIn(run), run.log).toEqual(['synced']);
  expect(run.log).toContain(`FROM_FILE=${value}`);
  expect(run.log).toContain('later FROM_FILE=***');
  expect(run.log.split(value)).toHaveLength(2);
});
