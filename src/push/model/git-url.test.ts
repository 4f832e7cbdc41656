// Attack (git): A plain user name is masked, and the job loses that text
// Defense: It is masked only if it is the credential: without a password and `git-token`, with `x-oauth-basic`, or of
// 16 characters and more; never for ssh
// Attack (git): A wrong line in `git-url` waits for the run that uses it
// Defense: Each run checks every line before it sends anything
// Attack (starting): `git-url` is the workflow's own repository in another spelling (`github.com.`,
// `ssh.github.com:443`, another port)
// Defense: Hosts are compared as DNS resolves them, without ports

import { describe, expect, test } from 'vitest';
import { isSameRepository, readGitUrl, redirectTarget, secretsInGitUrl } from './git-url.ts';

const a = '11111111-1111-4111-8111-111111111111';
const b = '22222222-2222-4222-8222-222222222222';

/** The URLs by project, or the problem. */
function read(text: string, projects = [a], leased: readonly string[] = []) {
  const found = readGitUrl(text, projects, leased);
  if ('problem' in found) return found.problem;
  return Object.fromEntries([...found].map(([id, { url }]) => [id, url]));
}

describe('readGitUrl', () => {
  test('fills a project into one URL', () => {
    expect(read('https://git.example/{projectId}.git', [a, b])).toEqual({
      [a]: `https://git.example/${a}.git`,
      [b]: `https://git.example/${b}.git`,
    });
    expect(read('https://git.example/site.git')).toEqual({ [a]: 'https://git.example/site.git' });
    expect(read('ssh://git@git.example/{projectId}')).toEqual({
      [a]: `ssh://git@git.example/${a}`,
    });
  });

  test('takes lines for projects, those of others too', () => {
    const lines = `# previews\n${a.toUpperCase()} = https://git.example/one\n\n${b}=https://git.example/two\n`;
    expect(read(lines)).toEqual({ [a]: 'https://git.example/one', [b]: 'https://git.example/two' });
  });

  test.for<[string, RegExp]>([
    ['file:///srv/other.git', /has the unsupported protocol `file:`/],
    ['/srv/other.git', /is not a URL/],
    ['git@git.example:x.git', /is not a URL/],
    ['http://git.example/x', /is not encrypted/],
    ['https://git.example/', /has no path to a repository/],
    ['https://git.example/x?y', /has a query or a fragment/],
    ['https://git.example/x?', /has a query or a fragment/],
    ['https://git.example/x#', /has a query or a fragment/],
    ['ssh://git:fake-password@git.example/x', /contains a password/],
    ['https://%:fake@git.example/x', /malformed user or password/],
    ['https://git.example/{projectId}', /has a placeholder that is not supported/],
    ['ext::sh -c true', /is not a URL/],
    ['ext::true', /has no protocol/],
    ['', /is not a URL/],
  ])('refuses the line of a project that nobody named, beside a good one: %s', ([url, problem]) => {
    for (const lines of [
      [`${a}=https://git.example/x`, `${b}=${url}`],
      [`${b}=${url}`, `${a}=https://git.example/x`],
    ]) {
      expect(read(lines.join('\n'))).toMatch(problem);
      expect(read(lines.join('\n'))).toContain(`(for the project ${b})`);
    }
  });

  test('judges one URL for all projects, although none is named', () => {
    expect(read('file:///srv/{projectId}.git', [])).toMatch(
      /^has the unsupported protocol `file:`[^(]*$/,
    );
  });

  test('quotes no credential as a protocol', () => {
    for (const url of ['Fake-Token:x-oauth-basic@git.example/x', 'fake-token:@git.example/x'])
      expect(read(`${a}=${url}`)).not.toMatch(/fake/i);
  });

  test.for<[string, string, RegExp]>([
    ['two URLs', 'https://git.example/a\nhttps://git.example/b', /^line 1: must be one URL/],
    ['a line for no project', `${a}=https://git.example/a\nsite=https://x.example/b`, /^line 2/],
    [
      'no line for the project',
      `${b}=https://git.example/b`,
      RegExp(`no line for the project ${a}`),
    ],
    ['a project twice', `${a}=https://x.example/a\n${a}=https://x.example/b`, /two lines for/],
    ['a line without a URL', `${a}=`, RegExp(`^is not a URL.* \\(for the project ${a}\\)$`)],
    ['only a comment', '# none', /^is not a URL|must be one URL|no line for/],
    ['a file', 'file:///tmp/x', /has the unsupported protocol `file:`/],
    [
      'another placeholder',
      'https://git.example/{project-id}',
      /has a placeholder that is not supported here: use \{projectId\}/,
    ],
    ['http elsewhere', 'http://git.example/x', /is not encrypted/],
    ['a path of scp', 'git@git.example:x.git', /is not a URL/],
  ])('refuses %s', ([, text, problem]) => {
    expect(read(text)).toMatch(problem);
  });

  test.for<[string, string, RegExp]>([
    [
      'one URL',
      'https://git.example/site.git',
      /^needs \{projectId\} in its host or path, or lines/,
    ],
    ['a URL that differs in its user', 'https://{projectId}@git.example/x', /^needs \{projectId\}/],
    ['no line for one', `${a}=https://x.example/a`, RegExp(`no line for the project ${b}`)],
    ...(
      [
        ['https://x.example/site', 'https://x.example/site'],
        ['https://x.example/site', 'https://octo:pass@X.example:443//Site.git/'],
        ['https://x.example/site.git', 'ssh://git@x.example:2222/s%69te'],
      ] as const
    ).map(([one, two]): [string, string, RegExp] => [
      `${one} beside ${two}`,
      `${a}=${one}\n${b}=${two}`,
      RegExp(`^has the same repository for ${a} and ${b}: .*each project needs its own`),
    ]),
  ])('with leased projects, refuses %s', ([, text, problem]) => {
    expect(read(text, [a, b], [a])).toMatch(problem);
    expect(read(text, [a, b], [b])).toMatch(problem);
  });

  test('refuses one URL for the only leased project, and the repository of a project that is not named', () => {
    expect(read('https://git.example/site.git', [a], [a])).toMatch(/^needs \{projectId\}/);
    const shared = `${a}=https://x.example/y\n${b}=https://x.example/y`;
    expect(read(shared, [a], [a])).toMatch(/^has the same repository/);
  });

  test('takes a repository for each of them', () => {
    const own = `${a}=https://x.example/one\n${b}=https://x.example/two`;
    expect(read(own, [a, b], [a])).toEqual({
      [a]: 'https://x.example/one',
      [b]: 'https://x.example/two',
    });
    expect(read(`${a}=https://git.example/site.git`, [a], [a])).toEqual({
      [a]: 'https://git.example/site.git',
    });
    expect(read('https://{projectId}.git.example/site', [a, b], [a, b])).toEqual({
      [a]: `https://${a}.git.example/site`,
      [b]: `https://${b}.git.example/site`,
    });
  });
});

describe('secretsInGitUrl', () => {
  const token = 'fake-token';
  const long = 'fake-token-of-many-characters';

  test.for<[string, string[]]>([
    [
      'https://octo:password@x.example/{projectId}.git',
      [
        'https://octo:password@x.example/{projectId}.git',
        `https://octo:password@x.example/${a}.git`,
      ],
    ],
    ['https://tok%2Fen@x.example/y', ['https://tok%2Fen@x.example/y', 'tok%2Fen', 'tok/en']],
    [
      `${a} = https://octo:pass%40word@x.example/y\n${b}=https://x.example/z`,
      ['https://octo:pass%40word@x.example/y', 'pass%40word', 'pass@word'],
    ],
    ['https://octo:not/escaped@x.example/y', ['not/escaped']],
    ['https://octo:a@b@x.example/y', ['a@b', 'a%40b']],
    ['ssh://octo:password@x.example/y', ['password']],
    ['octo:password@x.example', ['password']],
    // An "@" behind the host.
    [`https://octo:${token}@x.example/@team/y@main`, [token]],
    [`https://octo:${token}@x.example/y?to=me@home#at@home`, [token]],
    [`${a}=https://${token}@x.example/@team/y`, [token]],
    // What the parser takes for the slashes of a scheme.
    [`https:/octo:${token}@x.example/y`, [token]],
    [`https:octo:${token}@x.example/y`, [token]],
    [`https:\\\\octo:${token}@x.example/y`, [token]],
    [`https:\\octo:${token}@x.example\\y@z`, [token]],
    [`https:////octo:${token}@x.example/y`, [token]],
    [`HTTPS:/\\octo:${token}@x.example/y`, [token]],
    // What no parser takes for a URL.
    [`https://octo:${token}@x.example:port/@team/y`, [token]],
    [`"https://octo:${token}@x.example/y"`, [token]],
    [`url https://octo:${token}@x.example/y`, [token]],
    [`site=https://octo:${token}@x.example/y`, [token]],
    [`# not yet: https://octo:${token}@x.example/y`, [token]],
    ['https://octo:fake\tpass@x.example/y', ['fake\tpass', 'fakepass']],
    // The user name is the credential.
    [`https://${token}:@x.example/y`, [token]],
    [`https://${token}:x-oauth-basic@x.example/y`, [token]],
    [`https://${token}:X%2DOAuth%2Dbasic@x.example/y`, [token]],
    [`https://${long}:word@x.example/y`, [long, 'word']],
    [`https://{projectId}:${token}@x.example/y`, [token]],
    // A key may look like a project's id.
    [`https://octo:${b}@x.example/y`, [b]],
  ])('finds what is secret in %s', ([text, parts]) => {
    expect(secretsInGitUrl(text, [a], false)).toEqual(expect.arrayContaining(parts));
  });

  test.for([
    'https://git.example/{projectId}',
    'ssh://git@git.example/x',
    'ssh://somebody-with-a-long-name@git.example/x',
    'git@git.example:x.git',
    'https://git.example:8080/@team/x',
    'https://git.example/x@main:1',
    '# ask: somebody@x.example',
    'https://{projectId}@git.example/x',
    `https://${a}@git.example/x`,
  ])('finds none in %s', (text) => {
    expect(secretsInGitUrl(text, [a], false)).toEqual([]);
  });

  test.for(['deploy', 'x-access-token', 'oauth2', '{projectId}', a, 'x-oauth-basic'])(
    'leaves the plain user name %s beside a password alone',
    (user) => {
      const found = secretsInGitUrl(`https://${user}:${token}@x.example/y`, [a], false);
      expect(found).toContain(token);
      expect(found).not.toContain(user);
    },
  );

  test('finds none in the user name of a URL whose password is git-token', () => {
    const text = 'https://octo@x.example/{projectId}';
    expect(secretsInGitUrl(text, [a], false)).toContain('octo');
    expect(secretsInGitUrl(text, [a], true)).toEqual([]);
  });

  test.for<[string, string]>([
    [`https://${long}@x.example/y`, long],
    [`https://${token}:x-oauth-basic@x.example/y`, token],
    [`https://octo:${token}@x.example/y`, token],
  ])('finds the credential in %s beside git-token', ([text, part]) => {
    expect(secretsInGitUrl(text, [a], true)).toContain(part);
  });
});

describe('one repository', () => {
  const own = 'https://github.com/octo-org/octo-site';

  test.for([
    'https://github.com/octo-org/octo-site.git',
    'https://GitHub.com/Octo-Org/Octo-Site.git/',
    'https://github.com./octo-org/octo-site',
    'https://github.com../octo-org/octo-site',
    'https://www.github.com/octo-org/octo-site',
    'https://github.com:443//octo-org/octo-site',
    'https://github%2Ecom/octo-org/octo-site',
    'https://someone:fake@github.com/octo-org/octo-site',
    'https://github.com/octo-org/x/../octo%2Dsite',
    'ssh://git@github.com/octo-org/octo-site.git',
    'ssh://git@github.com./octo-org/octo-site.git',
    'ssh://git@github.com:22/octo-org/octo-site.git',
    'ssh://git@ssh.github.com:443/octo-org/octo-site.git',
    'ssh://git@SSH.GitHub.com.:443/octo-org/octo-site',
    'ssh://git@git%68ub.com/octo-org/octo-site',
    'ssh://git@%67ithub%2Ecom%2E/octo-org%2Focto-site',
    'ssh://git@github。com/octo-org/octo-site',
    'ssh://git@ｇithub.com/octo-org/octo-site',
  ])('is known behind %s', (url) => {
    expect(isSameRepository(url, own)).toBe(true);
    expect(isSameRepository(own, url)).toBe(true);
  });

  test.for([
    ['ssh://git@ghe.example:122/o/r', 'https://ghe.example:8443/o/r'],
    ['https://ghe.example./o/r', 'https://ghe.example:8443/o/r.git'],
  ] as const)('is known behind other ports: %s', ([url, server]) => {
    expect(isSameRepository(url, server)).toBe(true);
  });

  test.for([
    'https://github.com/octo-org/octo-site-2',
    'https://github.com/octo-org',
    'https://ssh.github.example/octo-org/octo-site',
    'https://github.com.example/octo-org/octo-site',
    'https://gist.github.com/octo-org/octo-site',
  ])('is not another: %s', (url) => {
    expect(isSameRepository(url, own)).toBe(false);
  });
});

describe('the target of a redirect', () => {
  const url = 'https://git.example/group/site';
  const query = '?service=git-upload-pack';

  test.for([
    ['/group/site.git/info/refs', 'https://git.example/group/site.git'],
    [`https://git.example/group/site.git/info/refs${query}`, 'https://git.example/group/site.git'],
    ['https://GIT.example:443/new/site.git/git-receive-pack', 'https://git.example/new/site.git'],
    ['https://ada:fake-word@git.example/x.git/info/refs', 'https://git.example/x.git'],
    ['../../site.git/info/refs?token=fake-word#x', 'https://git.example/group/site.git'],
  ])('is a repository on the same server: %s', ([location, target]) => {
    expect(redirectTarget(url, location ?? '')).toBe(target);
    expect(redirectTarget(`${url}/`, location ?? '')).toBe(target);
  });

  test.for([
    '',
    '/users/sign_in',
    '/info/refs',
    'https://git.example:8443/group/site.git/info/refs',
    'https://other.example/group/site.git/info/refs',
    '//other.example/group/site.git/info/refs',
    'http://git.example/group/site.git/info/refs',
    'https://[/info/refs',
  ])('is not named otherwise: %j', (location) => {
    expect(redirectTarget(url, location)).toBeUndefined();
  });

  test('is none over ssh', () => {
    expect(redirectTarget('ssh://git@git.example/site', '/x/info/refs')).toBeUndefined();
  });
});
