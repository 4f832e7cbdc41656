// Attack (starting): Code that is not merged reaches production by `allow-production`, past `on-older`
// Defense: A project that serves other domains than the run's preview is production on every event

import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../emulator/runner.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { type HistoryWorld, repository, startHistory } from './history-world.ts';

const number = 7;

/** The events of code that is not merged, whose head is a commit. */
const events: Readonly<Record<string, (sha: string) => RunEvent>> = {
  'a pull request': (sha) => ({
    name: 'pull_request',
    payload: adjust(examplePayload('pull_request', 'opened'), {
      number,
      'pull_request.number': number,
      'pull_request.head.sha': sha,
      'pull_request.head.ref': 'topic',
      'pull_request.head.repo.full_name': repository,
      'pull_request.base.repo.full_name': repository,
    }),
  }),
  'the merge queue': (sha) => ({
    name: 'merge_group',
    payload: adjust(examplePayload('merge_group'), { 'merge_group.head_sha': sha }),
  }),
};

/** A world with an open pull request, and a project that serves a site. */
async function startServing(serves = true) {
  const world = await startHistory({ verifyMs: 0 });
  const { third, first } = world.commits;
  const repo = { full_name: repository, fork: false };
  world.github.pullRequests.set(`${repository}#${number}`, {
    number,
    state: 'open',
    head: { ref: 'topic', sha: third, repo },
    base: { ref: 'main', sha: first },
  });
  if (serves) world.emulator.world.connectDomain('www.example.com', world.project.id);
  return world;
}

const allowed = { 'allow-production': 'true', 'preview-domain': 'pr-{number}.p.example.com' };

/** Where each run was recorded. */
const recorded = ({ github }: HistoryWorld) =>
  github
    .deployments(repository)
    .map(({ environment, production_environment: isProduction, transient_environment: ends }) => [
      environment,
      isProduction,
      ends,
    ]);

const production = ['production', true, false];

describe.concurrent.each(Object.entries(events))(
  '%s that goes to a project that serves a site',
  (_, eventOf) => {
    it('is recorded as production, and seen by an older run', async () => {
      await using world = await startServing();
      const { second, third } = world.commits;
      const run = await world.run(third, allowed, { event: eventOf(third) });
      expect(run.outputs).toMatchObject({ outcome: 'succeeded', error: '' });
      expect(recorded(world)).toEqual([production]);
      const older = await world.run(second, { 'on-older': 'skip' });
      expect(older.outputs).toMatchObject({ outcome: 'skipped', 'skipped-reason': 'older-commit' });
      expect(world.deployed()).toEqual([third]);
      expect(world.github.violations).toEqual([]);
    });

    it('is skipped itself where it is older than production', async () => {
      await using world = await startServing();
      const { second, third } = world.commits;
      await world.run(third);
      const inputs = { ...allowed, 'on-older': 'skip' };
      const older = await world.run(second, inputs, { event: eventOf(second) });
      expect(older.outputs['skipped-reason']).toBe('older-commit');
      expect(world.deployed()).toEqual([third]);
    });

    it('has a plan that says so, too', async () => {
      await using world = await startServing();
      const { second, third } = world.commits;
      await world.run(third);
      const inputs = { ...allowed, 'on-older': 'skip', mode: 'plan' };
      const plan = await world.run(second, inputs, { event: eventOf(second) });
      expect(plan.outputs).toMatchObject({ outcome: 'planned', error: '' });
      expect(plan.log.join('\n')).toContain('because of earlier deployments');
    });
  },
);

describe.concurrent('a pull request that may go to production', () => {
  const eventOf = events['a pull request'] as (sha: string) => RunEvent;
  const preview = [`preview/pr-${number}`, false, true];

  it('and has a project that serves nothing but its preview, is a preview', async () => {
    await using world = await startServing(false);
    const { third } = world.commits;
    const run = await world.run(third, allowed, { event: eventOf(third) });
    expect(run.outputs).toMatchObject({ outcome: 'succeeded', error: '' });
    expect(recorded(world)).toEqual([preview]);
  });

  it('and leases a project that serves a site is recorded as a push to that project is', async () => {
    await using world = await startServing();
    const { second, third } = world.commits;
    const lease = { 'project-id': '', 'preview-projects': world.project.id };
    const run = await world.run(third, { ...allowed, ...lease }, { event: eventOf(third) });
    expect(run.outputs).toMatchObject({ outcome: 'succeeded', error: '' });
    expect(recorded(world)).toEqual([production]);
    const older = await world.run(second, { 'on-older': 'skip' });
    expect(older.outputs['skipped-reason']).toBe('older-commit');
  });
});
