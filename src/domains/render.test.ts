import { describe, expect, it } from 'vitest';
import { diagnose } from '../kernel/diagnostic.ts';
import { safe, unsafeText } from '../kernel/text/safe.ts';
import { planInSummary } from '../report/plan.ts';
import {
  closeDomains,
  countResults,
  renderDomains,
  renderDomainsComment,
  renderDomainsSummary,
} from './render.ts';
import type { ChangeResult, ConnectedReport, DomainsReport, ListedRecord } from './result.ts';

const empty: DomainsReport = {
  outcome: 'synced',
  isPlanned: false,
  digest: '',
  changes: [],
  results: [],
  unchanged: 0,
  connected: [],
  undeclared: [],
  notices: [],
  managed: [],
  availability: [],
  requests: 1,
  durationMs: 1500,
};
const report = (fields: Partial<DomainsReport>): DomainsReport => ({ ...empty, ...fields });

const result = (name: string, fields: Partial<ChangeResult> = {}): ChangeResult => ({
  resource: 'dns-record',
  name: unsafeText(name),
  action: 'create',
  outcome: 'done',
  reason: unsafeText('new'),
  ...fields,
});

const pending: ConnectedReport = {
  hostname: unsafeText('www.example.com'),
  projectId: unsafeText('p'),
  verification: 'pending',
  state: unsafeText('pending'),
  statuses: [{ of: 'state', status: unsafeText('pending') }],
  records: [
    {
      type: unsafeText('TXT'),
      name: unsafeText('a'),
      value: unsafeText('b'),
      purpose: unsafeText('ownership'),
      required: true,
    },
  ],
  errors: [unsafeText('not found')],
};

const listed = (name: string): ListedRecord => ({
  domain: unsafeText('example.com'),
  type: unsafeText('TXT'),
  name: unsafeText(name),
  content: unsafeText('text'),
  managed: unsafeText(''),
  whole: { type: 'TXT', name, content: 'text' },
});

/** Markdown as it is read: with its entities decoded. */
const read = (text: string): string =>
  text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
const page = (fields: Partial<DomainsReport>, most = 150): string =>
  read(renderDomains(report(fields), { most, ...planInSummary }).join('\n\n'));

describe('a run in one line', () => {
  it.each<readonly [string, Partial<DomainsReport>, string]>([
    ['nothing declared', { digest: 'abc' }, 'nothing declared'],
    ['not come so far', {}, 'nothing was planned'],
    ['nothing to do', { unchanged: 3 }, '3 unchanged'],
    [
      'some of each',
      {
        unchanged: 1,
        results: [
          result('a'),
          result('b'),
          result('c', { outcome: 'not-reached' }),
          result('d', { outcome: 'unconfirmed' }),
        ],
      },
      '2 done, 1 not reached, 1 unconfirmed, 1 unchanged',
    ],
    [
      'settings, which are no changes',
      {
        results: [
          result('a', { outcome: 'planned' }),
          ...['b', 'c'].map((name) =>
            result(name, { resource: 'registered-domain', outcome: 'planned' }),
          ),
          result('d', { resource: 'registered-domain', outcome: 'failed' }),
        ],
      },
      '1 planned, 2 settings planned, 1 setting failed',
    ],
  ])('%s', (_, fields, counts) => {
    expect(countResults(report(fields))).toBe(counts);
    expect(closeDomains(report(fields))).toBe(`Synced in 1.5s · domains: ${counts}`);
  });
});

