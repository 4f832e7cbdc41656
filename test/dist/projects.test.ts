import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../emulator/index.ts';
import { type ActionResult, type RunOptions, runAction } from '../../emulator/runner.ts';
import { describeOutputs } from '../../src/outputs.ts';
import { shareProcess } from '../support/shared-process.ts';
import { unpacked } from './run-step.ts';

const run = (
  { url, key }: Emulator,
  inputs: Record<string, string>,
  options: Partial<RunOptions> = {},
): Promise<ActionResult> =>
  runAction({
    action: join(unpacked, 'projects'),
    launch: shareProcess,
    ...options,
    inputs: { 'api-key': key, 'base-url': url, ...inputs },
  });

const parse = (text: string | undefined) => JSON.parse(text ?? '');

describe.concurrent('a list', () => {
  it('of 1,000 projects is turned into parts, a request each', async () => {
    await using emulator = await startEmulator();
    emulator.world.createProjects(1000);
    const shards = [1, 2, 3, 4].map((index) => run(emulator, { shard: `${index}/4` }));
    const results = await Promise.all(shards);
    const matrices = results.map(({ outputs }) => parse(outputs['matrix']).include);
    expect(matrices).toMatchObject(Array(4).fill({ length: 250 }));
    const ids: string[] = matrices.flat().map((entry) => entry['project-id']);
    expect(new Set(ids)).toEqual(new Set(emulator.world.projects.map(({ id }) => id)));
    for (const { outputs } of results) {
      expect(outputs).toMatchObject({ outcome: 'succeeded', count: '250', requests: '1' });
    }
    expect(emulator.journal.entries).toHaveLength(4);
  });

  it('of 257 fails, says how to part it, and gives no matrix to run on', async () => {
    await using emulator = await startEmulator();
    emulator.world.createProjects(257);
    const result = await run(emulator, {});
    expect(result.conclusion).toBe('failure');
    expect(result.outputs).toMatchObject({ outcome: 'failed', matrix: '{"include":[]}' });
    expect(result.outputs['error']).toContain('shard: 1/2 to 2/2');
  });

  it('that is too long for the outputs fails, and its parts do not', async () => {
    await using emulator = await startEmulator();
    for (const project of emulator.world.createProjects(200)) project.name = 'x'.repeat(3000);
    const { outputs, conclusion } = await run(emulator, {});
    expect(conclusion).toBe('failure');
    expect(outputs).toMatchObject({ projects: '[]', matrix: '{"include":[]}', count: '0' });
    expect(outputs['error']).toContain('with shard: 1/2 to 2/2');
    const part = await run(emulator, { shard: '1/2' });
    expect(part.outputs).toMatchObject({ outcome: 'succeeded', count: '100' });
    expect(parse(part.outputs['projects'])).toHaveLength(100);
  });

  it('of which nothing matches warns, or fails, with the names that are near', async () => {
    await using emulator = await startEmulator();
    for (const project of emulator.world.createProjects(2)) project.name = 'Shop 1';
    const warned = await run(emulator, { 'name-pattern': 'shop *' });
    expect(warned).toMatchObject({ conclusion: 'success', outputs: { count: '0' } });
    expect(warned.annotations).toMatchObject([{ level: 'warning' }]);
    expect(warned.annotations[0]?.message).toContain('"shop *" matches none of the 2 projects');
    expect(warned.annotations[0]?.message).toContain('Similar names: "Shop 1".');
    const failed = await run(emulator, { 'name-pattern': 'shop *', 'on-empty': 'fail' });
    expect(failed).toMatchObject({ conclusion: 'failure', outputs: { outcome: 'failed' } });
    expect(failed.outputs['error']).toContain('Similar names: "Shop 1".');
    expect(failed.outputs['matrix']).toBe('{"include":[]}');
  });

  it('is told with names that do nothing, and in whole', async () => {
    await using emulator = await startEmulator({ dialect: { extraFields: true } });
    const [one, two] = emulator.world.createProjects(2);
    Object.assign(one ?? {}, { name: '::error::x\n<img src=x> @octocat' });
    Object.assign(two ?? {}, { name: `not shown: ${emulator.key}` });
    const result = await run(emulator, { filter: 'created' });
    expect(result.annotations).toEqual([]);
    expect(result.summary).not.toMatch(/<img|@octocat/);
    expect(parse(result.outputs['projects'])[1]).toMatchObject({ projectId: one?.id });
    expect(parse(result.outputs['projects'])[0]).toMatchObject({ name: 'not shown: ***' });
    expect(JSON.stringify([result.outputs, result.summary])).not.toContain(emulator.key);
    expect(Object.keys(result.outputs).sort()).toEqual(
      Object.keys(describeOutputs('projects')).sort(),
    );
  });
});

