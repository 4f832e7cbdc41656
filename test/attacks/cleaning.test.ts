// Attack (flooding): Near-secrets, long texts, invisible characters, nested Markdown
// Defense: Linear time

import { describe, expect, it } from 'vitest';
import type { Answerer } from '../service/stub.ts';
import { deploymentId, events, startHostile } from './hostile.ts';

/** As much of a line as is looked at. */
const lineLength = 65_536;

/** So many lines that a step which takes a second for each does not end in its time. */
const lines = 12;
const timeout = '10s';

const line = (piece: string): string =>
  `event: log\ndata: ${piece.repeat(Math.ceil(lineLength / piece.length)).slice(0, lineLength)}\n\n`;

const end = `event: status\ndata: {"deploymentId":"${deploymentId}","status":"succeeded"}\n\n`;

const near = 'fake-key-of-attack';

describe.concurrent('a build log', () => {
  it.each([
    ['escapes that never end', '\u001b]'],
    ['escapes that seem to go on', '\u001b]0;a;b'],
    ['text that nearly is the key', near],
    ['invisible characters', '\u200b'],
    ['one long word', 'x'],
    ['Markdown in Markdown', '>[![@#*'],
  ])('of %s is shown to its end', async (_, piece) => {
    await using service = await startHostile({ events: events(line(piece).repeat(lines) + end) });
    const { outputs, log } = await service.run('', { inputs: { wait: 'stream', timeout } });
    expect(outputs['outcome']).toBe('succeeded');
    expect(log.join('\n')).not.toContain('\u001b');
  });

  it('without an end is left when the time is up', async () => {
    const pour: Answerer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const many = `data: ${'a\ndata: '.repeat(10_000)}\n\n`;
      const write = () => {
        while (!response.destroyed && response.write(many));
      };
      response.on('drain', write);
      write();
    };
    await using service = await startHostile({ events: pour });
    const { outputs, exitCode } = await service.run('', {
      inputs: { wait: 'stream', timeout: '3s' },
    });
    expect(outputs['outcome']).toBe('timed-out');
    expect(exitCode).toBe(1);
  });
});

describe.concurrent('a turn', () => {
  it('that says nothing but escapes is read to its end', async () => {
    const messageId = '00000000-0000-4000-8000-00000000000e';
    const text = line('\u001b]').repeat(lines);
    const done = `event: status\ndata: {"messageId":"${messageId}","status":"succeeded"}\n\n`;
    await using service = await startHostile({
      events: events(text + done),
      messages: (response, { method }) => {
        const list = method === 'GET' ? [] : { messageId, status: 'queued' };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(list));
      },
    });
    const inputs = { content: 'Make it blue.', wait: 'stream', timeout, 'github-token': '' };
    const { outputs } = await service.run('message', { inputs });
    expect(outputs['outcome']).toBe('succeeded');
  });
});
