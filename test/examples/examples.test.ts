import { globSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, test, vi } from 'vitest';
import type { Conclusion } from '../../emulator/runner.ts';
import { evaluate, holds } from '../../emulator/workflow/expressions.ts';
import { root } from '../dist/run-step.ts';
import { repository } from '../git/support.ts';
import { examples, starter } from '../support/examples.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { checkOutFiles, openPull, startExampleWorld } from './example-world.ts';

const byHand = { name: 'workflow_dispatch', payload: {} };

it.concurrent.each<[string, number, string, Conclusion]>([
  ['env-sync.yml', 1, 'synced', 'success'],
  ['env-environments.yml', 2, 'synced', 'success'],
  ['env-projects.yml', 1, 'synced', 'success'],
  ['env-drift.yml', 1, 'planned', 'failure'],
])('%s works as it is copied: %i steps, %s, %s', async (file, count, outcome, conclusion) => {
  await using world = await startExampleWorld();
  const workspace = await checkOutFiles(world);
  const changed = { 'env-ledger': file === 'env-sync.yml' ? 'ledger' : 'cache' };
  for (const run of [1, 2]) {
    const steps = await world.play(file, byHand, { workspace, changed });
    expect(steps).toHaveLength(count);
    for (const step of steps) expect(step).toMatchObject({ conclusion, outputs: { outcome } });
    if (run === 2 && file === 'env-sync.yml') expect(steps[0]?.outputs['requests']).toBe('1');
  }
});

test('domains-plan.yml, domains-apply.yml and domains-drift.yml plan, apply that plan, and see no drift', async () => {
  await using world = await startExampleWorld();
  const { emulator, play } = world;
  const workspace = await checkOutFiles(world);
  const [drift] = await play('domains-drift.yml', byHand, { workspace });
  expect(drift).toMatchObject({ conclusion: 'failure', outputs: { drift: 'true' } });
  const { event } = await openPull(world, repository);
  const [planned] = await play('domains-plan.yml', event('opened'), { workspace });
  expect(planned?.outputs).toMatchObject({ outcome: 'planned', error: '' });
  expect(world.github.comments(repository, 7)).toHaveLength(1);
  expect(emulator.world.domains.all).toEqual([]);
  const push = { name: 'push', payload: { ref: 'refs/heads/main', after: 'a'.repeat(40) } };
  const [plan, apply] = await play('domains-apply.yml', push, { workspace });
  expect(plan?.outputs['plan-digest']).toMatch(/^[0-9a-f]{64}/);
  expect(apply?.outputs).toMatchObject({ outcome: 'synced', error: '' });
  const [none] = await play('domains-drift.yml', byHand, { workspace });
  expect(none).toMatchObject({ conclusion: 'success', outputs: { drift: 'false' } });
  expect(world.project.variables).toEqual([]);
});

test('drift-issue.yml reports drift in two issues, and closes them once an apply has ended it', async () => {
  await using world = await startExampleWorld();
  const { github, project } = world;
  const workspace = await checkOutFiles(world);
  const changed = { 'env-ledger': 'ledger' };
  const report = async () => {
    const steps = await world.play('drift-issue.yml', byHand, { workspace, changed });
    expect(steps.map(({ conclusion }) => conclusion)).toEqual(['success', 'success']);
    return github.issues.of(repository).map(({ state, title }) => [state, title]);
  };
  const mark = project.id.slice(0, 8);
  const titles = [
    `Variables have drifted (project ${mark})`,
    'Domains have drifted from the site file',
  ];
  expect(await report()).toEqual(titles.map((title) => ['open', title]));
  const [variables, domains] = github.issues.of(repository).map(({ body }) => body ?? '');
  expect(variables).toContain('+ STRIPE_KEY');
  expect(variables).toContain('run with mode: apply');
  expect(domains).toContain('run with mode: apply');
  for (const value of Object.values(world.secrets)) {
    expect(`${variables}${domains}`).not.toContain(value);
  }
  await world.play('env-sync.yml', byHand, { workspace, changed });
  expect(await report()).toEqual([
    ['closed', titles[0]],
    ['open', titles[1]],
  ]);
  const push = { name: 'push', payload: { ref: 'refs/heads/main', after: 'a'.repeat(40) } };
  await world.play('domains-apply.yml', push, { workspace });
  expect(await report()).toEqual(titles.map((title) => ['closed', title]));
  expect(github.violations).toEqual([]);
});

test('fleet.yml syncs each project that its list names, and none if it names none', async () => {
  await using world = await startExampleWorld();
  const { emulator, play } = world;
  const inputs = { shard: '' };
  const [alone, ...none] = await play('fleet.yml', byHand, { inputs });
  expect(alone).toMatchObject({ conclusion: 'success', outputs: { count: '0' } });
  expect(none).toEqual([]);
  for (const [index, one] of emulator.world.createProjects(2).entries()) one.name = `shop-${index}`;
  const [list, ...synced] = await play('fleet.yml', byHand, { inputs });
  expect(list?.outputs['count']).toBe('2');
  expect(synced.map(({ outputs }) => outputs['outcome'])).toEqual(['synced', 'synced']);
});

