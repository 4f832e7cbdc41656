import { describe, expect, test } from 'vitest';
import { testForms } from '../test/support/forms.ts';
import * as schema from './input-schemas.ts';

const id = '9f1c6d1e-5f0a-4b4e-8c1d-2f1b3c4d5e6f';

testForms([
  {
    name: 'flag',
    schema: schema.flag,
    good: [
      ['true', true],
      ['True', true],
      ['TRUE', true],
      ['false', false],
      ['FALSE', false],
    ],
    bad: ['yes', 'no', 'on', '1', '0', 'truee', 'true false'],
    says: 'must be true or false',
  },
  {
    name: 'duration',
    schema: schema.duration,
    good: [
      ['30s', 30_000],
      ['20m', 1_200_000],
      ['1h', 3_600_000],
      ['1H', 3_600_000],
      ['90', 90_000],
      ['1.5m', 90_000],
      ['0.5', 500],
      ['20 m', 1_200_000],
      ['2147483s', 2_147_483_000],
    ],
    bad: ['0', '0s', '-1', '1d', '1h30m', '20min', '1e3', '.5', 's', 'Infinity', '2147484', '597h'],
    says: 'must be a duration: 30s, 20m, 1h, or a number of seconds',
  },
  {
    name: 'duration of about a millisecond',
    schema: schema.duration,
    good: [
      ['0.001', 1],
      ['0.0015s', 2],
      ['0.00002m', 1],
      ['0.000001h', 4],
    ],
    bad: ['0.0', '0.0009', '0.0005s', '0.0000001', '0.00001m', '0.0000002h'],
    says: 'must be a duration',
  },
  {
    name: 'age',
    schema: schema.age,
    good: [
      ['7d', 604_800_000],
      ['36h', 129_600_000],
      ['1H', 3_600_000],
      ['30D', 2_592_000_000],
      ['9999d', 863_913_600_000],
    ],
    bad: ['0d', '7', '30m', '1.5d', '7 d', '-7d', '1w', '10000d', '7d12h', 'd'],
    says: 'must be an age in hours or days: 36h or 7d',
  },
  {
    name: 'base URL',
    schema: schema.baseUrl,
    good: [
      ['https://api.example.com', 'https://api.example.com'],
      ['https://api.example.com/', 'https://api.example.com'],
      ['https://api.example.com/site//', 'https://api.example.com/site'],
      ['HTTPS://API.EXAMPLE.COM:443', 'https://api.example.com'],
      ['https://api.example.com/a%3Fb%23c', 'https://api.example.com/a%3Fb%23c'],
      ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080'],
      ['http://localhost:8080', 'http://localhost:8080'],
      ['http://[::1]:8080', 'http://[::1]:8080'],
    ],
    bad: [
      'api.example.com',
      '/v1',
      'ftp://api.example.com',
      'file:///etc/hosts',
      'https://',
      'a b',
    ],
    says: 'must be a URL such as https://api.example.com',
  },
  {
    name: 'base URL that is not encrypted',
    schema: schema.baseUrl,
    good: [],
    bad: ['http://api.example.com', 'http://localhost.example.com', 'http://192.168.0.1'],
    says: 'must use https',
  },
  {
    name: 'base URL with a password',
    schema: schema.baseUrl,
    good: [],
    bad: ['https://user@api.example.com', 'https://:fake@api.example.com', 'http://u:p@localhost'],
    says: 'must not contain a user name or password',
  },
  {
    name: "base URL with the service's own path at its end",
    schema: schema.baseUrl,
    good: [
      ['https://api.example.com/v1/site', 'https://api.example.com/v1/site'],
      ['https://api.example.com/domains', 'https://api.example.com/domains'],
      ['https://api.example.com/v12', 'https://api.example.com/v12'],
    ],
    bad: [
      'https://api.example.com/v1',
      'https://api.example.com/site/v1//',
      'https://api.example.com/v1/projects',
      'https://api.example.com/v1/projects/9f1c6d1e-5f0a-4b4e-8c1d-2f1b3c4d5e6f/deployments',
      'https://api.example.com/connected-domains',
      'https://api.example.com/domain/check/',
    ],
    says: 'must not end in /',
  },
  {
    name: 'base URL with more behind it',
    schema: schema.baseUrl,
    good: [],
    bad: [
      'https://api.example.com?a=b',
      'https://api.example.com/#a',
      'https://api.example.com?',
      'https://api.example.com#',
      'https://api.example.com/site/?',
      'https://api.example.com/site/#',
      'https://api.example.com/?#',
      'http://localhost:8080?',
    ],
    says: 'must not contain ? or #',
  },
  {
    name: 'key',
    schema: schema.apiKey,
    good: [
      ['fake-key', 'fake-key'],
      ['!~', '!~'],
    ],
    bad: ['fake key', 'fake\nkey', 'fake\tkey', 'fäke', 'fake\u007f', 'fake\0'],
    says: "contains a character that a header can't have",
  },
  {
    name: 'project',
    schema: schema.projectId,
    good: [
      [id, id],
      [id.toUpperCase(), id],
    ],
    bad: ['site', id.slice(1), `${id}0`, `${id}/..`, id.replaceAll('-', '')],
    says: 'must be a UUID, not a name: the /projects action lists the ids',
  },
  {
    name: 'one word of a few',
    schema: schema.oneOf('warn', 'fail', 'skip'),
    good: [
      ['warn', 'warn'],
      ['skip', 'skip'],
    ],
    bad: ['Warn', 'ignore', 'warn, fail'],
    says: 'must be warn, fail or skip',
  },
  {
    name: "ledger's key",
    schema: schema.ledgerKey,
    good: [
      ['sixteen letters!', 'sixteen letters!'],
      ['ü'.repeat(16), 'ü'.repeat(16)],
    ],
    bad: ['fifteen letters', 'x'],
    says: 'must have at least 16 characters',
  },
  {
    name: 'digest',
    schema: schema.digest,
    good: [
      ['0a'.repeat(32), '0a'.repeat(32)],
      ['0A'.repeat(32), '0a'.repeat(32)],
      [`${'0A'.repeat(32)}-${'1B'.repeat(8)}`, `${'0a'.repeat(32)}-${'1b'.repeat(8)}`],
    ],
    bad: [
      'latest',
      '0a'.repeat(31),
      `${'0a'.repeat(32)}0`,
      `sha256:${'0a'.repeat(32)}`,
      `${'0a'.repeat(32)}-`,
      `${'0a'.repeat(32)}-${'1b'.repeat(7)}`,
      `${'0a'.repeat(32)}${'1b'.repeat(8)}`,
    ],
    says: 'must be the whole output plan-digest of an earlier plan: 64 hex digits',
  },
  {
    name: 'share',
    schema: schema.share,
    good: [
      ['0', { count: 0 }],
      ['20', { count: 20 }],
      ['999999999', { count: 999_999_999 }],
      ['0%', { percent: 0 }],
      ['30%', { percent: 30 }],
      ['30 %', { percent: 30 }],
      ['100%', { percent: 100 }],
    ],
    bad: ['-1', '1.5', '101%', '%', 'all', '1e3', '20 30', '1000000000', '0x10', '30%%'],
    says: 'must be a number such as 20, or a percentage such as 30%',
  },
  {
    name: 'projects',
    schema: schema.projectIds,
    good: [
      [id, [id]],
      [`${id.toUpperCase()}\n${id}`, [id]],
      [`${id}, ${id.replace('9', '8')}`, [id, id.replace('9', '8')]],
    ],
    bad: ['site', `${id} ${id}`, `${id}\nsite`],
    says: 'must be UUIDs of projects, one per line or separated by commas: the /projects action lists the ids',
  },
  {
    name: 'text',
    schema: schema.text,
    good: [
      ['', ''],
      [' a\n', ' a\n'],
    ],
    bad: [],
    says: '',
  },
]);

describe('list', () => {
  test.each([
    ['one item', 'a', ['a']],
    ['an item a line', 'a\nb\r\nc\rd', ['a', 'b', 'c', 'd']],
    ['commas', 'a, b,c', ['a', 'b', 'c']],
    ['both', 'a, b\nc', ['a', 'b', 'c']],
    ['blank lines and empty items', '\n a \n\n,,b,\n', ['a', 'b']],
    ['comments', '# a, b\n  # c\nd', ['d']],
    ['a # behind an item, which is part of it', 'a # b', ['a # b']],
    ['nothing but a comment', '# a', []],
    ['an assignment', 'A=B', ['A=B']],
  ])('takes %s', (_name, text, items) => {
    expect(schema.list(text)).toEqual({ value: items });
  });
});
