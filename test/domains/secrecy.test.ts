import { describe, expect, it } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import {
  closeDomains,
  renderDomainsComment,
  renderDomainsSummary,
} from '../../src/domains/render.ts';
import type { DomainsReport } from '../../src/domains/result.ts';
import { logEntries } from '../../src/step/open-service.ts';
import { type ReadReport, textOf } from '../support/read-report.ts';
import { startWorld, type World } from '../support/world.ts';
import { runDomains } from './run.ts';

const shell = {
  marker: { key: 'k', runId: '1', runAttempt: '1' },
  runUrl: 'https://github.example/run',
};

/** Everything that a run tells people, as they get it but for the log's last step. */
function tellings(
  world: World,
  { whole: report }: ReadReport<DomainsReport>,
): Record<string, string> {
  return {
    report: JSON.stringify(report),
    summary: renderDomainsSummary(report),
    comment: renderDomainsComment(report, shell),
    closing: closeDomains(report),
    log: world.told.flatMap((one) => logEntries(one).map(textOf)).join('\n'),
  };
}

const site = {
  'connected-domains': { 'www.example.com': { project: 'self' } },
  'registered-domains': {
    'example.com': {
      renewal: true,
      dns: [
        { type: 'TXT', name: '@', content: 'new' },
        { type: 'A', name: 'www', content: '203.0.113.10' },
      ],
    },
  },
};

describe.concurrent('the API key', () => {
  it.each<readonly [string, string, object]>([
    ['the content of a record that is updated', '@', site],
    ['the content of a record that is left in place', 'other', site],
    [
      'the content of a record that is in the way',
      'www',
      {
        'registered-domains': {
          'example.com': { dns: [{ type: 'CNAME', name: 'www', content: 'a.example' }] },
        },
      },
    ],
  ])('is in nothing that a run tells, where it is %s', async (_, name, declared) => {
    await using world = await startWorld();
    const { emulator } = world;
    emulator.world.registerDomain('example.com');
    const content = `key=${emulator.key}`;
    emulator.world.registered.get('example.com').zone.put({ type: 'TXT', name, content });
    for (const planOnly of [true, false]) {
      const report = await runDomains(world, declared, { planOnly });
      for (const [where, text] of Object.entries(tellings(world, report))) {
        expect(text, where).not.toContain(emulator.key);
      }
    }
  });

  it('is in nothing that a run tells, where it is a reason or a field of an availability', async () => {
    await using world = await startWorld();
    const { key } = world.emulator;
    world.emulator.faults.add({
      operation: 'checkDomains',
      kind: 'status',
      status: 200,
      body: JSON.stringify({
        results: [
          { name: 'a.com', registrable: false, reason: `no, ${key}`, detail: { keys: [key] } },
        ],
      }),
      effect: false,
    });
    const report = await runDomains(world, {}, { check: ['a.com'] });
    expect(report.availability).toMatchObject([{ result: { registrable: false } }]);
    for (const [where, text] of Object.entries(tellings(world, report))) {
      expect(text, where).not.toContain(key);
    }
  });

  it.each([
    'listConnectedDomains',
    'listDnsRecords',
    'connectDomain',
    'assignDomain',
    'createDnsRecord',
    'updateDnsRecord',
    'setRenewal',
  ])('is in nothing that a run tells, where %s echoes it in its refusal', async (operation) => {
    await using world = await startWorld();
    const { emulator } = world;
    emulator.world.registerDomain('example.com');
    emulator.world.registered
      .get('example.com')
      .zone.put({ type: 'A', name: 'www', content: '203.0.113.9' });
    const handle = emulator.faults.add({
      operation,
      kind: 'status',
      status: 422,
      body: JSON.stringify({ error: { code: 'bad', message: `You sent ${emulator.key}.` } }),
      effect: false,
    });
    const report = await runDomains(world, site);
    expect(handle.fired).toBe(1);
    expect(report.outcome).toBe('failed');
    expect(report.error).toContain('You sent');
    for (const [where, text] of Object.entries(tellings(world, report))) {
      expect(text, where).not.toContain(emulator.key);
    }
  });
});

