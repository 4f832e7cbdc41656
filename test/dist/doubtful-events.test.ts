import { describe, expect, it } from 'vitest';
import { startEmulator } from '../../emulator/index.ts';
import { runAction } from '../../emulator/runner.ts';
import { rows } from '../support/exhaustive.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { shareProcess } from '../support/shared-process.ts';
import { unpacked } from './run-step.ts';

/**
 * Runs the action after an event, and explains it: the warnings of both, and what is deployed. `HEAD` stands for the SHA
 * of the commit.
 */
async function attempt(name: string, payload: object, inputs: Record<string, string> = {}) {
  await using emulator = await startEmulator({ dialect: { buildMs: 0 } });
  const project = await emulator.world.createProject();
  const sha = await project.head();
  const naming = <Part>(part: Part): Part =>
    JSON.parse(JSON.stringify(part).replaceAll('HEAD', sha));
  const run = (more: Record<string, string> = {}) =>
    runAction({
      action: unpacked,
      launch: shareProcess,
      event: { name, payload: naming(payload) },
      github: { sha },
      inputs: {
        'api-key': emulator.key,
        'base-url': emulator.url,
        'project-id': project.id,
        'github-deployment': 'false',
        comment: 'false',
        ...naming(inputs),
        ...more,
      },
    });
  const explained = await run({ mode: 'explain' });
  const done = await run();
  const warningsOf = ({ annotations }: typeof done) =>
    annotations.flatMap(({ level, message }) =>
      level === 'warning' ? (/\(SD11\d\d\)$/.test(message) ? [message] : []) : [],
    );
  expect(warningsOf(explained)).toEqual(warningsOf(done));
  return {
    explained,
    done,
    warnings: warningsOf(done),
    isDeployed: project.deployments.some(({ commit }) => commit === sha),
  };
}

const ended = (conclusion: string | null) =>
  adjust(examplePayload('workflow_run', 'completed'), {
    'workflow_run.event': 'push',
    'workflow_run.head_sha': 'HEAD',
    'workflow_run.conclusion': conclusion,
  });
const reports = {
  workflow_run: ended('failure'),
  check_run: { action: 'completed', check_run: { head_sha: 'HEAD', conclusion: 'cancelled' } },
  check_suite: { action: 'completed', check_suite: { head_sha: 'HEAD', conclusion: 'skipped' } },
  deployment_status: { deployment_status: { state: 'error' }, deployment: { sha: 'HEAD' } },
  status: { state: 'pending', sha: 'HEAD' },
};

describe.concurrent('a commit', () => {
  it.each(rows(Object.entries(reports), 2))(
    'is deployed with a warning if what it waited for did not succeed: %s',
    async (name, payload) => {
      const { explained, warnings, isDeployed } = await attempt(name, payload);
      expect(warnings).toEqual([
        expect.stringMatching(/^github\.event\.\S+ is "\w+", .* == 'success' .*\(SD1125\)$/),
      ]);
      expect(explained.summary).toMatch(/\*\*Commit\*\*: .* the commit is deployed anyway/);
      expect(isDeployed).toBe(true);
    },
  );

  it('is deployed with that warning if commit-sha names it, too', async () => {
    const given = { 'commit-sha': 'HEAD' };
    const { warnings } = await attempt('workflow_run', ended('cancelled'), given);
    expect(warnings).toEqual([expect.stringContaining('is "cancelled"')]);
  });

  it('is deployed without a word after a success, and if none is deployed', async () => {
    expect(await attempt('workflow_run', ended('success'))).toMatchObject({
      warnings: [],
      isDeployed: true,
    });
    const none = { deploy: 'false', env: 'A=b' };
    expect(await attempt('workflow_run', ended('failure'), none)).toMatchObject({
      warnings: [],
      isDeployed: false,
    });
  });

  it('of the default branch is deployed with a warning if the event has none', async () => {
    const { explained, warnings, isDeployed } = await attempt('label', { action: 'created' });
    expect(warnings).toEqual([
      expect.stringMatching(/^The head .* no commit belongs to the event "label".*\(SD1126\)$/),
    ]);
    expect(explained.summary).toMatch(/\*\*Commit\*\*: .*, the head of the default branch\. The/);
    expect(isDeployed).toBe(true);
    const meant = await attempt('label', { action: 'created' }, { 'commit-sha': 'HEAD' });
    expect(meant).toMatchObject({ warnings: [], isDeployed: true });
  });

  it.each(rows(['delete', 'release'], 2))('is not deployed by a removal: %s', async (name) => {
    const payload = { action: 'deleted', ref: 'topic', ref_type: 'branch' };
    const { explained, done, isDeployed } = await attempt(name, payload);
    const skipped = { outcome: 'skipped', 'skipped-reason': 'branch-deleted' };
    expect(done.outputs).toMatchObject({ ...skipped, requests: '0' });
    expect(explained.outputs).toMatchObject(skipped);
    expect(isDeployed).toBe(false);
  });
});
