// Attack (starting): A named variable is deleted although it changed, with `keep` or `fail`; a stranger's file removes
// one
// Defense: A changed version or time keeps it, wherever it shows. A stranger's file removes only what `env-remove`
// names

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startGitWorld } from '../git/support.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { startEnvSync, stored } from './env-sync-world.ts';
import { runPushing } from './push-world.ts';

it("a stranger's site file deletes nothing that env-remove does not name", async () => {
  await using world = await startEnvSync();
  world.project.setVariable({ name: 'OLD', value: 'set by hand' });
  await writeFile(join(world.workspace, 'site.yml'), 'environment: { OLD: { remove: true } }');
  const payload = adjust(examplePayload('pull_request', 'opened'), {
    'pull_request.head.repo.full_name': 'a/b',
    'pull_request.base.repo.full_name': 'octo-org/octo-site',
  });
  const event = { name: 'pull_request_target', payload };
  const inputs = { config: 'site.yml' };
  const { outputs } = await world.run({}, { event, inputs });
  expect(outputs['error']).toMatch(/may delete only variables named in env-remove.*\(SD1204\)/);
  expect(stored(world.project)).toHaveProperty('OLD');
  const named = await world.run({}, { event, inputs: { ...inputs, 'env-remove': 'OLD' } });
  expect(named.outputs['outcome']).toBe('synced');
});

it('a watch that is to remove a variable needs its project', async () => {
  await using world = await startGitWorld();
  const commit = await world.push();
  const { outputs } = await runPushing(world, commit, {
    inputs: {
      'project-id': '',
      'git-url': '',
      'git-token': '',
      deploy: 'false',
      'env-remove': 'OLD',
      'verify-url': `${world.emulator.url}/`,
    },
  });
  expect(outputs['error']).toMatch(/^project-id is empty.*\(SD1001\)/);
});
