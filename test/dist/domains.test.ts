import { describe, expect, it } from 'vitest';
import { describeOutputs } from '../../src/outputs.ts';
import { contentsOf, startDomains } from '../support/domains.ts';
import { readable } from './run-step.ts';

const outputNames = Object.keys(describeOutputs('domains')).sort();
const json = (text: string | undefined): unknown => JSON.parse(text ?? '');

const site = {
  'connected-domains': { 'www.example.com': { project: 'self' } },
  'registered-domains': {
    'example.com': { renewal: true, dns: [{ type: 'A', name: 'www', content: '203.0.113.10' }] },
  },
};

describe.concurrent('an apply', () => {
  it('tells what is still to be made elsewhere, and what was left in place', async () => {
    await using world = await startDomains({ domainEnds: 'never' });
    const { emulator, project } = world;
    emulator.world.registerDomain('example.com');
    emulator.world.registered
      .get('example.com')
      .zone.put({ type: 'TXT', name: 'old', content: 'stays' });
    const result = await world.run(site, { inputs: { wait: '1s' } });
    expect(result.conclusion).toBe('success');
    expect(result.outputs).toMatchObject({ outcome: 'synced', drift: 'false', error: '' });
    expect(Object.keys(result.outputs).sort()).toEqual(outputNames);
    expect(json(result.outputs['domains'])).toMatchObject([
      {
        hostname: 'www.example.com',
        'project-id': project.id,
        verification: 'pending',
        statuses: expect.arrayContaining([{ of: 'certificate', status: 'pending' }]),
        records: [
          { type: 'CNAME', name: 'www.example.com', value: 'connect.sites.example' },
          { type: 'TXT', name: '_site-ownership.www.example.com' },
          { type: 'CNAME', required: false },
        ],
      },
    ]);
    expect(json(result.outputs['undeclared'])).toMatchObject([{ name: 'old', content: 'stays' }]);
    const page = result.summary.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(code));
    expect(page).toContain('Create these DNS records at your DNS provider:');
    expect(page).toContain('```text\nconnect.sites.example\n```');
    expect(result.annotations.map(({ message }) => message).join()).toContain('Not verified');
    expect(contentsOf(emulator, 'example.com')).toEqual(['A www 203.0.113.10', 'TXT old stays']);
  });

  it('that checks 45 names has a row for each, in the order asked', async () => {
    await using world = await startDomains({ resultOrder: 'shuffled', checkedNames: 'lower-case' });
    const names = Array.from({ length: 45 }, (_, index) =>
      index % 2 === 0 ? `Site-${index}.com` : `taken-${index}.com`,
    );
    const { outputs, summary } = await world.run({}, { inputs: { check: names.join('\n') } });
    expect(outputs).toMatchObject({ outcome: 'synced', requests: '3' });
    expect(json(outputs['availability'])).toEqual(
      names.map((name, index) =>
        expect.objectContaining({
          name: name.toLowerCase(),
          ...(index % 2 === 0 ? { registrable: true } : { registrable: false, reason: 'taken' }),
        }),
      ),
    );
    expect(summary).toContain('Nothing was bought.');
    const dear = await world.run({}, { inputs: { check: 'a.com', 'max-price': '1' } });
    expect(dear).toMatchObject({ conclusion: 'failure', outputs: { outcome: 'failed' } });
    expect(json(dear.outputs['availability'])).toHaveLength(1);
    const none = await world.run({}, { inputs: { check: ',', 'max-price': '1' } });
    expect(none.outputs['error']).toContain('max-price: needs names');
  });

  it.each([
    ['a read that is refused', { refuse: ['listDnsRecords'] }, ''],
    ['a write that is refused', { refuse: ['createDnsRecord'] }, 'true'],
  ])('sets all outputs after %s', async (_, dialect, drift) => {
    await using world = await startDomains(dialect);
    world.emulator.world.registerDomain('example.com');
    const { conclusion, outputs } = await world.run(site);
    expect(conclusion).toBe('failure');
    expect(Object.keys(outputs).sort()).toEqual(outputNames);
    expect(outputs).toMatchObject({ outcome: 'failed', drift });
    expect(outputs['error']).toContain('permission');
  });

  it.each([
    ['with a value in the step', { TOKEN: 'not-a-real-secret-0123456789' }, {}],
    ['without one', {}, {}],
    ['without one, and without a project', {}, { 'project-id': '' }],
  ])('leaves the environment of the file alone: %s', async (_, env, inputs) => {
    await using world = await startDomains();
    world.emulator.world.registerDomain('example.com');
    const declared = {
      environment: { TOKEN: {}, OTHER: { from: 'SOURCE' }, PLAIN: { value: 'one', kind: 'plain' } },
      'registered-domains': site['registered-domains'],
    };
    for (const [mode, outcome, drift] of [
      ['plan', 'planned', 'true'],
      ['apply', 'synced', 'false'],
      ['plan', 'planned', 'false'],
    ] as const) {
      const { outputs, summary } = await world.run(declared, {
        env,
        inputs: { ...inputs, mode },
      });
      expect(outputs).toMatchObject({ outcome, drift, error: '' });
      expect(`${outputs['plan']}${summary}`).not.toMatch(/variable|TOKEN/);
    }
    const asked = world.emulator.journal.entries.map(({ operation }) => operation);
    expect(asked.filter((operation) => /variable|environment/i.test(operation))).toEqual([]);
    expect(world.project.variables).toEqual([]);
  });

  it('tells no key that the file has in a record', async () => {
    await using world = await startDomains();
    world.emulator.world.registerDomain('example.com');
    const secret = world.emulator.key;
    const dns = [{ type: 'TXT', name: '@', content: `token=${secret}` }];
    const declared = { 'registered-domains': { 'example.com': { dns } } };
    const result = await world.run(declared, { inputs: { mode: 'plan' } });
    expect(result.outputs['plan']).toContain('token=***');
    expect(JSON.stringify(result.outputs)).not.toContain(secret);
    expect(result.summary).not.toContain(secret);
  });

  it('gives each record that is not declared with its own fields, whole, and counts them in the log', async () => {
    await using world = await startDomains();
    world.emulator.world.registerDomain('example.com');
    const record = { type: 'MX', name: '@', content: `${'m'.repeat(600)}.example`, priority: 10 };
    world.emulator.world.registered.get('example.com').zone.put({ ...record, comment: 'by hand' });
    const declared = { 'registered-domains': { 'example.com': { dns: [] } } };
    const { outputs, log } = await world.run(declared);
    expect(json(outputs['undeclared'])).toEqual([
      expect.objectContaining({ domain: 'example.com', ...record, comment: 'by hand' }),
    ]);
    expect(log.join('\n')).toContain('1 record only on the service, kept: see the summary');
  });

  it('shows hostile text without its effect, and no key', async () => {
    const hostile = '##[error]pwned \r::set-output name=outcome::pwned <script>@octocat';
    await using world = await startDomains({
      hostileText: hostile,
      echoValues: true,
      domainEnds: 'failure',
      verifyMs: 0,
      refuse: ['setRenewal'],
    });
    const { emulator } = world;
    emulator.world.registerDomain('example.com');
    emulator.world.registered
      .get('example.com')
      .zone.put({ type: 'TXT', name: 'x', content: hostile });
    emulator.world.registered
      .get('example.com')
      .zone.put({ type: 'A', name: 'www', content: emulator.key });
    const result = await world.run(site, { inputs: { wait: '1s' } });
    expect(result.outputs).toMatchObject({ outcome: 'failed' });
    expect(result.annotations.map(({ level }) => level)).toEqual(['error']);
    // In a block of code, nothing has an effect.
    const text = result.summary.replaceAll(/^(`{3,})[^`]*\n.*?\n\1$/gms, '');
    expect(text).not.toMatch(/<script|@octocat/);
    const log = result.log.slice(result.log.findIndex((line) => !/^(▾| {2})/.test(line)));
    expect(readable({ ...result, log })).not.toContain(emulator.key);
    const printed = result.raw.stdout.replaceAll(/^::add-mask::.*$/gm, '') + result.raw.stderr;
    expect(printed).not.toContain(emulator.key);
    expect(printed).not.toMatch(/##\[error\]pwned|^\s*::set-output/m);
  });
});
