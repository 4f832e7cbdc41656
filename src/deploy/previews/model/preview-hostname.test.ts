import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { runs } from '../../../../test/support/exhaustive.ts';
import { sha } from '../../../contract/commit.ts';
import { hostname as hostnameShape } from '../../../contract/connected-domain.ts';
import { hostnameMatcher, previewHostname } from './preview-hostname.ts';

const values = {
  number: 7,
  branch: 'main',
  commit: sha('a'.repeat(40)),
  owner: 'Octo-Org',
  repo: 'site',
};

const branchName = fc.oneof(
  fc.string({ minLength: 1, maxLength: 200 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }),
  fc.stringMatching(/^[A-Za-z0-9/._-]{1,200}$/),
);

describe('a preview hostname', () => {
  it.each([
    ['pr-{number}.preview.example.com', {}, 'pr-7.preview.example.com'],
    ['{branch}.example.com', { branch: 'topic' }, 'topic.example.com'],
    ['{owner}-{repo}-{number}.example.com', {}, 'octo-org-site-7.example.com'],
    ['www.example.com', {}, 'www.example.com'],
    ['PR-{number}.Example.COM', {}, 'pr-7.example.com'],
    ['{sha}.example.com', {}, `${'a'.repeat(40)}.example.com`],
  ])('%s', (template, fields, hostname) => {
    expect(previewHostname(template, { ...values, ...fields })).toBe(hostname);
  });

  it.each([
    ['{number}'],
    ['-{number}.example.com'],
    ['a..b'],
    ['pr_{number}.example.com'],
    ['é.com'],
  ])('does not come of %s', (template) => {
    expect(previewHostname(template, values)).toBeUndefined();
  });

  test('of any branch is valid, stable, and that of no other branch', () => {
    fc.assert(
      fc.property(branchName, branchName, (one, other) => {
        const template = '{branch}.preview.example.com';
        const [a, again, b] = [one, one, other].map((branch) =>
          previewHostname(template, { ...values, branch }),
        );
        expect(hostnameShape.safeParse(a).success).toBe(true);
        for (const label of a?.split('.') ?? []) {
          expect(label).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
        }
        expect(again).toBe(a);
        expect(a === b).toBe(one === other);
      }),
      runs(50),
    );
  });

  it.each(['Feature', 'feature/a', 'feature-a', 'feature_a', 'feature.a', 'féature', '🚀', 'a--b'])(
    'of "%s" differs from that of its look-alikes',
    (branch) => {
      const all = ['feature', 'Feature', 'feature/a', 'feature-a', 'feature_a', 'feature.a'];
      const names = [...new Set([...all, 'féature', '🚀', 'a--b', 'a-b', branch])].map((name) =>
        previewHostname('{branch}.example.com', { ...values, branch: name }),
      );
      expect(new Set(names).size).toBe(names.length);
    },
  );

  it('of a branch that is called like another one with its hash differs, too', () => {
    const of = (branch: string) => previewHostname('{branch}.example.com', { ...values, branch });
    const [label = ''] = (of('a/b') ?? '').split('.');
    expect(of(label)).not.toBe(of('a/b'));
  });

  it.each([
    ['{branch}-pr{number}.example.com', 'x'.repeat(60)],
    ['pr-{number}-{branch}.example.com', 'y/'.repeat(80)],
    ['{number}.{branch}.example.com', 'z'.repeat(200)],
  ])('%s keeps its number, and is recognised, however long the branch is', (template, branch) => {
    const hostname = previewHostname(template, { ...values, branch }) ?? '';
    expect(hostnameMatcher(template, values).numberOf(hostname)).toBe(7);
  });

  it('is cut with a hash where the label or the whole would be too long', () => {
    const branch = 'x'.repeat(200);
    const template = `pr-{number}-{branch}.${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`;
    const hostname = previewHostname(template, { ...values, branch }) ?? '';
    expect(hostname.length).toBeLessThanOrEqual(253);
    expect(hostname).toMatch(/^pr-7-x+-[0-9a-f]{6}\./);
  });
});

describe('the matcher of a template', () => {
  it.each([
    ['pr-{number}.example.com', 'pr-12.example.com', 12],
    ['pr-{number}.example.com', 'pr-12.example.org', undefined],
    ['pr-{number}.example.com', 'pr-12.other.example.com', undefined],
    ['pr-{number}.example.com', 'pr-012.example.com', undefined],
    ['pr-{number}.example.com', 'pr-12xexample.com', undefined],
    ['{number}.{owner}-{number}.com', '7.octo-org-7.com', 7],
    ['{number}.{owner}-{number}.com', '7.octo-org-8.com', undefined],
    ['{branch}-{number}.example.com', 'any-thing-3.example.com', 3],
  ])('%s reads %s as %j', (template, hostname, number) => {
    const matcher = hostnameMatcher(template, values);
    expect(matcher.numberOf(hostname)).toBe(number);
    expect(matcher.matches(hostname)).toBe(number !== undefined);
  });

  test('recognises every hostname that its template gives', () => {
    const numbers = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(numbers, branchName, (number, branch) => {
        for (const template of ['pr-{number}.example.com', '{number}-{repo}.p.example.com']) {
          const hostname = previewHostname(template, { ...values, number, branch }) ?? '';
          expect(hostnameMatcher(template, values).numberOf(hostname)).toBe(number);
        }
      }),
    );
  });
});
