import { describe, expect, it } from 'vitest';
import { actions } from '../../src/inputs.ts';
import { startDomains } from '../support/domains.ts';

const outputNames = Object.keys(actions.domains.outputs).sort();

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
    ['2 mistakes', 'line 4, column 40', 'no IPv4 address', 'line 5', 'has no priority: add it'],
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
      inputs: { check: 'example.com', wait: 'true' },
    });
    expect(conclusion).toBe('failure');
    expect(outputs).toMatchObject({ outcome: 'failed', requests: '0', plan: '', drift: '' });
    expect(Object.keys(outputs).sort()).toEqual(outputNames);
    for (const words of says) expect(outputs['error']).toContain(words);
    expect(log.join('\n')).toContain(says.at(-1));
    expect(world.emulator.journal.entries).toEqual([]);
  });

  it.each([
    ['project: self of a domain', site, 'project: self needs the input project-id'],
    ['an environment', { environment: { A: { from: 'A' } } }, 'it needs a project'],
  ])('is refused where there is %s and no project-id', async (_, declared, says) => {
    await using world = await startDomains();
    const inputs = { 'project-id': '' };
    const { outputs } = await world.run(declared, { inputs, env: { A: 'fake' } });
    expect(outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    expect(outputs['error']).toContain(says);
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
