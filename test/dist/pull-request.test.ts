// Attack (starting): A stranger posts a comment with the action's marker
// Defense: Only comments of the own author count, over all pages
// Attack (starting): A close clears a domain that was assigned elsewhere since
// Defense: It is kept, and the run fails
// Attack (starting): A project was taken out of `preview-projects`, so the code of a closed pull request stays online,
// reported as removed
// Defense: The close fails and names the project, and changes no GitHub deployment; a sweep lists each such hostname
// and fails
// Attack (starting): A pull request that closes during a deployment leaves its preview
// Defense: Checked right before and after

import { describe, expect, it, vi } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import { writeMarker } from '../../src/comments/model/marker.ts';
import { rows } from '../support/exhaustive.ts';
import { hostname, number, repository, startPullRequest } from './pull-request-world.ts';

describe.concurrent('a pull request', () => {
  it('has one comment and one preview, from opened to closed', async () => {
    await using world = await startPullRequest();
    const { github, emulator, project } = world;
    const marker = writeMarker({ key: project.id, runId: '1', runAttempt: '1' });
    github.addComments(
      repository,
      number,
      Array.from({ length: 250 }, (_, index) => ({
        author: 'octocat',
        body: index === 42 ? `${marker}\n\na copy` : `comment ${index}`,
      })),
    );
    for (const action of ['opened', 'synchronize', 'synchronize', 'synchronize']) {
      const result = await world.run(action);
      expect(result.conclusion).toBe('success');
      expect(result.outputs).toMatchObject({
        outcome: 'succeeded',
        'preview-hostname': hostname,
        'preview-url': `https://${hostname}`,
        'domain-state': expect.stringMatching(/./),
        'comment-url': expect.stringContaining('#issuecomment-'),
        'github-deployment-id': expect.stringMatching(/^\d+$/),
      });
      const [comment = '', ...others] = world.comments();
      expect(others).toEqual([]);
      expect(comment).toContain('7 is live');
      expect(comment).toContain(`https://${hostname}`);
    }
    expect(world.states()).toEqual(['inactive', 'inactive', 'inactive', 'success']);
    world.close();
    const closed = await world.run('closed');
    expect(closed.outputs).toMatchObject({ outcome: 'cleaned-up' });
    expect(world.comments()).toHaveLength(1);
    expect(world.comments()[0]).toContain('7 is removed');
    expect(world.states()).toEqual(['inactive', 'inactive', 'inactive', 'inactive']);
    expect(emulator.world.domains.all.map((domain) => [domain.hostname, domain.projectId])).toEqual(
      [[hostname, null]],
    );
    expect(github.comments(repository, number)).toHaveLength(251);
    expect(github.comments(repository, number)[42]?.body).toContain('a copy');
    expect(github.violations).toEqual([]);
  });

  it('is first said to be deploying, and is not touched when nothing would change', async () => {
    await using world = await startPullRequest();
    await world.run('opened');
    const writes = world.github.journal.filter(
      ({ method, path }) => method !== 'GET' && path.includes('comments'),
    );
    expect(writes.map(({ method }) => method)).toEqual(['POST', 'PATCH']);
    expect(JSON.stringify(writes[0]?.body)).toContain('deploying');
    const edits = writes.length;
    await world.run('closed', { github: { runId: '1' } });
    const after = world.github.journal.filter(
      ({ method, path }) => method !== 'GET' && path.includes('comments'),
    );
    expect(after).toHaveLength(edits);
  });

  it('keeps the words of a newer run when an older one finishes late', async () => {
    await using world = await startPullRequest();
    await world.run('synchronize', { github: { runId: '900' } });
    const [before] = world.comments();
    const late = await world.run('synchronize', { github: { runId: '899' } });
    expect(late.conclusion).toBe('success');
    expect(world.comments()).toEqual([before]);
  });

  it('names its hostname, and announces no address, while the domain is not verified', async () => {
    await using world = await startPullRequest({ domainEnds: 'never' });
    const result = await world.run('opened', { inputs: { 'verify-timeout': '2s' } });
    expect(result).toMatchObject({ conclusion: 'success' });
    expect(result.outputs).toMatchObject({
      outcome: 'succeeded',
      'preview-hostname': hostname,
      'preview-url': '',
    });
    expect(world.comments()[0]).toContain(`${hostname}</code> is not verified yet`);
    const recorded = JSON.stringify(world.github.deployments(repository));
    expect(recorded).not.toContain(`https://${hostname}`);
    expect(recorded).toContain('Preview of #7 is deployed, but its domain is not verified yet');
    expect(world.states()).toEqual(['success']);
  });

  const addressless: readonly (readonly [string, DialectOptions, Record<string, string>])[] = [
    ['does not wait', {}, { wait: 'none' }],
    ['fails', { deploymentEnds: 'failure' }, {}],
    ['is not confirmed', { offers: 'neither', notOfferedStatus: 403 }, {}],
    ['times out', { deploymentEnds: 'never' }, { timeout: '2s' }],
  ];
  it.each(rows(addressless, (_, index) => index > 1))(
    'announces no address where it %s',
    async (_, dialect, inputs) => {
      await using world = await startPullRequest(dialect);
      const { outputs, summary } = await world.run('opened', { inputs });
      expect(outputs).toMatchObject({ 'preview-hostname': hostname, 'preview-url': '' });
      const announced = JSON.stringify([
        world.comments(),
        summary,
        world.github.deployments(repository),
      ]);
      expect(announced).not.toContain(`https://${hostname}`);
    },
  );

  it('announces the address that the input service makes good', async () => {
    const zorp = { waiting: 'zorp', working: 'zorp', good: 'zorp', bad: 'zorp' };
    await using world = await startPullRequest({
      domainWords: { state: zorp, ownership: zorp, certificate: zorp, routing: zorp },
    });
    const inputs = { service: 'success=zorp' };
    const { outputs, annotations } = await world.run('opened', { inputs });
    expect(outputs['preview-url']).toBe(`https://${hostname}`);
    expect(annotations).toEqual([]);
    expect(JSON.stringify(world.github.deployments(repository))).toContain(`https://${hostname}`);
    world.close();
    const closed = await world.run('closed', { inputs });
    expect(closed.outputs).toMatchObject({ 'preview-hostname': hostname, 'preview-url': '' });
  });

  const gone = { 'preview-domain': '' };
  it.each<[string, Record<string, string>, boolean]>([
    ['for the project itself is deployed with a warning', gone, true],
    ['is planned for it with the same', { ...gone, mode: 'plan' }, true],
    ['has none where that is allowed', { ...gone, 'allow-production': 'true' }, false],
    ['has none where nothing is deployed', { ...gone, deploy: 'false' }, false],
    ['has none with a preview', {}, false],
  ])('%s', async (_, inputs, warns) => {
    await using world = await startPullRequest();
    const result = await world.run('opened', { inputs });
    expect(result.conclusion).toBe('success');
    const told = result.annotations.filter(({ message }) =>
      message.startsWith("This pull request's commit replaces what the project itself serves"),
    );
    expect(told).toHaveLength(warns ? 1 : 0);
    for (const { message } of told) expect(message).toMatch(/preview-projects and preview-domain/);
  });

  it('that is closed in mid-deploy ends with its domain unassigned', async () => {
    await using world = await startPullRequest();
    const until = async () => {
      world.close();
      const closed = await world.run('closed');
      expect(closed.outputs['outcome']).toBe('cleaned-up');
    };
    world.emulator.faults.add({ operation: /^readDeployment/, kind: 'hold', until });
    const result = await world.run('opened');
    expect(result.outputs).toMatchObject({ 'preview-url': '', outcome: 'skipped' });
    expect(world.emulator.world.domains.all[0]?.projectId).toBeNull();
    // Whichever of the two has ended it.
    expect(world.comments()[0]).toMatch(/7( is removed|: nothing to remove)/);
    expect(world.states()).toEqual(['inactive']);
  });

  it('that is closed while its domain is being assigned ends with it unassigned', async () => {
    await using world = await startPullRequest();
    const connected = world.emulator.journal.waitFor(
      ({ operation }) => operation === 'connectDomain',
    );
    const closing = connected.then(() => world.close());
    const [result] = await Promise.all([world.run('opened'), closing]);
    expect(result.outputs).toMatchObject({
      outcome: 'skipped',
      'skipped-reason': 'pull-request-closed',
    });
    expect(world.emulator.world.domains.all[0]?.projectId).toBeNull();
    expect(world.comments().join()).not.toContain('is live');
  });

  it('that was closed after its domain was assigned elsewhere leaves that alone, and fails', async () => {
    await using world = await startPullRequest();
    await world.run('opened');
    const { id } = await world.emulator.world.createProject();
    world.emulator.world.assignDomain(hostname, id);
    world.close();
    const result = await world.run('closed', { inputs: { 'disconnect-on-close': 'true' } });
    expect(result.outputs['outcome']).toBe('failed');
    expect(world.emulator.world.domains.all[0]?.projectId).toBe(id);
    expect(result.outputs['error']).toContain(`${hostname} is assigned to project ${id}`);
  });

  it.each(['closed', 'schedule'])(
    'whose project left preview-projects is not reported as removed (%s)',
    async (name) => {
      await using world = await startPullRequest();
      const { github, project, emulator } = world;
      const other = await emulator.world.createProject();
      const leasing = { 'project-id': '' };
      await world.run('opened', { inputs: { ...leasing, 'preview-projects': project.id } });
      const before = world.comments().join();
      world.close();
      const inputs = { ...leasing, 'preview-projects': other.id };
      const { outputs, summary } = await (name === 'closed'
        ? world.run('closed', { inputs })
        : world.run('opened', {
            event: { name, payload: {} },
            inputs: { ...inputs, deploy: 'false' },
          }));
      expect(outputs['outcome']).toBe('failed');
      expect(summary).toContain(hostname);
      expect(summary).toContain(
        `is assigned to project ${project.id}, which no input of this run names`,
      );
      expect(emulator.world.domains.all[0]?.projectId).toBe(project.id);
      const states = github.deployments(repository).flatMap(({ statuses }) => statuses);
      expect(states.at(-1)?.state).toBe('success');
      const shown = world.comments().join();
      if (name === 'closed') expect(shown).toContain('was not removed');
      else expect(shown).toBe(before);
    },
  );

  it('that is open again keeps its preview', async () => {
    await using world = await startPullRequest();
    await world.run('opened');
    const result = await world.run('closed');
    expect(result.outputs).toMatchObject({
      outcome: 'skipped',
      'skipped-reason': 'pull-request-open',
    });
    expect(world.emulator.world.domains.all[0]?.projectId).toBe(world.project.id);
  });
});

