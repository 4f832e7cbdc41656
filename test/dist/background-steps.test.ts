import { mkdtempDisposable, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Launch } from '../../emulator/runner/process.ts';
import { startWatched } from '../support/shared-process.ts';
import { type PullRequestWorld, repository, startPullRequest } from './pull-request-world.ts';

const isWindows = process.platform === 'win32';

/** The GitHub Deployments of an environment, by their last states. */
const statesIn = ({ github }: PullRequestWorld, environment: string) =>
  github
    .deployments(repository)
    .filter((one) => one.environment === environment)
    .map(({ statuses }) => statuses.at(-1)?.state);

// Steps of a job that run in the background have its run, its attempt and its RUNNER_TEMP in common.
it.skipIf(isWindows)(
  'of two steps at once, a cancel of one ends that one alone (Windows has no signals)',
  async () => {
    await using world = await startPullRequest({ deploymentEnds: 'never' });
    await using temp = await mkdtempDisposable(join(tmpdir(), 'runner-temp-'));
    const { emulator, project: first } = world;
    const second = await emulator.world.createProject();
    const launch: Launch = (options, part) =>
      startWatched({ ...options, env: { ...options.env, RUNNER_TEMP: temp.path } }, part);
    const startFor = (project: typeof first, name: string, action: string) =>
      world.start('opened', {
        launch,
        github: { action, runId: '42' },
        inputs: {
          'project-id': '',
          'preview-projects': project.id,
          'preview-domain': `pr-{number}.${name}.example.com`,
          'environment-name': name,
        },
      });
    const createsOf = ({ id }: typeof first) => `/v1/projects/${id}/deployments`;

    const released = Promise.withResolvers<void>();
    const until = () => released.promise;
    emulator.faults.add({ kind: 'hold', method: 'POST', path: createsOf(second), until });
    await using other = await startFor(second, 'other', '__self_2');
    await using canceled = await startFor(first, 'canceled', '__self');
    await canceled.waitForLine((line) => line.includes('building'));
    await emulator.journal.waitFor(
      ({ path, method }) => method === 'POST' && path === createsOf(second),
    );
    canceled.cancel();
    const cut = await canceled.done;
    emulator.dialect.deploymentEnds = 'success';
    released.resolve();
    const whole = await other.done;

    expect(cut.outputs).toMatchObject({
      outcome: 'cancelled',
      'project-id': first.id,
      'deployment-id': first.deployments[0]?.id,
    });
    expect(whole.outputs).toMatchObject({
      outcome: 'succeeded',
      'project-id': second.id,
      'deployment-id': second.deployments[0]?.id,
      'preview-url': 'https://pr-7.other.example.com',
      error: '',
    });
    for (const [result, theirs] of [
      [cut, /other\.example/],
      [whole, /canceled\.example/],
    ] as const) {
      expect([...result.log, ...(result.post?.log ?? [])].join('\n')).not.toMatch(theirs);
      expect(result.log.filter((line) => line.startsWith('▾')).length).toBeGreaterThan(0);
      expect(result.post?.log.join('\n')).not.toContain('Warning');
    }
    const comments = world.comments();
    expect(comments).toHaveLength(2);
    expect(comments.filter((body) => body.includes('canceled while it was being'))).toHaveLength(1);
    const [live = ''] = comments.filter((body) => body.includes('Preview of #\u200d7 is live'));
    expect(live).toContain('https://pr-7.other.example.com');
    expect(statesIn(world, 'other')).toEqual(['success']);
    expect(statesIn(world, 'canceled')).toEqual(['error']);
    expect(await readdir(temp.path)).toEqual([]);
  },
);
