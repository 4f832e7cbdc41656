import { describe, expect, it } from 'vitest';
import { checksAt, checksBefore, checksOfProject } from '../../../src/blue-green/plan.ts';
import { type ChecksRequest, type DeclaredCheck, fillCheck } from '../../../src/checks/intent.ts';

const domains = ['www.example.com', 'example.com'];
const preview = 'next.example.com';

const check = (
  at: DeclaredCheck['at'],
  from: DeclaredCheck['from'],
  more: Partial<DeclaredCheck> = {},
): DeclaredCheck => ({ at, from, method: 'GET', namesCommit: false, ...more });

const placed = (...declared: DeclaredCheck[]): ChecksRequest => ({
  declared,
  site: { commit: 'HEAD', origin: undefined, hostname: preview },
  timeout: 60_000,
});

/** The addresses that some checks ask, in order. */
const asked = (groups: readonly ChecksRequest[]) =>
  groups.flatMap(({ declared, site }) =>
    declared.map((one) => {
      const filled = fillCheck(one, site);
      return 'url' in filled ? filled.url.href : filled.problem;
    }),
  );

const path = check({ path: '/a' }, 'file');

describe('the checks of a swap', () => {
  it.each<[string, ChecksRequest, string[], string[]]>([
    [
      'that are paths',
      placed(path),
      ['https://next.example.com/a'],
      ['https://www.example.com/a', 'https://example.com/a'],
    ],
    [
      'with a page by the placeholder',
      placed(check({ url: 'https://{preview-domain}:8443/' }, 'inputs'), path),
      ['https://next.example.com:8443/', 'https://next.example.com:8443/a'],
      [
        'https://www.example.com:8443/',
        'https://www.example.com:8443/a',
        'https://example.com:8443/',
        'https://example.com:8443/a',
      ],
    ],
    [
      'with a page at a domain that moves',
      placed(check({ url: 'https://www.example.com/' }, 'inputs'), path),
      ['https://next.example.com/', 'https://next.example.com/a'],
      ['https://www.example.com/', 'https://www.example.com/a'],
    ],
    [
      'with an address elsewhere',
      placed(path, check({ url: 'https://api.example.com/health' }, 'file')),
      ['https://next.example.com/a', 'https://api.example.com/health'],
      ['https://www.example.com/a', 'https://api.example.com/health', 'https://example.com/a'],
    ],
  ])('%s are asked at the preview first, and then at the domains', (_, given, before, after) => {
    expect(asked([checksBefore(given, domains, preview)])).toEqual(before);
    expect(asked(checksAt(given, domains))).toEqual(after);
  });

  it('tell of a project what is asked at its own domains, whatever its commit is', () => {
    const given = placed(
      path,
      check({ path: '/commit' }, 'file', { contains: '{sha}', namesCommit: true }),
      check({ url: 'https://api.example.com/health' }, 'file'),
    );
    expect(asked(checksOfProject(given, ['example.com']))).toEqual(['https://example.com/a']);
    const fixed = placed(check({ url: 'https://www.example.com/' }, 'inputs'));
    expect(asked(checksOfProject(fixed, ['example.com']))).toEqual([]);
  });
});