describe.concurrent('a value that the site file itself has in a record', () => {
  const token = 'not-a-real-token-0123456789';
  const declared = (content: string) => ({
    'registered-domains': {
      'example.com': {
        dns: [{ type: 'TXT', name: '@', content, replaces: `${content}-old` }],
      },
    },
  });

  it.each([
    ['whole', token],
    ['where it is cut', `${'x'.repeat(70)}${token}`],
  ])('and that is a secret is in nothing that a run tells: %s', async (_, content) => {
    await using world = await startWorld({ secrets: [token] });
    world.emulator.world.registerDomain('example.com');
    world.emulator.world.registered.get('example.com').zone.put({
      type: 'TXT',
      name: '@',
      content: `${content}-old`,
    });
    for (const planOnly of [true, false]) {
      const report = await runDomains(world, declared(content), { planOnly });
      expect(report.changes).toMatchObject([{ action: 'update' }]);
      for (const [where, text] of Object.entries(tellings(world, report))) {
        expect(text, where).not.toContain('not-a-real');
        if (where !== 'closing') expect(text.replaceAll('&#42;', '*'), where).toContain('***');
      }
    }
  });
});

const hostile =
  '</details><script>alert(1)</script> | @octocat #1 [link](https://evil.example) \u001b[31m\r::error::pwned \u202etxt';

/** Characters that do something in a terminal, or to the order of a text. */
const controls = /[[\p{Cc}\p{Cf}]--[\n\u200d]]/v;

const dialect: DialectOptions = {
  hostileText: hostile,
  domainEnds: 'failure',
  revalidation: 'advances',
  unassigned: 'absent',
};

/** Without its blocks of code, in which nothing has any effect: each ends with the run of backticks that began it. */
const outsideBlocks = (text = ''): string => text.replace(/^(`{3,})\w+\n[\s\S]*?\n\1$/gm, '');

/** Markup, mentions, references, links and commands. */
const active = /<script|<\/details><|@octocat|#1\b|\]\(https:\/\/evil|^::/m;

describe.concurrent('hostile text of the service', () => {
  it('in records, reasons, statuses, DNS instructions and errors has no effect in what a run tells', async () => {
    await using world = await startWorld({ dialect });
    const { emulator } = world;
    emulator.world.registerDomain('example.com');
    emulator.world.registered
      .get('example.com')
      .zone.put({ type: 'TXT', name: '@', content: hostile });
    emulator.world.registered
      .get('example.com')
      .zone.put({ type: 'TXT', name: 'kept', content: hostile });
    const report = await runDomains(world, site, { follow: 60_000 });
    expect(report.connected[0]?.errors).toHaveLength(2);
    const { report: json = '', log = '', ...pages } = tellings(world, report);
    expect(json).not.toMatch(/\\[ru]/);
    for (const [where, text] of Object.entries({ log, ...pages })) {
      expect(text, where).not.toMatch(controls);
      expect(where === 'log' ? '' : outsideBlocks(text), where).not.toMatch(active);
    }
    expect(log).not.toMatch(/^::/m);
    // It is shown, so that somebody can see what is there.
    expect(pages['summary']).toContain('alert');
    expect(pages['summary']).toContain('pwned');
  });

  it('in a refusal, and in why a plan cannot be applied, has none either', async () => {
    await using world = await startWorld({ dialect: { ...dialect, refuse: ['createDnsRecord'] } });
    const { emulator } = world;
    emulator.world.registerDomain('example.com');
    const refused = await runDomains(world, site);
    const managed = {
      'registered-domains': {
        'example.com': { dns: [{ type: 'NS', name: '@', content: 'ns1.other.example' }] },
      },
    };
    const impossible = await runDomains(world, managed);
    for (const report of [refused, impossible]) {
      expect(report.outcome).toBe('failed');
      expect(report.error).toContain('alert(1)');
      const { summary, comment } = tellings(world, report);
      expect(outsideBlocks(summary)).not.toMatch(active);
      expect(outsideBlocks(comment)).not.toMatch(active);
    }
  });
});