/** A comment on pull request 7. */
const comment = (association: string, body: string) => ({
  name: 'issue_comment',
  payload: adjust(examplePayload('issue_comment', 'created'), {
    'issue.number': 7,
    'issue.state': 'open',
    'issue.pull_request': {},
    'comment.body': body,
    'comment.author_association': association,
  }),
});

test.skipIf(process.platform === 'win32')(
  'chat.yml replies that there is no preview before there is one (Windows runs no such script)',
  async () => {
    await using world = await startExampleWorld();
    await openPull(world, repository);
    // It has the place of GitHub's command line, and notes what it is called with.
    const notes = join(world.folder, 'notes');
    const gh = join(world.folder, 'gh');
    await writeFile(
      gh,
      `#!/bin/sh\nprintf '%s\\n' "$GH_HOST" "$GH_TOKEN" "$GH_ENTERPRISE_TOKEN" "$@" > '${notes}'\n`,
      {
        mode: 0o755,
      },
    );
    vi.stubEnv('PATH', `${world.folder}:${process.env['PATH']}`);
    const event = comment('MEMBER', '/site Make it blue.');
    const steps = await world.play('chat.yml', event, { runSteps: true });
    vi.unstubAllEnvs();
    const [preview, ...others] = steps.filter(({ outputs }) => 'outcome' in outputs);
    expect(preview?.outputs['skipped-reason']).toBe('no-preview');
    expect(others).toEqual([]);
    const called = await readFile(notes, 'utf8');
    const { token } = world.github;
    expect(called.split('\n')).toEqual([
      new URL(world.github.url).host,
      token,
      token,
      'api',
      '--silent',
      `repos/${repository}/issues/7/comments`,
      '-f',
      expect.stringMatching(/^body=This pull request has no preview yet, .* \*Preview\* /),
      '',
    ]);
    expect(world.project.messages).toEqual([]);
  },
);

test('chat.yml sends a comment to the preview of its pull request, and sweep.yml ends that', async () => {
  await using world = await startExampleWorld();
  const { emulator, project, play, playOne } = world;
  const { event, close } = await openPull(world, repository);
  await playOne('pull-request.yml', event('opened'));
  const steps = await play('chat.yml', comment('MEMBER', '/site Make it blue.'));
  const outcomes = steps.map(({ outputs }) => outputs['outcome']);
  expect(outcomes).toEqual(['synced', 'succeeded', 'succeeded']);
  expect(project.messages).toHaveLength(1);
  expect(await play('chat.yml', comment('NONE', '/site Make it red.'))).toEqual([]);
  expect(await play('chat.yml', comment('MEMBER', 'Nice.'))).toEqual([]);
  close();
  const swept = await playOne('sweep.yml', byHand);
  expect(swept.conclusion).toBe('success');
  expect(emulator.world.domains.all[0]?.projectId).toBeNull();
});

test('a name that nobody fills in, and what GitHub does not have, is an error', () => {
  const contexts = { vars: { KNOWN: 'a' }, secrets: {}, github: { event: { number: 7 } } };
  const scope = { contexts, isStrict: true };
  const text = "format('x-{0}-{1}', vars.KNOWN, github.event.number)";
  expect(evaluate(text, scope).coerceString()).toBe('x-a-7');
  expect(holds("github.event.missing == '' && vars.KNOWN == 'A'", scope)).toBe(true);
  for (const wrong of ['vars.NONE', 'secrets.KNOWN', 'steps.a.outputs.b', 'runner.os', 'nope()']) {
    expect(() => evaluate(wrong, scope), wrong).toThrow();
  }
});

/** Examples without a step of ours, and one whose jobs are another example's. */
const notPlayed = ['end-to-end-on-status.yml', 'fleet-large.yml'];

const all = examples.filter((one) => !starter.includes(one)).map(({ name }) => name);

/** The examples that no test of those that a pattern finds names. */
function missedBy(pattern: string, names: readonly string[] = all): string[] {
  const text = globSync(pattern, { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  return names.filter((name) => !text.includes(`'${name}`));
}

test('every example is played', () => {
  expect(missedBy('test/examples/!(starter).test.ts')).toEqual([]);
  const ofStarter = starter.map(({ name }) => name);
  expect(missedBy('test/examples/starter.test.ts', ofStarter)).toEqual([]);
  expect(all).toEqual(expect.arrayContaining(notPlayed));
});

test('every example is played by act, but for those whose reason a page tells', () => {
  const page = readFileSync(join(root, 'docs/compatibility.md'), 'utf8');
  const left = [
    'drift-issue.yml',
    'end-to-end.yml',
    'promotion.yml',
    'pull.yml',
    ...notPlayed,
  ].toSorted();
  const played = starter.map((one) => one.played);
  expect(missedBy('test/act/*.act.ts', [...all, ...played])).toEqual(left);
  for (const name of left) expect(page).toContain(`\`${name}\``);
});
