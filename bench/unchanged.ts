import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCacheServer } from '../emulator/cache/index.ts';
import { startEmulator } from '../emulator/index.ts';
import { runAction } from '../emulator/runner.ts';
import { root } from '../test/dist/run-step.ts';
import type { Row, Sample } from './measurement.ts';
import { makeVariables } from './variables.ts';

const runs = 5;

/** A sync in which nothing changed, as the runner starts it: its requests, and the time of the whole process. */
export async function* unchanged(): AsyncGenerator<Row> {
  await using cache = await startCacheServer();
  for (const where of ['a file', 'the cache'] as const) {
    for (const count of [1, 50, 500]) {
      await using emulator = await startEmulator();
      await using workspace = await mkdtempDisposable(join(tmpdir(), 'site-unchanged-'));
      const [project] = emulator.world.createProjects(1);
      const variables = makeVariables(count);
      const run = async () => {
        const { outputs, durationMs } = await runAction({
          action: join(root, 'env-sync'),
          workspace: workspace.path,
          env: {
            ...cache.environment,
            ...Object.fromEntries(variables.map(({ name, value }) => [name, value])),
          },
          inputs: {
            'base-url': emulator.url,
            'api-key': emulator.key,
            'project-id': project?.id ?? '',
            'env-from': variables.map(({ name }) => name).join('\n'),
            'env-ledger': where === 'a file' ? 'ledger' : 'cache',
          },
        });
        assert.equal(outputs['outcome'], 'synced', outputs['error']);
        return { requests: Number(outputs['requests']), durationMs };
      };
      await run();
      const requests: Sample[] = [];
      const times: Sample[] = [];
      for (let index = 0; index < runs; index += 1) {
        const sample = await run();
        requests.push({ value: sample.requests, bound: 1 });
        times.push({ value: sample.durationMs });
      }
      const name = `${count} unchanged, ledger in ${where}`;
      yield { name: `${name}: requests`, unit: 'requests', samples: requests };
      yield { name: `${name}: the whole step`, unit: 'ms', samples: times };
    }
  }
}
