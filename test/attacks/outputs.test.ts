// Attack (secrets): Text from outside is a runner command (`::add-mask::`, `##[error]`, `##vso[…]`, after a lone CR, in
// an output's delimiter), also when a later step prints an output
// Defense: Each line and each output is broken so that the runner reads no command; in JSON, `#` is `\u0023`. Outputs,
// state and summary go through files with a random delimiter
// Attack (flooding): Outputs as long as the service's lists: GitHub drops them, or the job fails
// Defense: 256 kB at most, by whole items, with `left-out`; `projects` and `matrix` fail instead

import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCommand } from '../../emulator/runner/workflow-commands.ts';
import type { ActionResult, RunOptions } from '../../emulator/runner.ts';
import { startMessage } from '../dist/message-world.ts';
import { json, projectId, refuse, startHostile } from './hostile.ts';

const command = '##[set-output name=approved;]yes ###[add-mask]e';
/** The same where lines are parted. */
const lines = `${command}\n::add-mask::e\r  ::stop-commands::x`;

const known = new Set(['set-output', 'add-mask', 'error', 'stop-commands']);

/** What a later step has the runner do that prints the outputs. */
function commandsIn({ outputs }: ActionResult): unknown[] {
  const printed = Object.values(outputs).flatMap((value) => value.split(/\r\n|\r|\n/));
  return printed.flatMap((line) => parseCommand(line, (name) => known.has(name)) ?? []);
}

/** Runs an action in a workspace with this site file. */
async function withSite(
  answers: Parameters<typeof startHostile>[0],
  action: string,
  site: object,
  options: Partial<RunOptions>,
): Promise<ActionResult> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'outputs-'));
  await writeFile(join(folder.path, 'site.yml'), JSON.stringify(site));
  await using service = await startHostile(answers);
  const inputs = { config: 'site.yml', ...options.inputs };
  return await service.run(action, { ...options, workspace: folder.path, inputs });
}

const connected = (hostname: string, status: string) => ({
  hostname,
  projectId,
  state: status,
  dnsInstructions: [{ type: 'TXT', name: '@', value: status }],
});

describe.concurrent('a later step that prints an output carries out nothing of', () => {
  it('an error of the service', async () => {
    const environment = json({ error: { message: lines } }, 400);
    await using service = await startHostile({ environment });
    const result = await service.run('', { inputs: { env: 'A=1' } });
    expect(result.outputs['error']).toContain('set-output name=approved');
    expect(commandsIn(result)).toEqual([]);
  });

  it('a status, an id', async () => {
    const deploy = json({ deploymentId: lines, status: lines }, 202);
    await using service = await startHostile({ deploy });
    const result = await service.run('', { inputs: { wait: 'none' } });
    expect(result.outputs['deployment-id']).toContain('set-output name=approved');
    expect(result.outputs['deployment-status']).toContain('set-output name=approved');
    expect(commandsIn(result)).toEqual([]);
  });

  it('a site that is checked', async () => {
    const site = createServer((_, response) => response.end(JSON.stringify({ a: command })));
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    const checks = [{ path: '/', json: { a: 'x' } }];
    const inputs = { deploy: 'false', 'verify-url': origin, 'verify-timeout': '2s' };
    const result = await withSite({}, '', { checks }, { inputs });
    site.close();
    expect(JSON.parse(result.outputs['checks'] ?? '')).toContainEqual(
      expect.objectContaining({ seen: expect.stringContaining('##[set-output') }),
    );
    expect(commandsIn(result)).toEqual([]);
  });

  it('a name in a plan, which stays what it is', async () => {
    const name = '##[add-mask]yes';
    const environment = { [name]: { value: 'x', kind: 'plain' } };
    const inputs = { mode: 'plan', 'env-ledger': 'off' };
    const result = await withSite({}, 'env-sync', { environment }, { inputs });
    expect(JSON.parse(result.outputs['plan'] ?? '').changes).toMatchObject([{ name }]);
    expect(commandsIn(result)).toEqual([]);
  });

  it('a turn', async () => {
    const turnText = [`${lines}\n\t::error::x\nthe end`];
    await using world = await startMessage({ turnText });
    const result = await world.run();
    expect(result.outputs['text']).toContain('set-output name=approved');
    expect(result.outputs['text']).toMatch(/the end$/);
    expect(commandsIn(result)).toEqual([]);
  });

  it('the names of projects, which stay what they are', async () => {
    const name = `\\##[error]x\\\\##[add-mask]e "##[" ${command}`;
    await using service = await startHostile({
      projects: json([{ projectId, name }]),
    });
    const result = await service.run('projects');
    expect(JSON.parse(result.outputs['projects'] ?? '')).toMatchObject([{ name }]);
    expect(JSON.parse(result.outputs['matrix'] ?? '')).toMatchObject({ include: [{ name }] });
    expect(commandsIn(result)).toEqual([]);
  });

  it('what is listed about domains, which stays what it is', async () => {
    const hostname = 'www.example.com';
    const site = {
      'connected-domains': { [hostname]: { project: projectId } },
      'registered-domains': { 'example.com': { dns: [] } },
    };
    const domain = json(connected(hostname, command));
    const records = json({ records: [{ id: 'r1', type: 'TXT', name: '@', content: command }] });
    const domains = json({ domains: [connected(hostname, command)] });
    const result = await withSite({ domain, domains, records }, 'domains', site, {
      inputs: { mode: 'plan' },
    });
    expect(JSON.parse(result.outputs['undeclared'] ?? '')).toMatchObject([{ content: command }]);
    expect(result.outputs['domains']).toContain('set-output');
    expect(commandsIn(result)).toEqual([]);
  });
});

