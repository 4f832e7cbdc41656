import { describe, expect, it } from 'vitest';
import { decode } from '../../test/support/report/decode.ts';
import { renderDomainsComment, renderDomainsSummary } from '../domains/render.ts';
import { type DomainsReport, emptyReport } from '../domains/result.ts';
import type { PlannedChange } from '../kernel/change.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import { type PlanGroup, planInComment, renderPlan } from './plan.ts';

const group = (title: string, ...lines: PlanGroup['lines']): PlanGroup => ({
  title: unsafeText(title),
  lines,
});
const line = (text: string, why?: string): PlanGroup['lines'][number] => ({
  sign: '~',
  text: unsafeText(text),
  ...(why !== undefined && { why: unsafeText(why) }),
});

describe('a plan', () => {
  it('is a block of coloured lines, by domain', () => {
    const groups = [group('a.example', { ...line('x'), sign: '+' }), group('b.example', line('y'))];
    expect(renderPlan(groups, planInComment)).toEqual([
      '```diff\n@@ a.example @@\n+ x\n\n@@ b.example @@\n~ y\n```',
    ]);
  });

  it('shows a short reason in the next line, and a long or repeated one once below', () => {
    const groups = [group('a', line('x', 'often'), line('y', 'once'), line('z', 'often'))];
    const [block, below] = renderPlan(groups, planInComment);
    expect(block).toContain('~ x  [1]\n~ y\n  # once\n~ z  [1]\n');
    expect(below).toBe('- [1] often');
    const why = Array.from({ length: 12 }, () => 'reason').join(' ');
    const [long, reasons] = renderPlan([group('a', line('x', why))], planInComment);
    expect(long).toContain('~ x  [1]\n');
    expect(reasons).toBe(`- [1] ${why}`);
  });

  it('is nothing where nothing changes', () => {
    expect(renderPlan([group('a')], planInComment)).toEqual([]);
  });

  it('that is too long is cut by whole groups, and says which are left out', () => {
    const groups = ['a', 'b', 'c'].map((title) => group(title, line('x'.repeat(40))));
    const parts = renderPlan(groups, { space: 130, elsewhere: 'elsewhere' });
    expect(parts[0]).toContain('@@ b @@');
    expect(parts[0]).not.toContain('@@ c @@');
    expect(parts.at(-1)).toBe('… and 1 more line, elsewhere: <code>c</code> (1)');
  });

  it('whose first group alone is too long is cut in that one', () => {
    const many = Array.from({ length: 30 }, (_, index) => line(`line-${index}`));
    const parts = renderPlan([group('a', ...many)], { space: 100, elsewhere: 'elsewhere' });
    expect(parts[0]).toContain('line-0\n');
    expect(parts.at(-1)).toMatch(/^… and \d+ more lines, elsewhere$/);
  });

  it('cannot be ended by what it holds', () => {
    const hostile = '``` </details> @octocat ````';
    const [block = ''] = renderPlan([group('a', line(hostile))], planInComment);
    expect(block).toBe(`\`\`\`\`\`diff\n@@ a @@\n~ ${hostile}\n\`\`\`\`\``);
  });
});

/** A plan of 60 domains with 60 records each, of which one field of each changes. */
function largest(content: string): DomainsReport {
  const changes = Array.from(
    { length: 3600 },
    (_, index): PlannedChange => ({
      type: 'domain',
      resource: 'dns-record',
      name: unsafeText(`A n${index % 60}`),
      action: 'update',
      reason: unsafeText(''),
      domain: unsafeText(`domain-${String(Math.floor(index / 60)).padStart(2, '0')}.example`),
      record: {
        type: unsafeText('A'),
        name: unsafeText(`n${index % 60}`),
        content: unsafeText(content),
      },
      differences: [{ field: 'content', from: unsafeText('203.0.113.1'), to: unsafeText(content) }],
    }),
  );
  const report = { ...emptyReport(), outcome: 'planned' as const, isPlanned: true };
  return { ...report, digest: 'abc', changes, requests: 61, durationMs: 1000 };
}

const context = {
  marker: { key: 'k', runId: '1', runAttempt: '1' },
  runUrl: 'https://run.example',
};

describe('a plan of 60 domains with 60 records each', () => {
  it('is in a comment as many whole domains as fit, and says where the rest is', () => {
    const comment = decode(renderDomainsComment(largest('203.0.113.2'), context));
    expect(comment.length).toBeLessThan(60_000);
    expect(comment).toMatch(/^### 📋 Domains: 3600 to change$/m);
    const shown = comment.match(/^@@ .* @@$/gm) ?? [];
    expect(shown.length).toBeGreaterThan(3);
    expect(comment.match(/^~ /gm)).toHaveLength(shown.length * 60);
    const rest = (60 - shown.length) * 60;
    expect(comment).toContain(
      `… and ${rest} more lines, in the summary of the run and in the output`,
    );
    expect(comment.endsWith('</sub>')).toBe(true);
  });

  it('is whole in the summary', () => {
    const summary = renderDomainsSummary(largest('203.0.113.2'));
    expect(summary.match(/^~ /gm)).toHaveLength(3600);
    expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024);
  });

  it('of hostile values is cut all the same, and its block is closed', () => {
    const comment = renderDomainsComment(largest('`'.repeat(300)), context);
    expect(comment.length).toBeLessThan(60_000);
    const [, mark = ''] = /^(`{3,})diff$/m.exec(comment) ?? [];
    expect(comment.split('\n').filter((one) => one === mark)).toHaveLength(1);
    expect(comment.endsWith('</sub>')).toBe(true);
  });
});
