import { describe, expect, it, vi } from 'vitest';
import { rows } from '../support/exhaustive.ts';
import { hostname, repository, startPullRequest } from './pull-request-world.ts';

const isWindows = process.platform === 'win32';

/** What a request waits for that is never answered. */
const never = () => new Promise<never>(() => undefined);

/** Waits out real limits of 5 to 20 s, several of them on a machine that is busy. */
const patient = { timeout: 45_000 };

describe.concurrent('GitHub that never answers', () => {
  it(
    'to the list of comments, and whether the pull request is open, does not hold the run',
    patient,
    async () => {
      await using world = await startPullRequest();
      world.github.on('issues/list-comments', never);
      world.github.on('pulls/get', never);
      const result = await world.run('opened');
      expect(result).toMatchObject({ conclusion: 'success', outputs: { outcome: 'succeeded' } });
      expect(result.annotations.map(({ message }) => message).toSorted()).toEqual([
        'Could not check whether the pull request is still open: GitHub did not respond in time. (SD8003)',
        'Could not write the comment: GitHub did not respond in time. (SD8003)',
      ]);
      expect(world.states()).toEqual(['success']);
    },
  );

  it('to the first comment alone leaves time for the last', patient, async () => {
    await using world = await startPullRequest();
    let isFirst = true;
    world.github.on('issues/create-comment', () => {
      if (!isFirst) return undefined;
      isFirst = false;
      return never();
    });
    const result = await world.run('opened');
    expect(result.outputs['outcome']).toBe('succeeded');
    expect(world.comments()).toHaveLength(1);
    expect(world.comments()[0]).toContain('7 is live');
  });
});

describe.concurrent('a run that is cut off while GitHub is told of its end', () => {
  it.skipIf(isWindows)(
    'by a cancel gives up soon and keeps its outcome (Windows has no signals)',
    patient,
    async () => {
      await using world = await startPullRequest();
      const grace = { interruptMs: 6000, terminateMs: 2000 };
      await using step = await world.start('opened', { grace });
      world.github.on('issues/update-comment', () => {
        step.cancel();
        return never();
      });
      const result = await step.done;
      expect(result).toMatchObject({ exitCode: 0, signal: null });
      expect(result.outputs).toMatchObject({
        outcome: 'succeeded',
        'deployment-id': world.project.deployments[0]?.id,
        'comment-url': expect.stringContaining('#issuecomment-'),
      });
      expect(result.summary).toContain('7 is live');
      expect(result.post?.annotations).toEqual([]);
    },
  );

  const ends = [
    ['verified', 'success', true],
    ['not verified', 'never', false],
  ] as const;
  it.each(rows(ends, 1))(
    'by a kill has its outputs, and the post step repeats its outcome: %s',
    patient,
    async (_, domainEnds, isLive) => {
      await using world = await startPullRequest({ domainEnds });
      // The comment is there before the end, which updates it.
      const until = () => vi.waitUntil(() => world.comments().length > 0, { timeout: 40_000 });
      world.emulator.faults.add({ operation: 'createDeployment', kind: 'hold', until });
      await using step = await world.start('opened', { inputs: { 'verify-timeout': '2s' } });
      const writes = ['issues/update-comment', 'repos/create-deployment-status'] as const;
      const stuck = new Set<string>(writes);
      const both = Promise.withResolvers<void>();
      let edits = 0;
      for (const operation of writes) {
        world.github.on(operation, async ({ body }) => {
          if (Object(body).state === 'in_progress') return;
          edits += 1;
          if (!stuck.delete(operation)) return;
          // Killed only when both writes of the end are under way.
          if (stuck.size === 0) both.resolve();
          await both.promise;
          step.kill();
          await never();
        });
      }
      const result = await step.done;
      expect(edits).toBe(4);
      expect(result.outputs).toMatchObject({
        outcome: 'succeeded',
        'deployment-id': world.project.deployments[0]?.id,
      });
      expect(result.post?.log.join('\n')).toContain(
        `killed while it reported: Preview of #7 is ${isLive ? 'live' : 'deployed, but its domain is not verified yet'}`,
      );
      expect(world.comments()).toHaveLength(1);
      expect(world.comments()[0]).toContain(
        isLive ? '7 is live' : 'its domain is not verified yet',
      );
      expect(world.states()).toEqual(['success']);
      const recorded = JSON.stringify([world.comments(), world.github.deployments(repository)]);
      expect(recorded.includes(`https://${hostname}`)).toBe(isLive);
      expect(world.github.violations).toEqual([]);
    },
  );
});

describe.concurrent('the post step after a kill', () => {
  it('of a leased deployment names the project, and invents no status', async () => {
    await using world = await startPullRequest({ deploymentEnds: 'never' });
    const inputs = { 'preview-projects': world.project.id, 'project-id': '' };
    await using step = await world.start('opened', { inputs });
    await step.waitForLine((line) => line.includes('building'));
    step.kill();
    await step.done;
    expect(world.comments()).toHaveLength(1);
    expect(world.comments()[0]).toContain('the run did not finish the deployment');
    expect(world.comments()[0]).not.toContain('cancelled');
    expect(world.comments()[0]).toContain(world.project.deployments[0]?.id.split('-')[0]);
    expect(world.states()).toEqual(['error']);
    expect(world.comments()[0]).toContain(`Project: <code>${world.project.id.split('-')[0]}`);
    expect(world.comments()[0]).not.toContain('Status:');
  });
});
