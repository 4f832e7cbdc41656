import { describe, expect, it } from 'vitest';
import { startEmulator } from '../../emulator/index.ts';
import { actions } from '../../src/inputs.ts';
import { siteDeploy, siteDeployProcess } from './site-deploy.ts';

const merged = ['--pull-request', 'none'];

/** The result that a command prints, which is held against its schema, and its exit status. */
async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = await siteDeploy([...args, '--json'], { env });
  return { status, stderr, result: JSON.parse(stdout) };
}

describe('--json', () => {
  it('has numbers, booleans, lists and objects, and nothing where there is nothing to say', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const env = {
      SITE_API_KEY: emulator.key,
      SITE_BASE_URL: emulator.url,
      SITE_PROJECT_ID: project.id,
    };
    const args = ['deploy', '--commit-sha', await project.head(), '--env', 'A=b', ...merged];
    const { status, result } = await run(args, env);
    expect(status).toBe(0);
    expect(result).toMatchObject({
      schema: 1,
      action: 'deploy',
      outcome: 'succeeded',
      'deployment-repeated': false,
      drift: false,
      plan: { changes: [{ type: 'environment', name: 'A', action: 'create' }] },
      'env-summary': { created: 1, replaced: 0 },
      requests: expect.any(Number),
      'duration-ms': expect.any(Number),
    });
    const silent = ['skipped-reason', 'pushed', 'checks', 'comment-url', 'error', 'problems'];
    expect(silent.filter((name) => name in result)).toEqual([]);
  });

  it('has each wrong input, with its code', async () => {
    const env = { SITE_API_KEY: 'a-key', SITE_BASE_URL: 'https://a.example' };
    const args = ['env-sync', '--project-id', 'site', '--timeout', 'long', ...merged];
    const { status, result } = await run(args, env);
    expect(status).toBe(2);
    const { problems, error, ...others } = result;
    expect(others).toEqual({
      schema: 1,
      action: 'env-sync',
      outcome: 'failed',
      requests: 0,
      'duration-ms': expect.any(Number),
    });
    expect(problems).toEqual([
      { input: 'timeout', code: 'SD1002', message: expect.stringMatching(/^--timeout: .*\.$/) },
      {
        input: 'project-id',
        code: 'SD1005',
        message: expect.stringMatching(/^--project-id: .*\.$/),
      },
    ]);
    expect(error).toEqual({
      code: 'SD1005',
      message: expect.stringMatching(
        /^2 problems\. \(1\) --timeout.* \(SD1002\) \(2\) --project-id/,
      ),
    });
  });

  it.each([
    ['a flag that is not known', ['deploy', '--projectid', 'a'], { action: 'deploy' }],
    ['a value that is missing', ['domains', '--check'], { action: 'domains' }],
    ['a pull request that is not known', ['message', '--content', 'a'], { action: 'message' }],
    ['a command that is not known', ['deplyo'], {}],
    ['no command', [], {}],
    ['a value for the flag itself', ['deploy', '--json=true'], { action: 'deploy' }],
  ])('has the error of a command line with %s', async (_what, args, expected) => {
    const { status, stderr, result } = await run(args);
    expect(status).toBe(2);
    const { message } = result.error;
    expect(result).toEqual({
      schema: 1,
      ...expected,
      outcome: 'failed',
      error: { code: 'SD1127', message, next: { needs: expect.any(String) } },
    });
    expect(stderr).toBe(`site-deploy: ${message} (SD1127)\n`);
  });

  it.each(Object.keys(actions))('is printed by %s for wrong inputs', async (action) => {
    const { status, result } = await run([action, '--timeout', 'long', ...merged]);
    expect(status).toBe(2);
    expect(result).toMatchObject({ action, outcome: 'failed', problems: expect.any(Array) });
  });

  it.each([
    ['before a run', 'Date.now'],
    ['in a run', 'AbortSignal.any'],
  ])('has an unexpected error %s, without its text', async (_when, name) => {
    const key = 'not-a-real-key-0123456789';
    const fault = `${name}=()=>{throw new TypeError('${key}')}`;
    const ran = await siteDeployProcess(['deploy', '--commit-sha=HEAD', '--json', ...merged], {
      env: {
        NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(fault)}"`,
        SITE_API_KEY: key,
        SITE_BASE_URL: 'http://127.0.0.1:9',
        SITE_PROJECT_ID: '3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10',
      },
    });
    expect(ran.status).toBe(1);
    expect(JSON.parse(ran.stdout)).toEqual({
      schema: 1,
      action: 'deploy',
      outcome: 'failed',
      error: {
        code: 'SD9003',
        message:
          "Unexpected error in site-deploy (TypeError). Please report it with the run's inputs, without secrets.",
      },
    });
    expect(ran.stderr).not.toContain(key);
  });
});
