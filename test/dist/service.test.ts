import { describe, expect, it } from 'vitest';
import { startEmulator } from '../../emulator/index.ts';
import { startDomains } from '../support/domains.ts';
import { startMessage } from './message-world.ts';
import { runStep } from './run-step.ts';

/** One variable for all workflows. */
const service = [
  'deployment-status=/v2/builds/{deploymentId}',
  'deployment-events=/v2/{projectId}/builds/{deploymentId}/events',
  'message-events=/v1/turns/{messageId}/stream',
  'success=zorp',
  'failure=exploded',
].join('\n');

const wrong = 'success=zorp\nstatus=ready\nfailure=Zorp\nmessage-events=//example.com/{messageId}';

/** All mistakes of a run that sent nothing. */
const refused = {
  conclusion: 'failure',
  outputs: {
    outcome: 'failed',
    requests: '0',
    error: expect.stringMatching(
      /^3 problems\. \(1\) service: line 2: must begin with deployment-status=, .* \(2\) service: line 3: "Zorp" means success in line 1\. \(SD1108\) \(3\) service: line 4: message-events must be a path such as \S+ with \{messageId\}, .*\. \(SD1108\)$/,
    ),
  },
};

describe.concurrent('the service', () => {
  it('has its own paths of a deployment', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const result = await runStep(emulator, project, { inputs: { service } });
    const id = result.outputs['deployment-id'];
    expect(result.outputs['outcome']).toBe('unconfirmed');
    const paths = new Set(emulator.journal.of('unknown').map(({ path }) => path));
    expect(paths).toEqual(new Set([`/v2/builds/${id}`, `/v2/${project.id}/builds/${id}/events`]));
  });

  it('has its own path of an answer', async () => {
    await using world = await startMessage({
      messageEventsPath: '/v1/turns/{messageId}/stream',
      turnText: ['Done'],
    });
    expect((await world.run({ inputs: { service } })).outputs['text']).toBe('Done');
  });

  it('has its own statuses of a domain', async () => {
    const zorp = { waiting: 'zorp', working: 'zorp', good: 'zorp', bad: 'zorp' };
    await using world = await startDomains({
      domainWords: { state: zorp, ownership: zorp, certificate: zorp, routing: zorp },
    });
    const site = { 'connected-domains': { 'www.example.com': { project: 'self' } } };
    const result = await world.run(site, { inputs: { wait: '5s', service } });
    expect(JSON.parse(result.outputs['domains'] ?? '')).toMatchObject([{ verification: 'good' }]);
    expect(result.annotations).toEqual([]);
  });

  it.each(['apply', 'explain'])('is wrong: deploy, mode %s', async (mode) => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const result = await runStep(emulator, project, { inputs: { mode, service: wrong } });
    expect(result).toMatchObject(refused);
    expect(emulator.journal.entries.filter(({ operation }) => operation !== 'git')).toEqual([]);
  });

  it('is wrong: domains', async () => {
    await using world = await startDomains({});
    expect(await world.run({}, { inputs: { service: wrong } })).toMatchObject(refused);
    expect(world.emulator.journal.entries).toEqual([]);
  });

  it('is wrong: message', async () => {
    await using world = await startMessage();
    expect(await world.run({ inputs: { service: wrong } })).toMatchObject(refused);
    expect(world.emulator.journal.entries).toEqual([]);
  });

  it('is no key of the site file', async () => {
    await using world = await startDomains({});
    const site = { 'connected-domains': {}, service: 'success=zorp' };
    const { outputs } = await world.run(site, {});
    expect(outputs['error']).toMatch(/^config: .*service/);
    expect(world.emulator.journal.entries).toEqual([]);
  });
});