/** The bound of an output, in bytes. */
const most = 256_000;
const size = (text: string | undefined) => Buffer.byteLength(text ?? '');

describe.concurrent('an output that grows', () => {
  it('leaves out whole changes of a plan, and says how many', async () => {
    const names = Array.from({ length: 3000 }, (_, n) => `NAME_${n}_${'x'.repeat(60)}`);
    const env = names.map((name) => `${name}=x`).join('\n');
    const inputs = { mode: 'plan', 'env-ledger': 'off', env };
    for (const action of ['env-sync', '']) {
      const { outputs } = await withSite({}, action, {}, { inputs });
      const { digest, changes, 'left-out': leftOut } = JSON.parse(outputs['plan'] ?? '');
      expect(digest).toMatch(/^[0-9a-f]{64}/);
      expect(size(outputs['plan'])).toBeLessThanOrEqual(most);
      expect(size(outputs['plan'])).toBeGreaterThan(most - 1000);
      expect(leftOut).toBe(3000 - changes.length);
      expect(JSON.parse(outputs['env-summary'] ?? '')).toMatchObject({ created: 3000 });
    }
  });

  it('leaves out nothing of a plan that fits, and says nothing of it', async () => {
    const environment = { NAME: { value: 'x', kind: 'plain' } };
    const inputs = { mode: 'plan', 'env-ledger': 'off' };
    const { outputs } = await withSite({}, 'env-sync', { environment }, { inputs });
    expect(Object.keys(JSON.parse(outputs['plan'] ?? ''))).toEqual(['digest', 'changes']);
  });

  it('leaves out whole DNS records, and says how many, behind those that fit', async () => {
    const listed = Array.from({ length: 400 }, (_, n) => {
      const content =
        n === 1 ? 'y'.repeat(300_000) : `${String(n).padStart(3, '0')} ${'##['.repeat(300)}`;
      return { id: `r${n}`, type: 'TXT', name: '@', content };
    });
    const site = { 'registered-domains': { 'example.com': { dns: [] } } };
    const { outputs } = await withSite({ records: json({ records: listed }) }, 'domains', site, {
      inputs: { mode: 'plan' },
    });
    const items = JSON.parse(outputs['undeclared'] ?? '');
    expect(size(outputs['undeclared'])).toBeLessThanOrEqual(most);
    expect(outputs['undeclared']).not.toContain('##[');
    expect(items.at(-1)).toEqual({ 'left-out': 400 - (items.length - 1) });
    expect(items.slice(0, 2)).toMatchObject([
      { content: expect.stringMatching(/^000 /) },
      { content: expect.stringMatching(/^002 /) },
    ]);
  });
});

describe.concurrent('projects and their matrix are never cut', () => {
  const fleet = (count: number, length: number) =>
    json(
      Array.from({ length: count }, (_, n) => ({
        projectId: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
        name: 'x'.repeat(length),
      })),
    );
  const nothing = { matrix: '{"include":[]}', projects: '[]', count: '0' };

  it('a list that is too long for the outputs is an error, which is all that is said', async () => {
    await using service = await startHostile({ projects: fleet(200, 3000) });
    const result = await service.run('projects');
    expect(result.outputs).toMatchObject({ outcome: 'failed', ...nothing });
    expect(result.outputs['error']).toMatch(/shard: 1\/2 to 2\/2.* \(SD5206\)$/);
    const told = result.annotations.filter(
      ({ message }) => !message.startsWith('Unexpected input'),
    );
    expect(told).toMatchObject([{ level: 'error' }]);
  });

  it('so is one of 3,001 projects of long names, for its matrix', async () => {
    await using service = await startHostile({ projects: fleet(3001, 400) });
    const result = await service.run('projects');
    expect(result.outputs).toMatchObject({ outcome: 'failed', ...nothing });
    expect(result.outputs['error']).toMatch(/shard: 1\/12 to 12\/12.* \(SD5202\)$/);
    const told = result.annotations.filter(
      ({ message }) => !message.startsWith('Unexpected input'),
    );
    expect(told).toMatchObject([{ level: 'error' }]);
  });

  it('a failed list counts what is in the matrix', async () => {
    await using service = await startHostile({ projects: fleet(257, 1) });
    const { outputs } = await service.run('projects');
    expect(outputs).toMatchObject({ outcome: 'failed', count: '0', matrix: nothing.matrix });
    expect(JSON.parse(outputs['projects'] ?? '')).toHaveLength(257);
  });

  it('nor is what a service refuses counted', async () => {
    await using service = await startHostile({ projects: refuse(403) });
    expect((await service.run('projects')).outputs).toMatchObject(nothing);
  });
});
