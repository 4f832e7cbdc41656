import { expect, test } from 'vitest';
import { sha } from '../contract/commit.ts';
import { readSiteFile } from '../declared/model/read.ts';
import { type DeclaredCheck, fillCheck, namesCommit } from './intent.ts';

const commit = sha('a'.repeat(40));
const place = { commit, origin: 'https://www.example.com', hostname: 'pr-7.example.com' };

test('a check of a site file is filled in for a commit and an origin, whichever they are', () => {
  const { siteFile } = readSiteFile(`
checks:
  - path: /{sha}.json
    json: { commit: "{sha}", n: 1 }
    header: { X-Commit: "{sha}" }
    certificate-days: 14
    max-ms: 500
  - { url: "https://{preview-domain}/", contains: "{sha}", lacks: "{sha}!", location: "/{sha}" }
`);
  const filled = (siteFile.checks ?? []).map((check) => fillCheck(check, place));
  expect(filled).toMatchObject([
    {
      url: new URL(`https://www.example.com/${commit}.json`),
      method: 'GET',
      json: [
        ['commit', commit],
        ['n', 1],
      ],
      header: [['x-commit', commit]],
      certificateDays: 14,
      maxMs: 500,
      namesCommit: true,
    },
    {
      url: new URL('https://pr-7.example.com/'),
      contains: commit,
      lacks: `${commit}!`,
      location: `/${commit}`,
    },
  ]);
  const other = sha('b'.repeat(40));
  const [first] = siteFile.checks ?? [];
  const elsewhere = { ...place, commit: other, origin: 'https://green.example.com' };
  expect(first && fillCheck(first, elsewhere)).toMatchObject({
    url: new URL(`https://green.example.com/${other}.json`),
  });
});

const check = (at: DeclaredCheck['at'], more: Partial<DeclaredCheck> = {}): DeclaredCheck => ({
  at,
  method: 'GET',
  namesCommit: false,
  from: 'file',
  ...more,
});

test.each<[string, DeclaredCheck, Partial<typeof place>, string]>([
  ['a path without an origin', check({ path: '/' }), { origin: undefined as never }, 'verify-url'],
  ['a commit of HEAD', check({ path: '/{sha}' }), { commit: 'HEAD' as never }, 'is HEAD'],
  [
    'a text of HEAD',
    check({ path: '/' }, { json: [['a', '{sha}']] }),
    { commit: 'HEAD' as never },
    'is HEAD',
  ],
  [
    'no preview',
    check({ url: 'https://{preview-domain}/' }),
    { hostname: undefined as never },
    'needs the input preview-domain',
  ],
  ['no URL', check({ url: 'www.example.com' }), {}, 'must be a URL'],
  ['another protocol', check({ url: 'file:///etc/passwd' }), {}, 'must be a URL'],
  ['a password', check({ url: 'https://a:b@a.example/' }), {}, 'password'],
  ['a path to another port', check({ path: ':444/' }), {}, 'another host'],
  ['a path to another host', check({ path: '.a.example/' }), {}, 'another host'],
  ['a path behind a user', check({ path: '@a.example/' }), {}, 'password'],
])('%s is a problem', (_, one, more, says) => {
  expect(fillCheck(one, { ...place, ...more })).toEqual({
    problem: expect.stringContaining(says),
  });
});

test.each<[Parameters<typeof namesCommit>[0], boolean]>([
  [{ method: 'GET', contains: 'at {sha}' }, true],
  [{ method: 'GET', json: [['a', '{sha}']] }, true],
  [{ method: 'GET', header: [['a', '{sha}']] }, true],
  [{ method: 'GET', lacks: '{sha}' }, false],
  [{ method: 'GET', contains: 'sha' }, false],
])('%o names the commit: %s', (wanted, expected) => {
  expect(namesCommit(wanted)).toBe(expected);
});
