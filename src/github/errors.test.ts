import { describe, expect, test } from 'vitest';
import { checkMessage } from '../../test/support/messages.ts';
import { printed } from '../kernel/diagnostic.ts';
import {
  describeTrouble,
  isLasting,
  NoAnswer,
  NotShown,
  type Permission,
  StrangeAnswer,
} from './errors.ts';

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
  ['a refusal', answered(403, { message: 'No.' }), /\(GitHub returned 403\): No\. \(SD8004\)$/],
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

describe('a 403', () => {
  const refused = (message: string, headers: object = {}) => answered(403, { message }, headers);
  const permission = 'pull-requests: write';

  test('of a token without the permission names it', () => {
    const missing = refused('Resource not accessible by integration');
    expect(tell('write the comment', missing, permission)).toMatch(
      /by integration\. Add "pull-requests: write" to the job's permissions\. \(SD8002\)$/,
    );
    expect(isLasting(missing)).toBe(true);
    const ofUser = refused('Resource not accessible by personal access token');
    expect(tell('write the comment', ofUser, permission)).toMatch(
      /access token\. Give the token in github-token the permission "pull-requests: write"\. \(SD8002\)$/,
    );
    expect(isLasting(ofUser)).toBe(true);
  });

  test.each<[string, RegExp]>([
    [
      'Unable to create comment because issue is locked.',
      /locked\. Unlock the conversation, or set comment: false\. \(SD8004\)$/,
    ],
    [
      'Unable to update comment because issue is locked.',
      /locked\. Unlock the conversation, or set comment: false\. \(SD8004\)$/,
    ],
    ['Repository was archived so is read-only.', /is read-only\. \(SD8004\)$/],
    [
      'Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.',
      /to this organization\. \(SD8004\)$/,
    ],
    [
      'Although you appear to have the correct authorization credentials, the `octo-org` organization has an IP allow list enabled, and your IP address is not permitted to access this resource.',
      /IP allow list enabled, .* this resource\. \(SD8004\)$/,
    ],
    ['User is blocked', /: User is blocked\. \(SD8004\)$/],
    ['Must have push access to repository', /push access to repository\. \(SD8004\)$/],
    ['', /no reason given\. \(SD8004\)$/],
  ])('for another reason is told in the words of GitHub: %s', (message, words) => {
    const told = tell('write the comment', refused(message), permission);
    expect(told).toMatch(words);
    expect(told).not.toContain('permissions');
    expect(isLasting(refused(message))).toBe(true);
  });

  test.each([
    'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
    'You have exceeded a secondary rate limit and have been temporarily blocked from content creation. Please retry your request again later.',
    'You have triggered an abuse detection mechanism. Please wait a few minutes before you try again.',
    'API rate limit exceeded for installation ID 1.',
  ])('that passes by itself is a limit, with and without its headers: %s', (message) => {
    for (const headers of [{}, { 'retry-after': '60' }, { 'x-ratelimit-remaining': '12' }]) {
      const limited = refused(message, headers);
      expect(tell('write the comment', limited, permission)).toMatch(/rate limit .*\(SD8001\)$/);
      expect(isLasting(limited)).toBe(false);
    }
  });
});