describe('the body of a summary', () => {
  it('has no section without content', () => {
    const text = page({ requests: 0 });
    expect(text).toBe('nothing was planned');
  });

  it('has a row for each change, in words', () => {
    const text = page({
      digest: 'abc',
      results: [
        result('A a "1"'),
        result('B', { resource: 'connected-domain', action: 'assign', outcome: 'failed' }),
        result('C', {
          resource: 'registered-domain',
          action: safe`renewal on`,
          outcome: 'not-reached',
        }),
      ],
    });
    expect(text).toContain('- Digest of the plan: <code>abc</code>');
    expect(text).toContain('| Resource | Name | Result | Why |');
    expect(text).toContain('| DNS record | <code>A a "1"</code> | created | new |');
    expect(text).toContain('| connected domain | <code>B</code> | assign: failed |');
    expect(text).toContain('| registered domain | <code>C</code> | renewal on: not reached |');
  });

  it('lists the records to make of domains that are not verified, and of no others', () => {
    const text = page({
      connected: [
        pending,
        { ...pending, hostname: unsafeText('good.example.com'), verification: 'good' },
        { ...pending, hostname: unsafeText('bad.example.com'), verification: 'bad', records: [] },
      ],
    });
    expect(text).toContain('<code>www.example.com</code> is not verified yet (state pending).');
    expect(text).toContain('- not found');
    expect(text).toContain(
      '<code>TXT</code> record for ownership. Name:\n\n```text\na\n```\n\nValue:\n\n```text\nb\n```',
    );
    expect(text).toContain('<code>bad.example.com</code> failed its verification');
    expect(text).not.toContain('good.example.com');
    expect(text.match(/Create these DNS records/g)).toHaveLength(1);
  });

  it('shows ten records of a domain, none of them cut, and says what it leaves out', () => {
    const records = Array.from({ length: 12 }, (_, index) => ({
      type: unsafeText('TXT'),
      name: unsafeText(`n${index}`),
      value: unsafeText(`v${index}-${'x'.repeat(990)}`),
      purpose: unsafeText('ownership'),
      required: true,
    }));
    const text = page({ connected: [{ ...pending, records }] });
    expect(text).toContain(`\`\`\`text\nv9-${'x'.repeat(990)}\n`);
    expect(text).not.toContain('v10-');
    expect(text).toContain('… and 2 more records; see the output domains');
  });

  it('leaves domains out that would not fit, and says so', () => {
    const [type, name, purpose] = [unsafeText('TXT'), unsafeText('a'), unsafeText('')];
    const record = { type, name, value: unsafeText('<'.repeat(1000)), purpose, required: true };
    const connected = Array.from({ length: 20 }, () => ({ ...pending, records: [record] }));
    const page20 = { most: 20, space: 10_000, elsewhere: '' };
    const body = renderDomains(report({ connected }), page20).join('\n\n');
    expect(body.length).toBeLessThan(11_000);
    expect(read(body)).toMatch(/… and \d+ more domains; see the output domains/);
  });

  it('has a row for each checked name, with its price or its reason', () => {
    const row = { registrable: true, price: 13.05, renewalPrice: undefined, premium: true };
    const no = { registrable: false, price: undefined, renewalPrice: undefined, premium: false };
    const text = page({
      availability: [
        { name: 'a.com', ...row, reason: unsafeText('') },
        { name: 'b.com', ...no, reason: unsafeText('taken') },
      ],
    });
    expect(text).toContain('Nothing was bought.');
    expect(text).toContain('| <code>a.com</code> | yes | 13.05 USD, premium | unknown |  |');
    expect(text).toContain('| <code>b.com</code> | no |  |  | taken |');
    expect(text).not.toMatch(/^\| .*\|\s+\|.*\n\| :---/m);
  });

  it('folds what is left in place, and what is managed', () => {
    const text = page({
      undeclared: [listed('one')],
      managed: [{ ...listed('two'), managed: unsafeText('it leads here') }],
    });
    expect(text).toContain('<summary>Records only on the service, kept: 1</summary>');
    expect(text).toContain('<code>TXT one</code>');
    expect(text).toContain('<summary>Records managed by the service: 1</summary>');
    expect(text).toContain('| it leads here |');
  });

  it('lists what to change in the file', () => {
    const text = page({ notices: [unsafeText('A www: ttl: it stays')] });
    expect(text).toContain('- A www: ttl: it stays');
  });

  it('begins with what went wrong', () => {
    expect(
      page({ outcome: 'failed', error: diagnose('SD9003', unsafeText('It failed.')) }),
    ).toMatch(/^> It failed\./);
  });
});

