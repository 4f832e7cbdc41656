import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decode } from '../support/report/decode.ts';
import {
  number,
  type PullRequestWorld,
  repository,
  startPullRequest,
} from './pull-request-world.ts';
import { unpacked } from './run-step.ts';

const env = { FIRST: 'not-a-real-value' };

/** Plans the variables of a project for the pull request. */
const planSync = (world: PullRequestWorld, projectId: string, inputs: object = {}) =>
  world.run('synchronize', {
    action: join(unpacked, 'env-sync'),
    env,
    inputs: {
      'project-id': projectId,
      'preview-domain': '',
      mode: 'plan',
      'env-from': 'FIRST',
      'env-ledger': 'off',
      ...inputs,
    },
  });

const planDeploy = (world: PullRequestWorld) =>
  world.run('synchronize', {
    env,
    inputs: { mode: 'plan', 'env-from': 'FIRST', 'env-ledger': 'off' },
  });

const titlesOf = ({ github }: PullRequestWorld) =>
  github.comments(repository, number).map(({ body = '' }) =>
    decode(body)
      .split('\n')
      .find((one) => one.startsWith('### ')),
  );

describe.concurrent('the plans of one pull request', () => {
  it('have a comment for each action and project, and the result of the deploy one of its own', async () => {
    await using world = await startPullRequest();
    const [other] = world.emulator.world.createProjects(1);
    const ids = [world.project.id, other?.id ?? ''];
    const first = await planSync(world, ids[0] ?? '');
    expect(first.annotations.map(({ message }) => message).join()).not.toContain('comment:');
    expect(first.summary).toContain('```diff\n@@ variables @@\n+ FIRST\n```');
    await planSync(world, ids[1] ?? '');
    await planDeploy(world);
    await world.run('synchronize', { env, inputs: { 'env-from': 'FIRST', 'env-ledger': 'off' } });
    const expected = [
      ...ids.map((id) => expect.stringMatching(`^### 📋 Variables: 1 to add .*${id.slice(0, 8)}`)),
      expect.stringContaining('plan of 2 changes'),
      expect.stringMatching(/Preview of #.*7 is live/),
    ];
    expect(titlesOf(world)).toEqual(expected);
    const before = world.github.comments(repository, number).map(({ id }) => id);
    await planSync(world, ids[1] ?? '');
    await planDeploy(world);
    const after = world.github.comments(repository, number).map(({ id }) => id);
    expect(after).toEqual(before);
    expect(titlesOf(world)[3]).toEqual(expected[3]);
    expect(world.github.violations).toEqual([]);
  });

  it('are quiet where nothing changes, and bring an earlier comment up to date', async () => {
    await using world = await startPullRequest();
    const nothing = { 'env-from': '', env: '' };
    await planSync(world, world.project.id, nothing);
    expect(titlesOf(world)).toEqual([]);
    await planSync(world, world.project.id);
    await planSync(world, world.project.id, nothing);
    expect(titlesOf(world)).toEqual([expect.stringContaining('Variables: nothing to change')]);
  });

  it('say that the inputs are wrong by now, instead of an earlier plan', async () => {
    await using world = await startPullRequest();
    await planSync(world, world.project.id);
    const wrong = await planSync(world, world.project.id, { 'max-changes': 'some' });
    expect(wrong.conclusion).toBe('failure');
    expect(titlesOf(world)).toEqual([expect.stringContaining('Variables: failed')]);
    const [comment] = world.github.comments(repository, number);
    expect(decode(comment?.body ?? '')).toContain('max-changes');
  });

  it.each([
    ['comment: false', { comment: 'false' }],
    ['comment: false and wrong inputs', { comment: 'false', 'max-changes': 'some' }],
    ['mode: apply and wrong inputs', { mode: 'apply', 'max-changes': 'some' }],
    ['mode: apply', { mode: 'apply' }],
  ])('are no comment with %s', async (_, inputs) => {
    await using world = await startPullRequest();
    const { conclusion } = await planSync(world, world.project.id, inputs);
    expect(conclusion).toBe('max-changes' in inputs ? 'failure' : 'success');
    expect(world.github.journal).toEqual([]);
  });

  it('that cannot be commented are planned all the same', async () => {
    await using world = await startPullRequest();
    world.github.trouble = { comments: 'forbidden' };
    const { conclusion, annotations } = await planSync(world, world.project.id);
    expect(conclusion).toBe('success');
    expect(annotations.map(({ message }) => message).join()).toContain('pull-requests: write');
  });
});
