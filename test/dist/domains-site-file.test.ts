import { describe, expect, it } from 'vitest';
import { describeOutputs } from '../../src/outputs.ts';
import { startDomains } from '../support/domains.ts';

const outputNames = Object.keys(describeOutputs('domains')).sort();

const site = { 'connected-domains': { 'www.example.com': { project: 'self' } } };

/** A site file with mistakes, and what is said of each, with its place. */
const wrong: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'an unknown key',
    'registered-domains:\n  example.com:\n    renewel: true\n',
    ['line 3, column 5', 'did you mean "renewal"?'],
  ],
  [
    'two keys of a record that are nearly right',
    'registered-domains:\n  example.com:\n    dns:\n      - { type: A, nam: x, content: 203.0.113.10, tll: 5 }\n',
    ['line 4, column 20: unknown key', 'did you mean "name"?', 'did you mean "ttl"?'],
  ],
  [
    'an address that is none, and an MX record without its priority',
    'registered-domains:\n  example.com:\n    dns:\n      - { type: A, name: www, content: 203.0.113.256 }\n      - { type: MX, name: "@", content: mail.example.com }\n',
    ['2 problems', 'line 4, column 40', 'not an IPv4 address', 'line 5', 'has no priority: add it'],
  ],
  [
    'a CNAME beside another record',
    'registered-domains:\n  example.com:\n    dns:\n      - { type: CNAME, name: www, content: a.example }\n      - { type: A, name: www, content: 203.0.113.10 }\n',
    ['line 4', 'keep either it or them'],
  ],
  ['what is no YAML', 'registered-domains: [\n', ['line 2, column 1']],
  [
    'a hostname that is none',
    'connected-domains:\n  WWW.example.com: { project: self }\n',
    ['line 2, column 3', 'lower-case'],
  ],
];

describe.concurrent('a wrong site file', () => {
  it.each(wrong)('is refused before any request: %s', async (_, text, says) => {
    await using world = await startDomains();
    const { conclusion, outputs, log } = await world.run(text, {
      inputs: { check: 'example.com', wait: '5m' },
    });
    expect(conclusion).toBe('failure');
    expect(outputs).toMatchObject({ outcome: 'failed', requests: '0', plan: '', drift: '' });
    expect(Object.keys(outputs).sort()).toEqual(outputNames);
    for (const words of says) expect(outputs['error']).toContain(words);
    expect(log.join('\n')).toContain(says.at(-1));
    expect(world.emulator.journal.entries).toEqual([]);
  });

  it('is refused where a domain says project: self and there is no project-id', async () => {
    await using world = await startDomains();
    const { outputs } = await world.run(site, { inputs: { 'project-id': '' } });
    expect(outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    expect(outputs['error']).toContain('project: self requires the input project-id');
    expect(world.emulator.journal.entries).toEqual([]);
  });

  it('is told with all that is wrong, in the order of the file, each with the path once', async () => {
    await using world = await startDomains();
    const text = `environment:
  TOKEN: { from: SOURCE, kid: plain }
connected-domains:
  WWW.example.com:
  shop.example.com: { project: self }
registered-domains:
  example.com:
    renewel: true
    dns:
      - { type: A, nam: x, content: 203.0.113.10 }
      - &mail { type: MX, name: "@", content: mail.example.com }
      - { type: A, name: www, content: nine }
  example.net:
    dns: [*mail]
`;
    const inputs = { 'project-id': '', check: 'example.com, a-.com, nodot' };
    const { outputs, log } = await world.run(text, { inputs });
    expect(outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    const told = log.flatMap((line) => (line.startsWith('× ') ? [line.slice(2)] : []));
    const says = [
      'config: site.yml line 2, column 26: unknown key "kid"',
      'config: site.yml line 4, column 3: this is not a valid hostname',
      'config: site.yml line 5, column 3: project: self requires the input project-id',
      'config: site.yml line 8, column 5: unknown key "renewel"',
      'config: site.yml line 10, column 9: name is missing',
      'config: site.yml line 10, column 20: unknown key "nam"',
      'config: site.yml line 11, column 15: MX example.com: has no priority',
      'config: site.yml line 12, column 40: A www.example.com: has "nine"',
      'check: "a-.com" is not a valid domain name',
      'check: "nodot" is not a valid domain name: it has no dot',
    ];
    expect(told).toEqual(says.map((words) => expect.stringContaining(words)));
    expect(world.emulator.journal.entries).toEqual([]);
  });

  it('that is not there is refused, unless names are to be checked', async () => {
    await using world = await startDomains();
    const config = { config: 'no-such.yml' };
    const refused = await world.run(site, { inputs: config });
    expect(refused.outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    const checked = await world.run(site, { inputs: { ...config, check: 'example.com' } });
    expect(checked.outputs).toMatchObject({ outcome: 'synced', requests: '1' });
  });
});