describe('long lists', () => {
  const many = Array.from({ length: 400 }, (_, index) => `name-${index}`);
  const long: Partial<DomainsReport> = {
    results: many.map((name) => result(name)),
    undeclared: many.map(listed),
    managed: many.map(listed),
    notices: many.map(unsafeText),
    connected: many.map((hostname) => ({ ...pending, hostname: unsafeText(hostname) })),
    availability: many.map((name) => ({
      name,
      registrable: false,
      price: undefined,
      renewalPrice: undefined,
      premium: false,
      reason: unsafeText(''),
    })),
  };

  it('are cut, and say by how much', () => {
    const text = page(long, 10);
    expect(text.match(/… and 390 more/g)).toHaveLength(6);
    expect(text).toContain('name-9<');
    expect(text).not.toContain('name-10<');
  });

  it('fit in a summary, and in a comment that is whole', () => {
    expect(renderDomainsSummary(report(long)).length).toBeLessThan(1024 * 1024);
    const marker = { key: 'k', runId: '1', runAttempt: '1' };
    const without = { marker, runUrl: 'not a url/o/r/actions/runs/1' };
    expect(renderDomainsComment(report({}), without)).toMatch(/<sub>Log of the run<\/sub>$/);
    const comment = renderDomainsComment(report(long), { marker, runUrl: 'https://run.example' });
    expect(comment.length).toBeLessThan(60_000);
    expect(comment.endsWith('</sub>')).toBe(true);
  });
});

describe('the title of a comment', () => {
  const marker = { key: 'k', runId: '1', runAttempt: '1' };
  const title = (fields: Partial<DomainsReport>) =>
    read(renderDomainsComment(report(fields), { marker, runUrl: 'https://run.example' })).split(
      '\n',
    )[2];
  const change = {
    type: 'domain',
    resource: 'dns-record',
    name: unsafeText('a'),
    action: 'create',
    reason: unsafeText(''),
    domain: unsafeText('example.com'),
    record: { type: unsafeText('A'), name: unsafeText('a'), content: unsafeText('203.0.113.10') },
  } as const;

  it.each<readonly [string, Partial<DomainsReport>, string]>([
    ['an empty plan', { outcome: 'planned', isPlanned: true }, '### 📋 Domains: nothing to change'],
    [
      'a plan',
      { outcome: 'planned', isPlanned: true, changes: [change] },
      '### 📋 Domains: 1 to add',
    ],
    ['a plan that cannot be', { outcome: 'failed', isPlanned: true }, '### ❌ Domains: failed'],
    [
      'an apply',
      {
        results: [
          result('a'),
          result('b'),
          result('c', { resource: 'registered-domain' }),
          result('d', { outcome: 'not-reached' }),
        ],
      },
      '### ✅ Domains: 2 changes made, 1 setting set',
    ],
    ['an apply of nothing', { unchanged: 2 }, '### ✅ Domains: nothing changed'],
    [
      'an apply whose domain waits',
      { results: [result('a')], connected: [pending] },
      '### ⏳ Domains: 1 change made, 1 domain not verified',
    ],
    [
      'an apply whose domain may be verified',
      { connected: [pending, { ...pending, verification: 'unclear' }] },
      '### ⚠️ Domains: nothing changed, 2 domains not verified',
    ],
    [
      'an apply whose domains are good, or serve nobody',
      {
        connected: [
          { ...pending, projectId: unsafeText('') },
          { ...pending, verification: 'good' },
        ],
      },
      '### ✅ Domains: nothing changed',
    ],
    [
      'an apply that failed',
      { outcome: 'failed', results: [result('a'), result('b', { outcome: 'failed' })] },
      '### ❌ Domains: 1 of 2 writes failed',
    ],
    [
      'an apply that nothing shows',
      { outcome: 'unconfirmed', results: [result('a', { outcome: 'unconfirmed' })] },
      '### ❓ Domains: 1 of 1 write unconfirmed',
    ],
    [
      'a check of names',
      {
        availability: [
          {
            name: 'a.com',
            registrable: false,
            price: undefined,
            renewalPrice: undefined,
            premium: false,
            reason: unsafeText('taken'),
          },
        ],
      },
      '### ✅ Domains: 1 name checked',
    ],
  ])('of %s', (_, fields, expected) => {
    expect(title(fields)).toBe(expected);
  });
});