describe.concurrent('a creation', () => {
  it('gives the ids of the project and of its first message', async () => {
    await using emulator = await startEmulator({ dialect: { provisionMs: 200 } });
    const inputs = { create: 'true', 'initial-prompt': ' A shop. ', effort: 'high' };
    const result = await run(emulator, inputs);
    const [project] = emulator.world.projects;
    expect(result.outputs).toMatchObject({
      outcome: 'succeeded',
      'project-id': project?.id,
      'initial-message-id': project?.messages[0]?.id,
      count: '1',
    });
    expect(project?.messages[0]?.request).toMatchObject({ content: ' A shop. ', effort: 'high' });
    expect(parse(result.outputs['matrix']).include).toMatchObject([{ 'project-id': project?.id }]);
    expect(result.log.join('\n')).toMatch(/provisioning[\s\S]*ready/);
  });

  it('whose provisioning fails names the error, and keeps the id', async () => {
    await using emulator = await startEmulator({
      dialect: { provisionMs: 100, provisioningEnds: 'failure' },
    });
    const result = await run(emulator, { create: 'true' });
    expect(result.conclusion).toBe('failure');
    expect(result.outputs).toMatchObject({
      outcome: 'failed',
      'project-id': emulator.world.projects[0]?.id,
    });
    expect(result.outputs['error']).toContain('The template could not be copied.');
  });
});

const noEffect = 'has no effect with create: true';

/** Each run has as many mistakes as go together: the inputs, and what is said of each that is wrong. */
const wrong: readonly (readonly [Record<string, string>, Record<string, string>])[] = [
  [
    { filter: 'mine', shard: '6/5', 'name-pattern': 'x'.repeat(257), 'on-empty': 'error' },
    {
      filter: 'all, starred, created or shared',
      shard: '2/5',
      'name-pattern': '256',
      'on-empty': 'warn or fail',
    },
  ],
  [
    { shard: '0/5', create: 'yes' },
    { shard: '2/5', create: 'true or false' },
  ],
  [
    { 'initial-prompt': 'A shop.', model: 'm' },
    { 'initial-prompt': 'needs create: true', model: 'needs create: true' },
  ],
  [
    {
      create: 'true',
      'initial-prompt': 'x'.repeat(10_001),
      'skill-names': 'a,b,c,d',
      model: 'm'.repeat(65),
    },
    { 'initial-prompt': '10000', 'skill-names': '3', model: '64' },
  ],
  [
    {
      create: 'true',
      'name-pattern': 'shop-*',
      shard: '1/2',
      filter: 'starred',
      'on-empty': 'fail',
    },
    { 'name-pattern': noEffect, shard: noEffect, filter: noEffect, 'on-empty': noEffect },
  ],
];

describe.concurrent('a wrong input is told before anything is sent', () => {
  it.each(wrong)('%j', async (inputs, says) => {
    await using emulator = await startEmulator();
    const result = await run(emulator, inputs);
    expect(result.conclusion).toBe('failure');
    expect(result.outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    const told = result.outputs['error'] ?? '';
    for (const [input, words] of Object.entries(says)) {
      const [, about = ''] =
        new RegExp(`(?:^|\\n|\\s)(${input}: .*?)(?= \\(SD\\d+\\))`).exec(told) ?? [];
      expect(about.replaceAll(',', ''), told).toContain(words.replaceAll(',', ''));
    }
    expect(emulator.journal.entries).toEqual([]);
  });
});

it('without a key a run from a fork is skipped', async () => {
  await using emulator = await startEmulator();
  const repo = { full_name: 'somebody/site', fork: true };
  const event = { name: 'pull_request', payload: { pull_request: { head: { repo } } } };
  const result = await run(emulator, { 'api-key': '' }, { event });
  expect(result.outputs).toMatchObject({ outcome: 'skipped', requests: '0', count: '0' });
});
