import { describe, expect, test } from 'vitest';
import { branchProblem, isBranchName } from './intent.ts';
import { readRemoteAddress } from './model/git-url.ts';

describe('the name of a branch', () => {
  test.each(['main', 'feature/login', 'a.b', 'über', 'x@y', '@', '#1', 'HEAD2', '@x', "it's"])(
    'may be %j',
    (name) => expect(isBranchName(name)).toBe(true),
  );

  test.each([
    '',
    '-x',
    '/x',
    'x/',
    'x//y',
    'x.',
    '.x',
    'x/.y',
    'x..y',
    'x.lock',
    'x.lock/y',
    'x y',
    'x~1',
    'x^',
    'x:y',
    'x?',
    'x*',
    'x[y',
    'x\\y',
    'x@{1}',
    'HEAD',
    'x\u001b[31m',
    'x\n',
    'x\u007f',
    '\ud800',
  ])('may not be %j', (name) => expect(isBranchName(name)).toBe(false));
});

test.each([
  ['refs/heads/main', /full reference name.*such as main/],
  ['a..b', /not a valid branch name/],
  ['main', /^$/],
])('what is wrong with the branch %s is said', (name, problem) => {
  expect(branchProblem(name) ?? '').toMatch(problem);
});

describe('the address of a repository', () => {
  const nobody = { username: '', password: '' };

  test.each([
    [
      'https://git.example.com/a/b.git',
      { protocol: 'https', ...nobody },
      'https://git.example.com/a/b.git',
    ],
    ['http://127.0.0.1:8080/x', { protocol: 'http', ...nobody }, 'http://127.0.0.1:8080/x'],
    ['http://[::1]:8080/x', { protocol: 'http', ...nobody }, 'http://[::1]:8080/x'],
    [
      'ssh://git@example.com:22/x.git',
      { protocol: 'ssh', username: 'git', password: '' },
      'ssh://git@example.com:22/x.git',
    ],
    [
      'https://octo:s%2Fecret@example.com/x',
      { protocol: 'https', username: 'octo', password: 's/ecret' },
      'https://example.com/x',
    ],
    [
      'https://s3cret@example.com/x',
      { protocol: 'https', username: 's3cret', password: '' },
      'https://example.com/x',
    ],
  ])('%s', (text, parts, url) => {
    expect(readRemoteAddress(text)).toEqual({ ...parts, url });
  });

  test.each([
    ['git@example.com:octo/site.git', /is not a URL: use https/],
    ['octo/site', /is not a URL/],
    ['http://git.example.com/x', /is not encrypted: use https/],
    ['http://127.0.0.1.example.com/x', /is not encrypted/],
    ['file:///srv/git/x', /has the unsupported protocol `file:`/],
    ['ext::sh -c touch% /tmp/x', /is not a URL/],
    ['ext::sh', /has no protocol/],
    ['git://example.com/x', /has the unsupported protocol `git:`/],
    ['ssh://-oProxyCommand=x/y', /is not a URL|has no host/],
    ['ssh:///x', /has no host/],
    ['ssh://git:s3cret@example.com/x', /contains a password/],
    ['https://example.com/x?y=z', /has a query/],
    ['https://example.com/x#y', /has a query or a fragment/],
    ['https://example.com/', /has no path to a repository/],
    ['https://example.com/x\n', /is not a URL/],
    ['https://exam\tple.com/x', /is not a URL/],
    ['https://%zz:s3cret@example.com/x', /contains a malformed user or password|is not a URL/],
    ['', /is not a URL/],
  ])('%j is refused, and not quoted', (text, problem) => {
    const read = readRemoteAddress(text);
    expect(read).toEqual({ problem: expect.stringMatching(problem) });
    expect(JSON.stringify(read)).not.toContain('s3cret');
  });
});
