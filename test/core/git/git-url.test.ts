import { describe, expect, test } from 'vitest';
import { readGitUrl, secretsInGitUrl } from '../../../src/core/git/git-url.ts';

const a = '11111111-1111-4111-8111-111111111111';
const b = '22222222-2222-4222-8222-222222222222';

/** The URLs by project, or the problem. */
function read(text: string, projects = [a]) {
  const found = readGitUrl(text, projects);
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

  test('refuses one repository for several projects', () => {
    expect(read('https://git.example/site.git', [a, b])).toMatch(/needs \{projectId\}/);
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
