// Attack (reports): A commit is silently deployed twice after a lost answer
// Defense: The log, summary, comment and the output `deployment-repeated` report what is known

import { describe, expect, it } from 'vitest';
import { type DialectOptions, type FaultKind, startEmulator } from '../../emulator/index.ts';
import type { ActionResult } from '../../emulator/runner.ts';
import { runStep } from '../dist/run-step.ts';
import { decode } from '../support/report/decode.ts';

/** Runs the deploy action where the first answer to its deployment request is as given. */
async function run(idempotency: DialectOptions['idempotency'], fault?: FaultKind) {
  await using emulator = await startEmulator({ dialect: { idempotency: idempotency ?? 'replay' } });
  const project = await emulator.world.createProject();
  if (fault !== undefined) emulator.faults.add({ operation: 'createDeployment', ...fault });
  const result = await runStep(emulator, project);
  return { result, ids: project.deployments.map(({ id }) => id) };
}

const lost: readonly (readonly [string, FaultKind])[] = [
  ['a broken connection', { kind: 'reset-after' }],
  ['an answer that breaks off', { kind: 'cut-body' }],
  ['a 504 after which it takes effect', { kind: 'status', status: 504, effect: true }],
  ['an answer without a body', { kind: 'status', status: 202, effect: true }],
  ['a page instead of an answer', { kind: 'not-json' }],
];

function expectTold({ log, summary, outputs }: ActionResult, followed: string | undefined) {
  expect(outputs).toMatchObject({
    outcome: 'succeeded',
    'deployment-id': followed,
    'deployment-repeated': 'true',
  });
  for (const text of [log.join('\n'), decode(summary)]) {
    expect(text).toMatch(/response to the deployment request (got lost|was unusable)/);
    expect(text).toMatch(/twice/);
    expect(text).toContain(followed);
  }
}

describe.concurrent('a deployment whose answer is lost after it took effect', () => {
  it.each(lost)('is said to be made twice, maybe, where keys are ignored: %s', async (_, fault) => {
    const { result, ids } = await run('ignore', fault);
    expect(ids).toHaveLength(2);
    expectTold(result, ids[1]);
  });

  it.each(lost)('is said so too where the key is refused then: %s', async (_, fault) => {
    const { result, ids } = await run('conflict', fault);
    expect(ids).toHaveLength(2);
    expectTold(result, ids[1]);
  });

  it('is no less in doubt where the key was honoured: it does not show', async () => {
    const { result, ids } = await run('replay', { kind: 'reset-after' });
    expect(ids).toHaveLength(1);
    expectTold(result, ids[0]);
  });
});

describe.concurrent('a deployment is not said to be in doubt', () => {
  it.each<[string, FaultKind | undefined]>([
    ['where nothing was lost', undefined],
    [
      'where the first request was surely refused',
      { kind: 'status', status: 429, headers: { 'retry-after': '1' }, effect: false },
    ],
  ])('%s', async (_, fault) => {
    const { result, ids } = await run('ignore', fault);
    expect(ids).toHaveLength(1);
    expect(result.outputs).toMatchObject({ outcome: 'succeeded', 'deployment-repeated': 'false' });
    expect(`${result.log.join('\n')}${result.summary}`).not.toMatch(/twice/);
  });
});
