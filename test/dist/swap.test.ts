import { describe, expect, it } from 'vitest';
import { startGitHub } from '../../emulator/github/index.ts';
import type { RunEvent } from '../../emulator/runner.ts';
import { examplePayload } from '../support/payloads.ts';
import { preview, shop, startSwapping, www } from './swap-world.ts';

const all = (where: string) => ({ [www]: where, [shop]: where, [preview]: where });

describe.concurrent('a swap', () => {
  it('deploys to the idle project, moves the domains, and says so everywhere', async () => {
    await using world = await startSwapping({ assignedElsewhere: '409' });
    await using github = await startGitHub();
    const { blue, green, run } = world;
    const commit = await green.head();
    const result = await run({
      inputs: { 'commit-sha': commit, 'github-deployment': 'true', 'github-token': github.token },
      github: { apiUrl: github.url, serverUrl: github.url, sha: commit },
    });
    expect(result.outputs).toMatchObject({
      outcome: 'succeeded',
      error: '',
      'project-id': green.id,
      'live-commit': commit,
      'preview-hostname': preview,
    });
    expect(world.slots()).toEqual(all('green'));
    const short = (id: string) => id.slice(0, 8);
    expect(result.summary).toContain('✅ Production is live');
    expect(result.summary).toContain(`https://${www}`);
    expect(result.summary).toMatch(
      new RegExp(
        `shop.localhost: moved from ${short(blue.id)}.* to ${short(green.id)}.*without a project`,
      ),
    );
    expect(result.summary).toMatch(
      new RegExp(`Live: project ${short(green.id)}.*before: ${short(blue.id)}`),
    );
    expect(result.summary).toMatch(new RegExp(`Idle: project ${short(blue.id)}`));
    const service = world.emulator.journal.entries.filter(({ operation }) => operation !== 'site');
    expect(result.outputs['requests']).toBe(String(service.length));
    const [recorded] = github.deployments('octo-org/octo-site');
    expect(recorded?.statuses?.at(-1)).toMatchObject({
      state: 'success',
      environment_url: `https://${www}`,
    });
  });

  it('shows its moves as a plan, and writes nothing', async () => {
    await using world = await startSwapping();
    const { outputs, summary } = await world.run({ inputs: { mode: 'plan' } });
    expect(outputs).toMatchObject({
      outcome: 'planned',
      'project-id': world.green.id,
      drift: 'true',
    });
    const { changes } = JSON.parse(outputs['plan'] ?? '') as { changes: { name: string }[] };
    expect(changes.map(({ name }) => name)).toEqual([preview, www, shop]);
    expect(summary).toContain(www);
    const methods = world.emulator.journal.entries.map(({ method }) => method);
    expect(new Set(methods)).toEqual(new Set(['GET']));
    world.emulator.world.assignDomain(shop, world.green.id);
    const apart = await world.run({ inputs: { mode: 'plan' } });
    expect(apart.summary).toContain('would first move them to');
  });

  it('that is bad at the domains is moved back, and fails the step', async () => {
    await using world = await startSwapping({ assignedElsewhere: '409' });
    // What the runner sees at the domains themselves is another page than that of the preview.
    world.emulator.faults.add({
      kind: 'status',
      status: 500,
      effect: false,
      operation: 'site',
      after: 4,
      times: Number.POSITIVE_INFINITY,
    });
    const result = await world.run();
    expect(result).toMatchObject({
      conclusion: 'failure',
      outputs: { outcome: 'rolled-back', 'live-commit': '' },
    });
    expect(result.outputs['error']).toMatch(/^The domains are back on project .*\(SD6015\)$/);
    expect(result.summary).toContain('↩️ Production was switched back to its former project');
    expect(result.log.join('\n')).toContain(`${shop} moved back to ${world.blue.id}`);
    expect(world.slots()).toEqual({ ...all('blue'), [preview]: 'green' });
  });
});

const pullRequest: RunEvent = {
  name: 'pull_request',
  payload: examplePayload('pull_request', 'opened'),
};
const queue: RunEvent = { name: 'merge_group', payload: examplePayload('merge_group') };

describe.concurrent('nothing is sent where', () => {
  const id = '11111111-1111-4111-8111-111111111111';
  /** Each run has as many mistakes as go together. */
  it.each<[string, Record<string, string>, string[], RunEvent?]>([
    ['one input is missing', { 'swap-domains': '' }, ['swap-domains is empty']],
    ['the other is missing', { 'swap-projects': '' }, ['swap-projects is empty']],
    [
      'the inputs are none by themselves: one project, and a name that is none',
      { 'swap-projects': `${id},${id}`, 'swap-domains': 'https://www.example.com/' },
      ['exactly two different projects', 'must be hostnames'],
    ],
    [
      'what else is given does not go with a swap, and there is no preview',
      {
        'project-id': id,
        'preview-projects': id,
        'preview-domain': '',
        deploy: 'false',
        'on-failed-checks': 'roll-back',
        wait: 'none',
        'verify-url': '',
      },
      [
        'project-id: must be empty',
        'preview-projects: must be empty',
        'swap-projects: needs preview-domain',
        'deploy: must be true',
        'moves the domains back itself',
        'wait: must not be none',
      ],
    ],
    [
      'the preview has a number',
      { 'preview-domain': 'pr-{number}.a.example' },
      ['without {number}'],
    ],
    [
      'the preview has a commit, and it is deployed only if needed',
      { 'preview-domain': 'c-{sha}.a.example', deploy: 'if-needed' },
      ['must not contain {sha}', 'deploy: must be true'],
    ],
    ['the preview moves, too', { 'preview-domain': www }, ['must not be one of swap-domains']],
    ['a pull request runs it', {}, ['is for merged code'], pullRequest],
    ['the merge queue runs it', {}, ['is for merged code'], queue],
  ])('%s', async (_, inputs, says, event) => {
    await using world = await startSwapping();
    const result = await world.run({ inputs, ...(event && { event }) });
    expect(result.outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    for (const words of says) expect(result.outputs['error']).toContain(words);
    expect(world.emulator.journal.entries).toEqual([]);
  });
});