describe.concurrent('GitHub in trouble', () => {
  const troubles = [
    ['comments', 'forbidden', 'pull-requests: write'],
    ['deployments', 'forbidden', 'deployments: write'],
    ['comments', 'html', 'write the comment'],
    ['deployments', 'html', 'deployment'],
    ['comments', 'rate-limit', 'write the comment'],
    ['deployments', 'secondary-rate-limit', 'deployment'],
  ] as const;
  // Each of the two in words of its own, and what has the same words for both by one of them.
  it.each(rows(troubles, (_, index) => [0, 1, 2, 5].includes(index)))(
    '%s: %s is a warning, and the outcome stands',
    async (group, trouble, words) => {
      await using world = await startPullRequest();
      world.github.trouble = { [group]: trouble };
      const result = await world.run('opened');
      expect(result.conclusion).toBe('success');
      expect(result.outputs['outcome']).toBe('succeeded');
      const warnings = result.annotations.filter(({ level }) => level === 'warning');
      expect(warnings).toHaveLength(1);
      expect(warnings[0]?.message).toContain(words);
      expect(world.github.violations).toEqual([]);
    },
  );
});

describe.concurrent('a run of a pull request that is cut off', () => {
  it.skipIf(process.platform === 'win32')(
    'by a cancel says so on GitHub (Windows has no signals)',
    async () => {
      await using world = await startPullRequest({ deploymentEnds: 'never' });
      await using step = await world.start('opened');
      await step.waitForLine((line) => line.includes('building'));
      await vi.waitUntil(() => world.comments().length > 0, { timeout: 60_000 });
      step.cancel();
      const result = await step.done;
      expect(result.outputs['outcome']).toBe('cancelled');
      expect(world.comments()[0]).toContain('canceled while it was being deployed');
      expect(world.states()).toEqual(['error']);
      expect(result.signal).toBeNull();
    },
  );
});
