import { describe, expect, it } from 'vitest';
import {
  hostname,
  number,
  type PullRequestWorld,
  repository,
  startPullRequest,
} from './pull-request-world.ts';

/** Closes the pull request while the deployment is built: after the second look at it, before the last one. */
function closeWhileBuilding({ github, close }: PullRequestWorld, also = () => {}): void {
  let looks = 0;
  github.on('pulls/get', () => {
    looks += 1;
    if (looks !== 3) return;
    close();
    also();
  });
}

const projectOf = ({ emulator }: PullRequestWorld) =>
  emulator.world.domains.all.find((domain) => domain.hostname === hostname)?.projectId;

/** Everything that a run told. */
const told = (world: PullRequestWorld, { log, summary, outputs }: Run) =>
  [log.join('\n'), summary, outputs['error'], world.comments().join('\n')].join('\n');

type Run = Awaited<ReturnType<PullRequestWorld['run']>>;

const claims = /preview is gone|preview is removed|is removed/;

describe.concurrent('a pull request that is closed while its deployment is built', () => {
  it.each([
    ['of a given project', (_: string): Record<string, string> => ({})],
    [
      'with a leased project',
      (id: string): Record<string, string> => ({ 'project-id': '', 'preview-projects': id }),
    ],
  ])('%s: its hostname is taken off, which is said because a look shows it', async (_, inputs) => {
    await using world = await startPullRequest();
    closeWhileBuilding(world);
    const run = await world.run('opened', { inputs: inputs(world.project.id) });
    expect(run.outputs).toMatchObject({
      outcome: 'skipped',
      'skipped-reason': 'pull-request-closed',
      'preview-url': '',
      'live-commit': '',
    });
    expect(projectOf(world)).toBeNull();
    expect(run.outputs['error']).toMatch(claims);
    const { entries } = world.emulator.journal;
    const cleared = entries.findLastIndex(({ operation }) => operation === 'assignDomain');
    const looked = entries.findLastIndex(({ operation }) => operation === 'readConnectedDomain');
    expect(looked).toBeGreaterThan(cleared);
    expect(world.comments().join()).not.toContain('is live');
    expect(world.states()).toEqual(['inactive']);
  });

  it('and whose hostname cannot be taken off is not said to be gone', async () => {
    await using world = await startPullRequest();
    closeWhileBuilding(world, () =>
      world.emulator.faults.add({
        operation: 'assignDomain',
        kind: 'status',
        status: 403,
        effect: false,
        times: Number.POSITIVE_INFINITY,
      }),
    );
    const run = await world.run('opened');
    expect(projectOf(world)).toBe(world.project.id);
    expect(run.conclusion).toBe('failure');
    expect(run.outputs).toMatchObject({ outcome: 'failed', 'preview-url': '' });
    expect(run.outputs['error']).toContain('may still be assigned');
    expect(told(world, run)).not.toMatch(claims);
  });

  it('and whose hostname was taken elsewhere leaves it there, and says so', async () => {
    await using world = await startPullRequest();
    const { id } = await world.emulator.world.createProject();
    closeWhileBuilding(world, () => world.emulator.world.assignDomain(hostname, id));
    const run = await world.run('opened');
    expect(projectOf(world)).toBe(id);
    expect(run.outputs['outcome']).toBe('skipped');
    expect(run.outputs['error']).toContain(`${hostname} is assigned to ${id}, and was not changed`);
    expect(told(world, run)).not.toMatch(claims);
  });

  it('and whose preview the run of the close has ended is said to be removed, without another write', async () => {
    await using world = await startPullRequest();
    closeWhileBuilding(world, () => world.emulator.world.assignDomain(hostname, null));
    const run = await world.run('opened');
    expect(run.outputs['outcome']).toBe('skipped');
    expect(run.outputs['error']).toMatch(claims);
    expect(world.emulator.journal.of('assignDomain')).toEqual([]);
  });

  it('and whose hostname is disconnected as it is taken off is said to be removed', async () => {
    await using world = await startPullRequest();
    const until = async () => world.emulator.world.domains.disconnect(hostname);
    closeWhileBuilding(world, () =>
      world.emulator.faults.add({ operation: 'assignDomain', kind: 'hold', until }),
    );
    const run = await world.run('opened');
    expect(run.outputs['outcome']).toBe('skipped');
    expect(run.outputs['error']).toMatch(claims);
  });

  it('once a deployment was asked for is not said to be undeployed', async () => {
    await using world = await startPullRequest({ deploymentEnds: 'never' });
    const asked = world.emulator.journal.waitFor(
      ({ operation, status }) => operation === 'createDeployment' && status !== null,
    );
    let looks = 0;
    // The second look, which the deployment does not wait for, answers only once that was asked for.
    world.github.on('pulls/get', async () => {
      looks += 1;
      if (looks !== 2) return;
      await asked;
      world.close();
    });
    const run = await world.run('opened');
    expect(run.outputs['outcome']).toBe('skipped');
    expect(projectOf(world)).toBeNull();
    expect(told(world, run)).not.toContain('was not deployed');
    expect(world.comments()[0]).toContain(`${number}: closed while it was being deployed`);
    expect(world.github.deployments(repository)).toHaveLength(1);
  });
});
