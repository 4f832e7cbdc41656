import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../dist/run-step.ts';
import { openPull, startExampleWorld } from '../examples/example-world.ts';
import { repository } from '../git/support.ts';
import { checkOutAll } from '../support/download.ts';
import { outcomesIn, runAct } from './run-act.ts';

const ci = await readFile(join(root, '.github/workflows/ci.yml'), 'utf8');

/** An action that does nothing, in the place of one that cannot be had without a network. */
const nothing = 'name: Nothing\nruns:\n  using: composite\n  steps: [{ run: exit, shell: bash }]\n';

/** The command that starts the service: act ends with its step whatever that left running. */
const start = /npm run emulator -- --write "\$RUNNER_TEMP\/world" .*&$/m;

test.each(['push', 'pull_request'])(
  'the job of CI that uses each action, on %s, on one system with the Node that is here',
  async (name) => {
    await using world = await startExampleWorld();
    const workspace = join(world.folder, 'all');
    const stub = join(world.folder, 'stub');
    for (const folder of [workspace, stub]) await mkdir(folder);
    checkOutAll(workspace);
    await writeFile(join(stub, 'action.yml'), nothing);
    const { emulator, project } = world;
    const reached = join(world.folder, 'reached');
    const outputs = {
      'api-key': emulator.key,
      'base-url': emulator.url,
      'project-id': project.id,
      'git-url': `${emulator.url}/git/{projectId}.git`,
      'git-token': emulator.gitToken,
    };
    const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(reached, lines.join(''));
    expect(ci).toMatch(start);
    const workflow = ci.replace(start, `cp ${reached} "$RUNNER_TEMP/world"`);
    const { sha, event } = await openPull(world, repository);
    const push = { name, payload: { ref: 'refs/heads/main', after: sha, deleted: false } };
    const [setupNode = ''] = /actions\/setup-node@[0-9a-f]+/.exec(ci) ?? [];
    const run = await runAct(world, {
      workflow,
      job: 'use',
      workspace,
      args: ['--matrix', 'os:ubuntu-latest', '--local-repository', `${setupNode}=${stub}`],
      event: name === 'push' ? push : event('opened'),
    });
    expect(run.exitCode, run.log).toBe(0);
    expect(outcomesIn(run).filter(Boolean)).toEqual([
      ...['synced', 'succeeded', 'planned', 'succeeded', 'succeeded', 'failed'],
    ]);
  },
);
