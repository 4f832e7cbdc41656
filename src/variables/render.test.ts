import { describe, expect, test } from 'vitest';
import { environmentResult, variableResult } from '../../test/support/report/builders.ts';
import { decode } from '../../test/support/report/decode.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import { renderEnvironment } from './render.ts';
import type { EnvironmentResult } from './result.ts';

const render = (fields: Partial<EnvironmentResult>) =>
  renderEnvironment(environmentResult(fields)).join('\n\n');

/** The rows of its tables, without their heads, as a reader sees them. */
const rowsOf = (markdown: string) =>
  decode(markdown)
    .split('\n')
    .filter((line) => line.startsWith('| <code>'));

const everything: Partial<EnvironmentResult> = {
  variables: [
    variableResult('A', 'created', { targets: { preview: false, production: true } }),
    variableResult('B', 'replaced'),
    variableResult('C', 'replaced', { retargeted: true }),
    variableResult('D', 'retargeted', { retargeted: true }),
    variableResult('E', 'unchanged'),
    variableResult('F', 'kept'),
    variableResult('G', 'conflict'),
    variableResult('H', 'failed'),
    variableResult('I', 'not-reached'),
    variableResult('J', 'deleted'),
  ],
  ambiguous: [{ name: unsafeText('K'), reason: unsafeText('twice') }],
  undeclared: [unsafeText('L'), unsafeText('M')],
  requiredMissing: [unsafeText('M')],
};

test('a sync: what needs a look comes first, what did not change is folded and comes last', () => {
  const markdown = render(everything);
  expect(markdown).toContain('| Variable | Result |');
  expect(rowsOf(markdown)).toEqual([
    '| <code>K</code> | conflict: twice |',
    '| <code>M</code> | missing: required by the service, no known value |',
    '| <code>G</code> | conflict: because |',
    '| <code>H</code> | failed: because |',
    '| <code>I</code> | not reached: because |',
    '| <code>F</code> | kept: because |',
    '| <code>A</code> | created for production: because |',
    '| <code>B</code> | replaced: because |',
    '| <code>C</code> | replaced, retargeted: because |',
    '| <code>D</code> | retargeted: because |',
    '| <code>J</code> | deleted: because |',
    '| <code>L</code> | only on the service, kept |',
    '| <code>E</code> | because |',
  ]);
  expect(markdown).toContain('<details><summary>1 unchanged</summary>\n\n| Variable | Why |');
});

test('a plan says what would happen, never that it did', () => {
  const markdown = render({ ...everything, isPlanned: true });
  expect(markdown).not.toMatch(/created|replaced|retargeted|deleted|Result/);
  const lines = markdown.split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      '```diff',
      '+ A',
      '~ C  value would be written, new targets  [2]',
      '~ D  new targets  [2]',
      '! F  kept  [2]',
      '- J  [2]',
      '! K  conflict',
      '  # twice',
      '- [2] because',
    ]),
  );
});

test('of nothing at all nothing is told', () => {
  expect(render({ runtime: { stale: true, pending: true } })).toBe('');
});

describe('a table of many rows', () => {
  const many = (count: number, outcome: 'failed' | 'unchanged') =>
    Array.from({ length: count }, (_, index) => variableResult(`V${index}`, outcome));

  test.each([
    ['200 rows are all shown', 200, 200, undefined],
    ['of 201 rows the last is left out', 201, 200, '… and 1 more'],
    ['of 5000 rows most are left out', 5000, 200, '… and 4800 more'],
  ])('%s', (_name, count, shown, more) => {
    for (const outcome of ['failed', 'unchanged'] as const) {
      const markdown = render({ variables: many(count, outcome) });
      expect(rowsOf(markdown)).toHaveLength(shown);
      expect(/… and .* more/.exec(markdown)?.[0]).toBe(more);
    }
  });

  test('what went wrong is not cut off in favour of what is only left in place', () => {
    const undeclared = Array.from({ length: 300 }, (_, index) => unsafeText(`U${index}`));
    const shown = rowsOf(render({ undeclared, variables: many(150, 'failed') }));
    expect(shown.filter((row) => row.includes('failed'))).toHaveLength(150);
  });

  test('is far below the 1 MiB that a summary may have, though every character is escaped', () => {
    const name = unsafeText('_'.repeat(128));
    const reason = unsafeText('"'.repeat(500));
    const rows = (outcome: 'failed' | 'unchanged') =>
      many(1000, outcome).map((one) => ({ ...one, name, reason }));
    const markdown = render({
      variables: [...rows('failed'), ...rows('unchanged')],
      ambiguous: Array.from({ length: 1000 }, () => ({ name, reason })),
      undeclared: Array.from({ length: 1000 }, () => name),
    });
    expect(Buffer.byteLength(markdown)).toBeLessThan(1_048_576);
  });
});

test('no text from outside does anything', () => {
  const hostile =
    '</code>|<img src=x>\n# @octocat #12 ![a](https://a.example) `x` <!-- \u202e</details>';
  const markdown = render({
    variables: [
      variableResult(hostile, 'failed', { reason: unsafeText(hostile) }),
      variableResult(hostile, 'unchanged', { reason: unsafeText(hostile) }),
    ],
    ambiguous: [{ name: unsafeText(hostile), reason: unsafeText(hostile) }],
    undeclared: [unsafeText(hostile), unsafeText(`${hostile}2`)],
    requiredMissing: [unsafeText(hostile)],
  });
  expect(markdown).not.toMatch(/<img|<!--|!\[|@octocat|[^&]#12|https:|`x`|\n# |\u202e/);
  expect(markdown.match(/<\/details>/g)).toHaveLength(1);
  const rows = markdown.split('\n').filter((line) => line.startsWith('| '));
  expect(rows).toHaveLength(9);
  for (const row of rows) expect([4, 5]).toContain(row.split('|').length);
});

test('a conflict is never cut, however many others there are', () => {
  const many = Array.from({ length: 300 }, (_, index) => variableResult(`A_${index}`, 'created'));
  const markdown = render({ variables: [...many, variableResult('ZZZ', 'conflict')] });
  expect(rowsOf(markdown)[0]).toContain('ZZZ');
});

test.each([
  ['a sync', {}, {}, true],
  ['a sync before a deployment, which may change it', {}, { isDeployed: true }, false],
  ['a plan, of which nothing is written', { isPlanned: true }, {}, false],
])('whether variables are in use is told after %s', (_name, fields, view, isTold) => {
  const runtime = { stale: true, pending: false };
  const result = environmentResult({ ...everything, runtime, ...fields });
  expect(renderEnvironment(result, view).join().includes('take effect')).toBe(isTold);
});
