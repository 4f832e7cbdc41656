import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EmulatedProject } from '../../emulator/index.ts';
import { repository } from '../git/support.ts';
import { root } from '../support/places.ts';
import { openPull, startExampleWorld } from './example-world.ts';
import { hostname, type StarterRun, startStarter } from './starter-world.ts';

/** What a run was, how it ended, and how many requests changed something on the service. */
const shown = (runs: readonly StarterRun[]) =>
  runs.map(({ file, conclusion, writes }) => [file, conclusion, writes]);

const logOf = (runs: readonly StarterRun[]) => runs.map(({ log }) => log).join('\n');

const variablesOf = ({ variables }: EmulatedProject) =>
  Object.fromEntries(
    variables.map(({ name, value, preview, production }) => [name, [value, preview, production]]),
  );

const live = {
  EXAMPLE_KEY: ['fake-example-key', true, true],
  EXAMPLE_NAME: ['My site', true, true],
};

test('the starter, as one story: a first push, a pull request, a change by hand, and its repair', async () => {
  await using world = await startStarter();
  const { github, emulator, project, preview } = world;
  const template = await project.head();

  // A project that holds nothing but its template: two variables and the deployment are written.
  const first = await world.push('main', {});
  expect(shown(first), logOf(first)).toEqual([['deploy.yml', 'success', 3]]);
  expect(logOf(first)).toContain(`before-${template.slice(0, 7)}`);
  expect(await project.head()).toBe(await world.dev.git('rev-parse', 'HEAD'));
  expect(variablesOf(project)).toEqual(live);

  // A sync after a push changes nothing, nor does a push after a sync: each knows what the other wrote.
  expect(shown(await world.dispatch('sync.yml'))).toEqual([['sync.yml', 'success', 0]]);
  expect(shown(await world.schedule('drift.yml'))).toEqual([['drift.yml', 'success', 0]]);
  const second = await world.push('main', { 'index.html': '<h1>Second</h1>' });
  expect(shown(second), logOf(second)).toEqual([['deploy.yml', 'success', 1]]);
  world.secrets['EXAMPLE_KEY'] = 'fake-new-example-key';
  expect(shown(await world.schedule('drift.yml'))).toEqual([['drift.yml', 'failure', 0]]);
  expect(shown(await world.dispatch('sync.yml'))).toEqual([['sync.yml', 'success', 1]]);
  const third = await world.push('main', { 'index.html': '<h1>Third</h1>' });
  expect(shown(third), logOf(third)).toEqual([['deploy.yml', 'success', 1]]);
  const changed = { ...live, EXAMPLE_KEY: ['fake-new-example-key', true, true] };
  expect(variablesOf(project)).toEqual(changed);

  // A pull request has a preview with the values of previews, from opened to closed.
  expect(await world.push('topic', { 'index.html': '<h1>Idea</h1>' })).toEqual([]);
  const comment = () => {
    const [only, ...more] = github.comments(repository, 1);
    expect(more).toEqual([]);
    return only?.body ?? '';
  };
  const opened = await world.openPull('topic');
  expect(opened, logOf(opened)).toMatchObject([{ file: 'preview.yml', conclusion: 'success' }]);
  expect(comment()).toContain(`https://${hostname}`);
  expect(await world.readPreview()).toContain('Idea');
  expect(variablesOf(preview)).toEqual({
    ...live,
    EXAMPLE_KEY: ['fake-example-test-key', true, true],
  });
  const updated = await world.push('topic', { 'index.html': '<h1>Better</h1>' });
  expect(shown(updated), logOf(updated)).toEqual([['preview.yml', 'success', 1]]);
  expect(comment()).toContain((await world.dev.git('rev-parse', 'HEAD')).slice(0, 7));
  expect(await world.readPreview()).toContain('Better');
  const closed = await world.closePull();
  expect(closed, logOf(closed)).toMatchObject([{ file: 'preview.yml', conclusion: 'success' }]);
  expect(comment()).toContain('is removed');
  expect(emulator.world.domains.find(hostname)?.projectId).toBeNull();
  expect(variablesOf(project)).toEqual(changed);

  // A change by hand fails the drift report, which writes nothing. A sync and a push overwrite the change.
  const repairs = {
    sync: () => world.dispatch('sync.yml'),
    push: () => world.push('main', { 'index.html': '<h1>Fourth</h1>' }),
  };
  for (const repair of Object.values(repairs)) {
    project.setVariable({ name: 'EXAMPLE_KEY', value: 'fake-by-hand' });
    const report = await world.schedule('drift.yml');
    expect(shown(report), logOf(report)).toEqual([['drift.yml', 'failure', 0]]);
    expect(logOf(report)).toMatch(/EXAMPLE_KEY: changed outside this action/);
    expect(variablesOf(project)['EXAMPLE_KEY']?.[0]).toBe('fake-by-hand');
    const repaired = await repair();
    expect(repaired, logOf(repaired)).toMatchObject([{ conclusion: 'success' }]);
    expect(variablesOf(project)).toEqual(changed);
    expect(shown(await world.schedule('drift.yml'))).toEqual([['drift.yml', 'success', 0]]);
  }
  expect(world.mistakes).toEqual([]);
  expect(github.violations).toEqual([]);
});

test('the starter removes a preview whose close started no run, and keeps manual runs to main', async () => {
  await using world = await startStarter();
  const { emulator, github } = world;
  await world.push('main', {});
  await world.push('topic', {
    '.github/site.yml': 'environment: { OTHER: { value: a, kind: plain } }',
  });
  await world.openPull('topic');
  expect(emulator.world.domains.find(hostname)?.projectId).toBe(world.preview.id);
  const kept = await world.schedule('preview.yml');
  expect(shown(kept), logOf(kept)).toEqual([['preview.yml', 'success', 0]]);
  expect(emulator.world.domains.find(hostname)?.projectId).toBe(world.preview.id);
  world.closeUnheard();
  const swept = await world.schedule('preview.yml');
  expect(swept, logOf(swept)).toMatchObject([{ conclusion: 'success' }]);
  expect(emulator.world.domains.find(hostname)?.projectId).toBeNull();
  expect(github.comments(repository, 1)[0]?.body).toContain('is removed');
  expect(github.deployments(repository).at(-1)?.statuses.at(-1)?.state).toBe('inactive');

  for (const file of ['deploy.yml', 'sync.yml', 'drift.yml']) {
    // No step ran.
    expect(await world.dispatch(file, 'topic')).toMatchObject([{ file, log: '', writes: 0 }]);
  }
  expect(shown(await world.dispatch('deploy.yml'))).toEqual([['deploy.yml', 'success', 1]]);
  expect(variablesOf(world.project)).toEqual(live);
});

test("the starter's preview of a fork, which gets no secrets, passes and sends nothing", async () => {
  await using world = await startExampleWorld();
  const { event } = await openPull(world, 'stranger/octo-site');
  const none = Object.fromEntries(Object.keys(world.secrets).map((name) => [name, '']));
  const workspace = join(root, 'examples/starter');
  const file = 'starter/.github/workflows/preview.yml';
  for (const action of ['opened', 'synchronize', 'closed'] as const) {
    const step = await world.playOne(file, event(action), { workspace, secrets: none });
    expect(step, step.log.join('\n')).toMatchObject({
      conclusion: 'success',
      outputs: { outcome: 'skipped', 'skipped-reason': 'fork' },
    });
  }
  expect(world.emulator.journal.of('createDeployment')).toEqual([]);
});
