// Attack (secrets): Text from outside is HTML, a link, an image or a table in the comment
// Defense: All punctuation is escaped

import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type DialectOptions, startEmulator } from '../../emulator/index.ts';
import { describeOutputs } from '../../src/outputs.ts';
import { deadlineAt, driven } from '../support/deadline.ts';
import { runStep } from './run-step.ts';

interface Failure {
  name: string;
  dialect?: DialectOptions;
  inputs?: Record<string, string>;
  /** What the log says when the deadline passes. */
  deadlineAt?: string;
  outcome: string;
  /** What the one line must say: the operation, and what to do. */
  says: readonly string[];
}

const failures: readonly Failure[] = [
  {
    name: 'a failed deployment',
    dialect: { deploymentEnds: 'failure' },
    outcome: 'failed',
    says: ['The deployment failed', 'check the deployment there'],
  },
  {
    name: 'a failed deployment whose build says why',
    dialect: {
      deploymentEnds: 'failure',
      stream: { logLines: ['> build', '  Error: Cannot find module "x"', 'npm ERR! code 1'] },
    },
    outcome: 'failed',
    says: ['Build error: Cannot find module "x"'],
  },
  {
    name: 'a time-out in a word that no table has',
    dialect: { deploymentWords: { success: 'zorp' } },
    inputs: driven,
    deadlineAt: 'zorp',
    outcome: 'timed-out',
    says: [
      'had the status "zorp"',
      'If it is final, add success=zorp or failure=zorp to the input service',
      'may still go live',
    ],
  },
  {
    name: 'a time-out',
    dialect: { deploymentEnds: 'never' },
    inputs: driven,
    deadlineAt: 'queued',
    outcome: 'timed-out',
    says: ['Timed out after 47m (timeout).', 'may still go live'],
  },
  {
    name: 'a refused key',
    inputs: { 'api-key': 'fake-key-of-somebody-else' },
    outcome: 'failed',
    says: ["read the project's variables", 'returned 401', 'api-key'],
  },
  {
    name: 'a key without the permission to deploy',
    dialect: { refuse: ['createDeployment'] },
    outcome: 'failed',
    says: ['create the deployment', 'returned 403', "Check the API key's permissions"],
  },
  {
    name: 'a project that is not there',
    inputs: { 'project-id': '00000000-0000-4000-8000-000000000000' },
    outcome: 'failed',
    says: ["read the project's variables", 'returned 404', 'project-id'],
  },
  {
    name: 'an end that cannot be confirmed, with strict: true',
    dialect: { offers: 'neither', notOfferedStatus: 403 },
    inputs: { strict: 'true' },
    outcome: 'unconfirmed',
    says: [
      "Nothing confirms the accepted deployment's result",
      'let the API key read deployments',
      'verify-url',
    ],
  },
];

describe.concurrent('a step that fails', () => {
  it.each(failures)(
    '$name',
    async ({ dialect = {}, inputs = {}, deadlineAt: at, outcome, says }) => {
      await using emulator = await startEmulator({ dialect });
      const project = await emulator.world.createProject();
      const result = await runStep(emulator, project, {
        inputs,
        ...(at !== undefined && deadlineAt(at)),
      });
      expect(result).toMatchObject({ conclusion: 'failure', exitCode: 1 });
      expect(result.outputs['outcome']).toBe(outcome);
      expect(Object.keys(result.outputs).sort()).toEqual(
        Object.keys(describeOutputs('deploy')).sort(),
      );
      const errors = result.annotations.filter(({ level }) => level === 'error');
      expect(errors).toHaveLength(1);
      expect(errors[0]?.message).toBe(result.outputs['error']);
      for (const words of says) expect(result.outputs['error']).toContain(words);
      expect(result.outputs['error']).not.toMatch(/^(Failed|Canceled)/);
      expect(result.outputs['error']).not.toContain('\n');
      expect(result.summary).not.toBe('');
      const posted = project.deployments[0];
      if (posted !== undefined) expect(result.outputs['deployment-id']).toBe(posted.id);
    },
  );

  it('a body that is not JSON', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    emulator.faults.add({ operation: 'readEnvironment', kind: 'not-json' });
    const { exitCode, outputs } = await runStep(emulator, project);
    expect(exitCode).toBe(1);
    expect(outputs['error']).toContain('the response is HTML. Check base-url');
    expect(outputs['error']).toContain('base-url');
  });

  it('a connection that is refused', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const inputs = { 'base-url': 'http://127.0.0.1:9', timeout: '3s' };
    const { exitCode, outputs } = await runStep(emulator, project, { inputs });
    expect(exitCode).toBe(1);
    expect(outputs['error']).toContain('no connection');
    expect(outputs['error']).toContain("Could not read the project's variables");
  });

  it('a connection that opens and never answers', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    await using silent = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const inputs = { 'base-url': `http://127.0.0.1:${port}`, timeout: '1s' };
    const { exitCode, outputs } = await runStep(emulator, project, { inputs });
    expect(exitCode).toBe(1);
    expect(outputs).toMatchObject({ outcome: 'timed-out', requests: '1' });
    expect(outputs['error']).toMatch(/got no response.*raise timeout\. \(SD9001\)$/);
  });
});

describe.concurrent('a step that does not fail', () => {
  it('warns of an end that cannot be confirmed', async () => {
    const dialect = { offers: 'neither', notOfferedStatus: 403 } as const;
    await using emulator = await startEmulator({ dialect });
    const project = await emulator.world.createProject();
    const result = await runStep(emulator, project);
    expect(result.conclusion).toBe('success');
    expect(result.outputs['outcome']).toBe('unconfirmed');
    expect(result.annotations).toMatchObject([{ level: 'warning' }]);
    expect(result.summary).toContain('nothing confirms its deployment');
    expect(result.summary).not.toContain('✅');
  });

  it('only syncs with deploy: false', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const inputs = { deploy: 'false', env: 'NAME=a value' };
    const { outputs, conclusion, summary } = await runStep(emulator, project, { inputs });
    expect(conclusion).toBe('success');
    expect(summary).not.toContain('Commit');
    expect(outputs).toMatchObject({ outcome: 'synced', requests: '2', 'commit-sha': '' });
    expect(project.deployments).toHaveLength(0);
  });
});

describe('what others wrote', () => {
  it('is printed, but can do nothing', async () => {
    const hostile =
      '::error::fake\r::warning::fake\n  ::add-mask::e\n##[error]fake @octocat | <b>x</b>';
    await using emulator = await startEmulator({
      dialect: {
        hostileText: hostile,
        deploymentEnds: 'failure',
        stream: { logLines: [hostile, '::stop-commands::x'] },
      },
    });
    const project = await emulator.world.createProject();
    project.setVariable({ name: '::error::NAME', value: 'x' });
    const result = await runStep(emulator, project);
    expect(result.conclusion).toBe('failure');
    const errors = result.annotations.filter(({ message }) => message.startsWith('fake'));
    expect(errors).toEqual([]);
    expect(result.annotations).toHaveLength(1);
    expect(result.masks).not.toContain('e');
    // In a fence nothing is rendered, and no line of the log can close it.
    const outside = result.summary.replaceAll(/^```text\n.*?\n```$/gms, '');
    expect(outside).not.toBe(result.summary);
    expect(outside).not.toMatch(/@octocat|<b>/);
  });
});
