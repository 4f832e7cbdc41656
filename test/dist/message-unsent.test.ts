// Attack (starting): A stranger's comment sends a message to a project's AI
// Defense: Only those in `allowed-associations` start a run of `message`; for others it ends before the first request

import { describe, expect, it } from 'vitest';
import { describeOutputs } from '../../src/outputs.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { issueComment, type MessageWorld, startMessage } from './message-world.ts';

/** Neither the service nor GitHub was asked for anything. */
function expectSilence({ emulator, github }: MessageWorld): void {
  expect(emulator.journal.entries).toEqual([]);
  expect(github.journal).toEqual([]);
}

/** Everything that somebody's words can start, and where GitHub says who wrote them. */
const written: readonly (readonly [string, string])[] = [
  ['pull_request_review_comment', 'comment'],
  ['commit_comment', 'comment'],
  ['discussion_comment', 'comment'],
  ['pull_request_review', 'review'],
  ['issues', 'issue'],
  ['discussion', 'discussion'],
  ['pull_request', 'pull_request'],
];

describe.concurrent("a stranger's words send nothing and cost no request", () => {
  it.each(['CONTRIBUTOR', 'FIRST_TIME_CONTRIBUTOR', 'FIRST_TIMER', 'MANNEQUIN', 'NONE'])(
    'a comment by %s',
    async (association) => {
      await using world = await startMessage();
      const result = await world.run({ event: issueComment(association) });
      expect(result.conclusion).toBe('success');
      expect(result.outputs).toMatchObject({ outcome: 'skipped', requests: '0', text: '' });
      expect(result.log.join('\n')).toContain('not one of OWNER, MEMBER, COLLABORATOR');
      expect(Object.keys(result.outputs).sort()).toEqual(
        Object.keys(describeOutputs('message')).sort(),
      );
      expectSilence(world);
    },
  );

  it.each(written)('%s', async (name, object) => {
    await using world = await startMessage();
    const payload = adjust(examplePayload(name), { [`${object}.author_association`]: 'NONE' });
    const result = await world.run({ event: { name, payload } });
    expect(result.outputs['outcome']).toBe('skipped');
    expectSilence(world);
  });

  it('not even with wrong inputs, or without a key', async () => {
    await using world = await startMessage();
    const inputs = { 'api-key': '', 'project-id': 'wrong', content: '' };
    const result = await world.run({ event: issueComment('NONE'), inputs });
    expect(result.outputs['outcome']).toBe('skipped');
    expectSilence(world);
  });

  it('unless they are let in', async () => {
    await using world = await startMessage();
    const inputs = { 'allowed-associations': 'contributor', wait: 'none' };
    const result = await world.run({ event: issueComment('CONTRIBUTOR'), inputs });
    expect(result.outputs['outcome']).toBe('accepted');
    const member = await world.run({ inputs });
    expect(member.outputs['outcome']).toBe('skipped');
  });
});

/** Inputs that break a limit, and what their message must say. */
const wrong: readonly (readonly [string, string, string])[] = [
  ['content', '', 'is required'],
  ['project-id', 'test', '"test"'],
  ['model', 'm'.repeat(65), '64'],
  ['effort', 'e'.repeat(65), '64'],
  ['attachment-ids', Array(21).fill('a').join(), '20'],
  ['skill-names', 'a, b, c, d', '3'],
  ['wait', 'always', 'auto, stream, poll or none'],
  ['allowed-associations', 'MEMBER, MEMBRE', 'OWNER, MEMBER, COLLABORATOR'],
  ['service', 'message-events=https://example.com/x', 'line 1'],
  ['timeout', 'soon', '30s, 20m, 1h'],
  ['base-url', 'http://example.com', 'must use https'],
];

describe.concurrent('limits are checked before anything is sent', () => {
  it.each([
    ['content', ' \n ', 'contains only whitespace'],
    ['allowed-associations', '# nobody', 'one or more of'],
  ])('%s: %j', async (input, value, says) => {
    await using world = await startMessage();
    const result = await world.run({ inputs: { [input]: value } });
    expect(result).toMatchObject({ conclusion: 'failure', exitCode: 1 });
    expect(result.outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    expect(result.outputs['error']).toContain(input);
    expect(result.outputs['error']).toContain(says);
    expectSilence(world);
  });

  it('all together', async () => {
    await using world = await startMessage();
    const inputs = Object.fromEntries(wrong.map(([input, value]) => [input, value]));
    const result = await world.run({ inputs });
    expect(result).toMatchObject({ conclusion: 'failure', exitCode: 1 });
    expect(result.outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    const error = result.outputs['error'] ?? '';
    expect(error).toMatch(new RegExp(`^${wrong.length} `));
    for (const [input, , says] of wrong) {
      const about = error
        .split(/(?<=\(SD\d+\))/)
        .find((one) => one.includes(`${input} `) || one.includes(`${input}:`));
      expect(about, error).toContain(says);
    }
    expectSilence(world);
  });

  it('comment: true needs somebody to reply to', async () => {
    await using world = await startMessage();
    const event = { name: 'push', payload: {} };
    const result = await world.run({ event, inputs: { comment: 'true' } });
    expect(result.outputs['error']).toContain('needs an issue or a pull request');
    expectSilence(world);
  });

  it('what is just within them is sent', async () => {
    await using world = await startMessage();
    const inputs = {
      model: 'm'.repeat(64),
      effort: 'e'.repeat(64),
      'attachment-ids': Array.from({ length: 20 }, (_, index) => `a${index}`).join('\n'),
      'skill-names': 'a, b, c',
      wait: 'none',
    };
    expect((await world.run({ inputs })).outputs['outcome']).toBe('accepted');
    expect(world.project.messages[0]?.request).toMatchObject({
      model: inputs.model,
      attachmentIds: { length: 20 },
      skillNames: { length: 3 },
    });
  });
});
