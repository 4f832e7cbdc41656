import { describe, expect, test } from 'vitest';
import { readGitUrl, secretsInGitUrl } from '../../../src/core/git/git-url.ts';

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

  test('takes lines for projects, and looks over those of others', () => {
    const lines = `# previews\n${a.toUpperCase()} = https://git.example/one\n\n${b}=https://git.example/two?\n`;
    expect(read(lines)).toEqual({ [a]: 'https://git.example/one' });
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
    ['a file', 'file:///tmp/x', /has the protocol `file:`/],
    ['another placeholder', 'https://git.example/{project-id}', /placeholder than \{projectId\}/],
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
      RegExp(`^has the same repository for ${a} and ${b}: give each`),
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
  test.for<[string, string[]]>([
    [
      'https://octo:password@x.example/{projectId}.git',
      [
        'https://octo:password@x.example/{projectId}.git',
        `https://octo:password@x.example/${a}.git`,
      ],
    ],
    ['https://git.example/{projectId}', []],
    ['ssh://git@git.example/x', []],
    ['https://git.example:8080/@team/x', []],
    ['https://tok%2Fen@x.example/y', ['https://tok%2Fen@x.example/y', 'tok%2Fen', 'tok/en']],
    [
      `${a} = https://octo:pass%40word@x.example/y\n${b}=https://x.example/z`,
      ['https://octo:pass%40word@x.example/y', 'octo', 'pass%40word', 'pass@word'],
    ],
    ['https://octo:not/escaped@x.example/y', ['octo', 'not/escaped']],
    ['https://octo:a@b@x.example/y', ['octo', 'a@b']],
    ['ssh://octo:password@x.example/y', ['password']],
    ['octo:password@x.example', []],
  ])('of %s', ([text, parts]) => {
    const found = secretsInGitUrl(text, [a]);
    if (parts.length === 0) expect(found).toEqual([]);
    else expect(found).toEqual(expect.arrayContaining(parts));
  });
});
