// Attack (flooding): Megabytes of names of variables, records or hostnames block `timeout`
// Defense: Each is cleaned once, and the deadline is checked between two; a sentence names twenty

import { execFile } from 'node:child_process';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { json, projectId, startHostile } from './hostile.ts';

const run = promisify(execFile);

/** Expensive to look through for secrets: each way of writing is in it, one in the other. */
const escapes = "%26amp%3B&#37;26+\\u0026''%5Cu0026&amp;".repeat(20);

/** Texts of so many characters that are all different. */
const texts = (count: number, length: number): string[] =>
  Array.from({ length: count }, (_, index) => `${index}${escapes}`.slice(0, length));

const times = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' };
const kind = { kind: 'plain', version: 1, preview: true, production: true };

const variables = (names: readonly string[]) =>
  names.map((name, index) => ({ id: `v${index}`, name, required: true, ...kind, ...times }));

const records = (contents: readonly string[]) =>
  contents.map((content, index) => ({ id: `r${index}`, type: 'TXT', name: '@', content }));

describe.concurrent('what a service lists by the thousand', () => {
  const dear = texts(14_000, 500);

  it.each(['env-sync', ''])('is left when the time is up: variables, in "%s"', async (action) => {
    const environment = json({ variables: variables(dear) });
    await using service = await startHostile({ environment });
    const inputs = { env: 'A=1', 'env-ledger': 'off', mode: 'plan', timeout: '1s' };
    const { outputs } = await service.run(action, { inputs });
    expect(outputs).toMatchObject({ outcome: 'timed-out' });
  });

  it('is left when the time is up: DNS records', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'long-lists-'));
    const dns = [{ type: 'TXT', name: '@', content: 'declared' }];
    const file = { 'registered-domains': { 'example.com': { dns } } };
    await writeFile(join(folder.path, 'site.yml'), JSON.stringify(file));
    await using service = await startHostile({ records: json({ records: records(dear) }) });
    const inputs = { config: 'site.yml', mode: 'plan', timeout: '1s' };
    const { outputs } = await service.run('domains', { workspace: folder.path, inputs });
    expect(outputs).toMatchObject({ outcome: 'timed-out' });
  });

  it('is told in part: variables that are required', async () => {
    const names = Array.from({ length: 2000 }, (_, index) => `NEEDED_${index}_`);
    await using service = await startHostile({
      environment: json({ variables: variables(names) }),
    });
    const inputs = { env: 'A=1', 'env-ledger': 'off', mode: 'plan' };
    const { outputs, annotations } = await service.run('env-sync', { inputs });
    expect(outputs).toMatchObject({ outcome: 'planned' });
    const [warning] = annotations;
    expect(warning?.message).toContain(' and 1980 more, and no value is known');
    expect(warning?.message).toMatch(/or set it on the service\. \(SD4004\)$/);
  });

  it('is told in part: the domains that a project serves', async () => {
    const domains = Array.from({ length: 2000 }, (_, index) => ({
      hostname: `www-${index}.example.com`,
      projectId,
    }));
    await using service = await startHostile({ domains: json({ domains }) });
    const head = { sha: 'a'.repeat(40), ref: 'topic', repo: { full_name: 'stranger/site' } };
    const payload = { action: 'opened', number: 7, pull_request: { number: 7, head } };
    const { outputs } = await service.run('env-sync', {
      event: { name: 'pull_request_target', payload },
      inputs: { env: 'A=1', 'env-ledger': 'off' },
    });
    expect(outputs['error']).toContain('.example.com and 1980 more, and unmerged code');
    expect(outputs['error']).toContain('set allow-production: true');
  });
});

it('a site file may have more mistakes than a call can have arguments', async () => {
  const count = 14_000;
  // The usual stack, of 984 KB, would take nine times as many, and as long.
  const little = ['--stack-size=100'];
  const script = join(import.meta.dirname, 'many-mistakes.ts');
  const { stdout } = await run(process.execPath, [...little, script, String(count)]);
  expect(stdout).toBe(String(count));
});
