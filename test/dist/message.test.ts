import { describe, expect, it } from 'vitest';
import { describeOutputs } from '../../src/outputs.ts';
import { deadlineAt, driven } from '../support/deadline.ts';
import { startMessage } from './message-world.ts';

const isWindows = process.platform === 'win32';
const push = { name: 'push', payload: { ref: 'refs/heads/main' } };

describe.concurrent('a turn', () => {
  it('is sent, shown as it speaks, followed to its end, and told', async () => {
    const turnText = ['I read', ' the request.\n', '- [x] done', '\n'];
    await using world = await startMessage({ turnText });
    const inputs = { content: '  Make it\n  blue. \n', model: 'large', 'skill-names': 'a, b' };
    const result = await world.run({ inputs });
    const [message, ...more] = world.project.messages;
    expect(more).toEqual([]);
    expect(message?.request).toMatchObject({
      content: inputs.content,
      model: 'large',
      skillNames: ['a', 'b'],
    });
    expect(result.conclusion).toBe('success');
    expect(result.outputs).toMatchObject({
      outcome: 'succeeded',
      'message-id': message?.id,
      'message-status': 'succeeded',
      text: 'I read the request.\n- [x] done',
      'comment-url': expect.stringContaining('#issuecomment-'),
      requests: expect.stringMatching(/^\d+$/),
      error: '',
    });
    expect(Object.keys(result.outputs).sort()).toEqual(
      Object.keys(describeOutputs('message')).sort(),
    );
    const log = result.log.join('\n');
    expect(log).toContain(`Message ${message?.id}`);
    expect(log).toContain('│ I read the request.\n');
    expect(log).toContain('│ - [x] done\n');
    expect(result.summary).toContain('✅ Done');
    expect(result.annotations).toEqual([]);
    expect(world.github.violations).toEqual([]);
  });

  it('that fails makes the step fail, and says so in the reply', async () => {
    await using world = await startMessage({ messageEnds: 'failure', hostileText: 'no credit' });
    // The list has the status without its reason.
    const result = await world.run({ inputs: { wait: 'stream' } });
    expect(result.conclusion).toBe('failure');
    expect(result.outputs).toMatchObject({ outcome: 'failed', 'message-status': 'failed' });
    expect(result.outputs['error']).toBe(
      'The service reported the status "failed" for the message: no credit. The AI may have changed files: read its answer in the summary, and send the message again only if something is missing. (SD5101)',
    );
    expect(world.replies().join()).toContain('❌ The AI could not finish its work');
  });

  it('that nothing confirms is a warning', async () => {
    await using world = await startMessage({
      refuse: ['listMessages', 'streamMessageEvents'],
    });
    const result = await world.run();
    expect(result.conclusion).toBe('success');
    expect(result.outputs['outcome']).toBe('unconfirmed');
    expect(result.annotations).toMatchObject([{ level: 'warning' }]);
    expect(world.replies().join()).toContain('❓ Message accepted');
  });

  it('that never ends is timed out, and may go on', async () => {
    await using world = await startMessage({ messageEnds: 'never', turnText: ['so far\n'] });
    const result = await world.run({ inputs: driven, ...deadlineAt('│ so far', 'running') });
    expect(result.conclusion).toBe('failure');
    expect(result.outputs).toMatchObject({
      outcome: 'timed-out',
      'message-id': world.project.messages[0]?.id,
      // On a slow machine a list that was asked for before may be answered after the stream.
      'message-status': expect.stringMatching(/^(queued|running)$/),
      text: 'so far',
    });
    expect(result.outputs['error']).toContain('may still be working');
    expect(world.replies().join()).toContain('Timed out');
  });

  it.skipIf(isWindows)('can be left by a cancel (Windows has no signals)', async () => {
    await using world = await startMessage({ messageEnds: 'never' });
    await using step = world.start();
    await step.waitForLine((line) => line.includes('running'));
    step.cancel();
    const result = await step.done;
    expect(result).toMatchObject({ conclusion: 'cancelled', exitCode: 1, signal: null });
    expect(result.outputs).toMatchObject({
      outcome: 'cancelled',
      'message-id': world.project.messages[0]?.id,
    });
    expect(result.outputs['error']).toMatch(/^Canceled\. .* \(SD9002\)$/);
    expect(world.replies().join()).toContain('Canceled');
  });

  it('is accepted and left with wait: none, after one look and one request', async () => {
    await using world = await startMessage();
    const result = await world.run({ inputs: { wait: 'none' } });
    expect(result.outputs).toMatchObject({ outcome: 'accepted', text: '', requests: '2' });
  });

  it('needs no thread: a push gets no reply', async () => {
    await using world = await startMessage();
    const result = await world.run({ event: push });
    expect(result.outputs).toMatchObject({ outcome: 'succeeded', 'comment-url': '' });
    expect(world.github.journal).toEqual([]);
  });
});

describe.concurrent('what the turn says', () => {
  it('is no command for the runner', async () => {
    const commands = ['::error::a', '##[error]b', ' ::add-mask::blue', '::stop-commands::x'];
    const turnText = ['\n', ...commands.flatMap((line) => [line.slice(0, 5), line.slice(5), '\r'])];
    await using world = await startMessage({ turnText });
    const { annotations, log, masks, outputs } = await world.run();
    expect(annotations).toEqual([]);
    expect(masks).not.toContain('blue');
    expect(log.join('\n')).toMatch(/│ : :error::a[\s\S]*## \[error\]b[\s\S]*: :add-mask::blue/);
    expect(outputs['text']).toMatch(/^: :error::a\n## \[error\]b\n : :add-mask::blue/);
  });

  it('hides the key and the token, also torn over its pieces', async () => {
    await using world = await startMessage();
    const { key, dialect } = world.emulator;
    const token = 'fake-github-token';
    const said = [key, token, Buffer.from(key).toString('base64')].join(' and ');
    dialect.turnText = said.match(/.{1,7}/g) ?? [];
    const result = await world.run();
    expect(result.outputs['text']).toBe('*** and *** and ***');
    const written = result.raw.stdout.replaceAll(/^::add-mask::.*$/gm, '');
    const { outputs, summary } = result;
    const all = JSON.stringify([written, outputs, summary, world.replies()]);
    for (const secret of [key, token]) expect(all).not.toContain(secret);
    expect(result.raw.stderr).toBe('');
  });

  it('does nothing in the reply and in the summary', async () => {
    const turnText = ['@octocat #1 [a](https://example.com) <img src=x> `y` https://example.com\n'];
    await using world = await startMessage({ turnText });
    const { summary } = await world.run();
    for (const text of [...world.replies(), summary]) {
      expect(text).not.toMatch(/@octocat|#1 |\]\(https:\/\/example|<img|`y`|https:\/\/example/);
      expect(text).toContain('octocat');
    }
  });
});
