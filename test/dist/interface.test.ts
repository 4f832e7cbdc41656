import assert from 'node:assert/strict';
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type EmulatedProject, type Emulator, startEmulator } from '../../emulator/index.ts';
import { type ActionResult, runAction } from '../../emulator/runner.ts';
import type { ActionName } from '../../src/inputs.ts';
import { endpoints, type Operation, reach } from '../interface/endpoints.ts';
import { startEnvSync } from './env-sync-world.ts';
import { hostname, startPullRequest } from './pull-request-world.ts';
import { unpacked } from './run-step.ts';

const ledger = { 'env-ledger': '.site/ledger' };
const withoutNew = { ...ledger, env: 'OLD=fake', 'env-remove': 'NEW' };

/** The endpoints of the interface that a service was asked for; the streams and polls are none of them. */
function asked({ journal }: Emulator): string[] {
  const known = new Set(endpoints.map(({ operation }) => operation));
  return [...new Set(journal.entries.map(({ operation }) => operation))]
    .filter((operation) => known.has(operation))
    .sort();
}

function ended(result: ActionResult, outcome: string): void {
  assert.equal(result.outputs['outcome'], outcome, result.outputs['error']);
}

/** A variable whose value is unknown, and whose targets are not the declared ones. */
function drift(project: EmulatedProject): void {
  const value = 'fake, by hand';
  project.setVariable({ name: 'OLD', value, kind: 'plain', production: false });
}

const access = ({ url, key }: Emulator) => ({ 'base-url': url, 'api-key': key });

const siteFile = `
environment:
  OLD: { value: fake, kind: plain }
  LEFT: { from: NO_SUCH_SOURCE }
connected-domains:
  www.example.com: { project: self }
  new.example.com: { project: self }
registered-domains:
  one.example:
    renewal: true
    project: self
    dns:
      - { type: A, name: "@", content: 203.0.113.10 }
      - { type: A, name: new, content: 203.0.113.10 }
  two.example: { project: null }
`;

/** For each action, runs of it that ask for all that it can ask for. */
const plays: Readonly<Record<ActionName, () => Promise<string[]>>> = {
  deploy: async () => {
    await using world = await startPullRequest();
    await using workspace = await mkdtempDisposable(join(tmpdir(), 'interface-'));
    const run = (action: string, inputs: Record<string, string>) =>
      world.run(action, { workspace: workspace.path, inputs });
    drift(world.project);
    ended(await run('opened', { ...ledger, env: 'OLD=fake\nNEW=fake' }), 'succeeded');
    world.emulator.world.assignDomain(hostname, null);
    ended(await run('synchronize', withoutNew), 'succeeded');
    world.close();
    ended(await run('closed', { 'disconnect-on-close': 'true' }), 'cleaned-up');
    return asked(world.emulator);
  },
  'env-sync': async () => {
    await using world = await startEnvSync();
    drift(world.project);
    ended(await world.run({ OLD: 'fake', NEW: 'fake' }), 'synced');
    ended(
      await world.run({ OLD: 'fake' }, { inputs: { ...ledger, 'env-remove': 'NEW' } }),
      'synced',
    );
    return asked(world.emulator);
  },
  domains: async () => {
    await using emulator = await startEmulator({ dialect: { domainEnds: 'never' } });
    await using workspace = await mkdtempDisposable(join(tmpdir(), 'interface-'));
    const project = await emulator.world.createProject();
    drift(project);
    emulator.world.connectDomain('www.example.com');
    emulator.world.registerDomain('one.example', { autoRenew: false });
    emulator.world.registered
      .get('one.example')
      .zone.put({ type: 'A', name: '@', content: '203.0.113.9' });
    emulator.world.registerDomain('two.example', { projectId: project.id });
    // Somebody else connects the new domain right before it is to be connected.
    const taken = { kind: 'status', status: 409, effect: true } as const;
    emulator.faults.add({ ...taken, operation: 'connectDomain' });
    await mkdir(join(workspace.path, '.github'));
    await writeFile(join(workspace.path, '.github', 'site.yml'), siteFile);
    const result = await runAction({
      action: join(unpacked, 'domains'),
      workspace: workspace.path,
      inputs: {
        ...access(emulator),
        'project-id': project.id,
        check: 'three.example',
        wait: '1s',
      },
    });
    assert.equal(result.conclusion, 'success', result.outputs['error']);
    return asked(emulator);
  },
  message: async () => {
    await using emulator = await startEmulator();
    const { id } = await emulator.world.createProject();
    const inputs = { ...access(emulator), 'project-id': id, content: 'Make it blue.' };
    ended(await runAction({ action: join(unpacked, 'message'), inputs }), 'succeeded');
    return asked(emulator);
  },
  projects: async () => {
    await using emulator = await startEmulator();
    const inputs = { ...access(emulator), create: 'true' };
    ended(await runAction({ action: join(unpacked, 'projects'), inputs }), 'succeeded');
    return asked(emulator);
  },
};

const every = Object.keys(plays) as ActionName[];

describe.concurrent('an action reaches the endpoints that docs/interface.md says, and no other', () => {
  it.each(every)('%s', async (name) => {
    const expected: readonly Operation[] = reach[name];
    expect(await plays[name]()).toEqual(expected.toSorted());
  });
});
