import { describe, expect, test } from 'vitest';
import {
  describeTrouble,
  NoAnswer,
  NotShown,
  type Permission,
  StrangeAnswer,
} from '../../src/github-api/errors.ts';
import { printed } from '../../src/kernel/diagnostic.ts';
import { checkMessage } from '../support/messages.ts';

/** An error as GitHub's client throws it for an answer. */
const answered = (status: number, data: object = {}, headers: object = {}) =>
  Object.assign(new Error('HttpError'), { response: { status, data, headers } });

const network = (code: string) =>
  Object.assign(new Error(`fetch failed`), { cause: Object.assign(new Error(code), { code }) });

const page = (path: string) => ({
  message: 'Not Found',
  documentation_url: `https://docs.github.com/rest${path}`,
});

/** What is told of an error, as a person reads it. */
const tell = (...of: Parameters<typeof describeTrouble>) => printed(describeTrouble(...of));

describe('a 404', () => {
  test.each<[Permission, string]>([
    ['deployments: write', 'github-deployment: false'],
    ['pull-requests: write', 'comment: false'],
    ['issues: write', 'comment: false'],
    ['deployments: read', 'github-deployment: false'],
  ])('of a server that has no such thing names the input: %s', (permission, setting) => {
    for (const data of [{}, { message: 'not found' }, page('')]) {
      const told = tell('record the run', answered(404, data), permission);
      expect(told).toMatch(
        new RegExp(`This server does not support it\\. Set ${setting}\\. \\(SD8007\\)$`),
      );
      expect(told).not.toContain('permissions');
      checkMessage(told);
    }
  });

  test.each<Permission>(['contents: read', 'pull-requests: read'])(
    'of a server that has no such thing asks for no permission: %s',
    (permission) => {
      const told = tell('read it', answered(404, { message: 'no' }), permission);
      expect(told).toMatch(/This server does not support it\. \(SD8007\)$/);
      checkMessage(told);
    },
  );

  test('of GitHub, which names the page of the operation, is a permission', () => {
    const data = page('/deployments/deployments#create-a-deployment');
    const told = tell('record the run', answered(404, data), 'deployments: write');
    expect(told).toMatch(/Add "deployments: write" to the job's permissions\. \(SD8002\)$/);
    expect(told).not.toContain('github-deployment: false');
  });
});

test.each<[string, unknown, RegExp]>([
  ['a limit', answered(429), /rate limit .* \(SD8001\)$/],
  ['a refusal', answered(403, { message: 'No.' }), /\(GitHub returned 403\): No\. Add .*SD8002/],
  ['a refusal without words', answered(422), /no reason given\. \(SD8004\)$/],
  ['no answer', new NoAnswer(), /: GitHub did not respond in time\. \(SD8003\)$/],
  ['nothing to see', new NotShown(), /but the change is not visible\. \(SD8006\)$/],
  ['no list', new StrangeAnswer('GitHub answered a word'), /answered a word\. \(SD8004\)$/],
  [
    'no name',
    network('ENOTFOUND'),
    /the hostname was not found in DNS \(ENOTFOUND\)\. \(SD8005\)$/,
  ],
  ['a reset', network('UND_ERR_SOCKET'), /broke: the server closed it\. \(SD8005\)$/],
  ['anything else', new TypeError('x is undefined'), /unknown error\. \(SD8005\)$/],
])('%s is told in our words', (_name, error, words) => {
  const told = tell('write the comment', error, 'pull-requests: write');
  expect(told).toMatch(words);
  checkMessage(told);
});
