import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { givenInputs } from './given.ts';

const endless = new AbortController().signal;
const key = 'not-a-real-key-0123456789';

test('a key that is piped later than the command starts is waited for', async () => {
  const stdin = new PassThrough();
  const files = { 'api-key': '-' };
  const sources = { environment: {}, folder: '.', stdin, signal: endless };
  const given = givenInputs('projects', { inputs: {}, files }, sources);
  stdin.write(key.slice(0, 4));
  stdin.end(`${key.slice(4)}\r\n`);
  expect(await given).toEqual({ 'api-key': key });
});
