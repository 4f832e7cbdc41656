// Attack (secrets): A link in the workspace leads to a file of the machine
// Defense: Real paths are compared
// Attack (secrets): An error quotes a wrong line of variables, or a pasted value
// Defense: Only the line or item number is shown

import { describe, expect, it } from 'vitest';
import { startEmulator } from '../../emulator/index.ts';
import { describeOutputs } from '../../src/outputs.ts';
import { readable, runStep } from './run-step.ts';

const secret = 'not-a-real-secret-0123456789';

const own = '11111111-1111-4111-8111-111111111111';

/**
 * Each wrong input, and what its message must name besides the input. The form of one input is tested at its schema,
 * a line of variables in src/variables/.
 */
const wrong: readonly (readonly [string, Record<string, string>, string])[] = [
  ['api-key', { 'api-key': '' }, "The secret it comes from is not set, or this job can't read it"],
  ['api-key', { 'api-key': '', api_key: secret }, 'api_key was given: did you mean api-key?'],
  [
    'base-url',
    { 'base-url': '' },
    "The variable it comes from is not set, or this job can't read it",
  ],
  [
    'project-id',
    { 'project-id': 'my-project' },
    '"my-project" must be a UUID, not a name: the /projects action',
  ],
  ['env-on-conflict', { 'env-on-conflict': 'merge' }, 'overwrite, keep or fail'],
  [
    'service',
    { service: 'success=a\ndeployment-status=https://example.com/x' },
    'line 2: deployment-',
  ],
  ['env', { env: `A=1\n${secret}` }, 'line 2'],
  ['env-from', { 'env-from': 'EMPTY' }, 'EMPTY is empty. Set the secret'],
  ['env-file', { 'env-file': 'no/such.env' }, 'does not exist'],
  ['env-file', { 'env-file': '../../../etc/hostname' }, 'env-file'],
  ['service', { service: 'success=zorp\nfailure=zorp' }, 'line 2: "zorp" means success in line 1'],
  ['verify-url', { 'verify-url': 'www.example.com' }, 'must be a URL'],
  ['verify-url', { 'verify-url': 'https://example.com', wait: 'none' }, 'other than none'],
  ['verify-contains', { 'verify-contains': 'x' }, 'needs verify-url'],
  ['preview-projects', { 'preview-projects': crypto.randomUUID() }, 'needs preview-domain'],
  ['preview-idle', { 'preview-idle': '7' }, 'must be an age in hours or days'],
  ['preview-idle', { 'preview-idle': '7d' }, 'needs preview-domain'],
  [
    'preview-idle',
    {
      'preview-idle': '7d',
      'preview-domain': 'pr-{number}.example.com',
      'github-deployment': 'false',
    },
    'needs github-deployment: true',
  ],
  [
    'preview-projects',
    { 'preview-projects': own, 'project-id': own, 'preview-domain': 'pr-{number}.example.com' },
    'contains project-id',
  ],
  ['preview-domain', { 'preview-domain': 'nodots' }, 'does not give a valid hostname'],
  ['comment', { comment: 'true' }, 'needs a pull request'],
  ['verify-url', { 'verify-url': 'https://a:b@example.com/' }, 'user name or password'],
  ['verify-url', { 'verify-url': 'https://{preview-domain}/' }, 'needs the input preview-domain'],
  [
    'project-id',
    { 'project-id': '' },
    "The variable it comes from is not set, or this job can't read it",
  ],
  ['env-from', { 'env-from': `A=${secret}` }, 'not shown because'],
  ['mode', { mode: 'dry' }, 'apply, plan or explain'],
  ['env-ledger', { 'env-ledger': '../ledger.txt' }, 'in the workspace'],
  ['config', { config: '.github/site.yml' }, 'does not exist'],
];

describe.concurrent('a wrong input', () => {
  it.each(wrong)('%s: %j', async (input, inputs, words) => {
    await using emulator = await startEmulator();
    const [project] = emulator.world.createProjects(1);
    if (project === undefined) throw new Error('no project was made');
    const event = { name: 'push', payload: { ref: 'refs/heads/main', after: 'a'.repeat(40) } };
    const result = await runStep(emulator, project, { event, inputs, env: { EMPTY: '' } });
    expect(result).toMatchObject({ conclusion: 'failure', exitCode: 1 });
    expect(result.outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    expect(result.outputs['error']).toContain(input);
    expect(result.outputs['error']).toContain(words);
    expect(emulator.journal.entries.filter(({ operation }) => operation !== 'git')).toEqual([]);
    const ours = result.log.slice(result.log.findIndex((line) => line.startsWith('Failed')));
    expect(readable({ ...result, log: ours })).not.toContain(secret);
  });

  it('is a proxy variable, also if the service is reached without a proxy', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const env = { HTTP_PROXY: `http://user:%FF-${secret}@proxy.example:3128` };
    const inputs = { 'verify-url': 'http://site.invalid/' };
    const { outputs, annotations } = await runStep(emulator, project, { env, inputs });
    expect(outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    expect(outputs['error']).toMatch(/^HTTP_PROXY is set in the environment but .* \(SD1010\)$/);
    expect(JSON.stringify([outputs, annotations])).not.toContain(secret);
  });

  it('is told once where it is the only one', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const { log, annotations } = await runStep(emulator, project, { inputs: { timeout: 'soon' } });
    expect(log.filter((line) => line.includes('must be a duration'))).toHaveLength(1);
    expect(annotations).toHaveLength(1);
  });

  it('is reported together with all others, and every output is set', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const inputs = {
      'base-url': 'http://example.com',
      timeout: 'soon',
      wait: 'maybe',
      'env-from': 'MISSING_ONE\nMISSING_TWO',
      env: 'nonsense',
    };
    const result = await runStep(emulator, project, { inputs });
    const error = result.outputs['error'] ?? '';
    expect(error).toMatch(
      /^6 problems\. \(1\) base-url: .*\. \(SD1003\) \(2\) .*\. \(SD\d{4}\) \(6\) /,
    );
    expect(result.log.filter((line) => line.startsWith('× '))).toHaveLength(6);
    for (const words of ['base-url', 'timeout', 'wait', 'MISSING_ONE', 'MISSING_TWO', 'line 1']) {
      expect(error).toContain(words);
    }
    expect(result.annotations).toHaveLength(1);
    expect(Object.keys(result.outputs).sort()).toEqual(
      Object.keys(describeOutputs('deploy')).sort(),
    );
  });

  it('is told without a commit that nobody has named', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const refused = await runStep(emulator, project, { inputs: { timeout: 'soon' } });
    expect(refused.summary).toContain('Project: ');
    expect(refused.summary).not.toContain('Commit');
    const inputs = { timeout: 'soon', 'commit-sha': 'head' };
    const head = await runStep(emulator, project, { inputs });
    expect(head.summary).toContain("HEAD of the project's repository");
  });

  it('is not the reason for another mistake', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    for (const inputs of [{ deploy: 'maybe' }, { 'commit-sha': 'main' }]) {
      const result = await runStep(emulator, project, {
        inputs: { ...inputs, 'preview-domain': '{sha}-x.example.com' },
      });
      expect(result.outputs['error']).toContain(Object.keys(inputs)[0]);
      expect(result.outputs['error']).not.toContain('preview-domain');
    }
  });
});
