import { describe, expect, it } from 'vitest';
import { startGitHub } from '../../src/emulator/github/index.ts';
import { startEmulator } from '../../src/emulator/index.ts';
import type { RunOptions } from '../../src/emulator/runner.ts';
import { runStep } from './run-step.ts';

/** A pull request as GitHub's events hold it, as far as it matters. */
const pullRequest = (sha: string, from: string) => ({
  number: 7,
  state: 'open',
  head: { ref: 'topic', sha, repo: { full_name: from } },
  base: { ref: 'main', repo: { full_name: 'octo-org/octo-site' } },
});

describe.concurrent('the event decides the commit', () => {
  it.each<[string, (sha: string) => Partial<RunOptions>]>([
    ['push', (sha) => ({ event: { name: 'push', payload: { after: sha } } })],
    ['schedule', (sha) => ({ event: { name: 'schedule', payload: {} }, github: { sha } })],
    [
      'workflow_dispatch',
      (sha) => ({ event: { name: 'workflow_dispatch', payload: {} }, github: { sha } }),
    ],
    [
      'workflow_run',
      (sha) => ({ event: { name: 'workflow_run', payload: { workflow_run: { head_sha: sha } } } }),
    ],
    [
      'merge_group',
      (sha) => ({ event: { name: 'merge_group', payload: { merge_group: { head_sha: sha } } } }),
    ],
    ['deployment', (sha) => ({ event: { name: 'deployment', payload: { deployment: { sha } } } })],
    [
      'check_run',
      (sha) => ({ event: { name: 'check_run', payload: { check_run: { head_sha: sha } } } }),
    ],
    [
      'pull_request',
      (sha) => ({
        event: {
          name: 'pull_request',
          payload: {
            action: 'synchronize',
            pull_request: pullRequest(sha, 'octo-org/octo-site'),
          },
        },
        inputs: { 'allow-production': 'true' },
      }),
    ],
  ])('%s', async (_, optionsFor) => {
    await using emulator = await startEmulator();
    const project = await emulator.createProject();
    const sha = await project.head();
    const { inputs, ...options } = optionsFor(sha);
    const result = await runStep(emulator, project, {
      ...options,
      inputs: { wait: 'none', ...inputs },
    });
    expect(result.outputs).toMatchObject({ outcome: 'accepted', 'commit-sha': sha });
    expect(project.deployments[0]?.commit).toBe(sha);
  });

  it('a comment on a pull request: GitHub is asked for its head', async () => {
    await using emulator = await startEmulator();
    await using github = await startGitHub();
    const project = await emulator.createProject();
    const sha = await project.head();
    const head = { ref: 'topic', sha, repo: null };
    const base = { ...head, ref: 'main' };
    github.pullRequests.set('octo-org/octo-site#7', { number: 7, state: 'open', head, base });
    const result = await runStep(emulator, project, {
      event: { name: 'issue_comment', payload: { issue: { number: 7, pull_request: {} } } },
      github: { apiUrl: github.url, token: github.token },
      inputs: { wait: 'none' },
    });
    expect(result.outputs['commit-sha']).toBe(sha);
  });

  it('a refusal by GitHub names the permission that is missing', async () => {
    await using emulator = await startEmulator();
    await using github = await startGitHub();
    github.trouble = 'forbidden';
    const project = await emulator.createProject();
    const result = await runStep(emulator, project, {
      event: { name: 'issue_comment', payload: { issue: { number: 7, pull_request: {} } } },
      github: { apiUrl: github.url, token: github.token },
    });
    expect(result.exitCode).toBe(1);
    expect(result.outputs['error']).toContain('pull-requests: read');
    expect(emulator.journal.entries).toEqual([]);
  });
});

describe.concurrent('a run with nothing to do', () => {
  const fork = {
    action: 'opened',
    pull_request: pullRequest('a'.repeat(40), 'stranger/r'),
  };
  it.each<[string, Partial<RunOptions>]>([
    [
      'branch-deleted',
      { event: { name: 'push', payload: { after: '0'.repeat(40), deleted: true } } },
    ],
    [
      'pull-request-closed',
      { event: { name: 'pull_request', payload: { ...fork, action: 'closed' } } },
    ],
    ['fork', { event: { name: 'pull_request', payload: fork }, inputs: { 'api-key': '' } }],
    ['dependabot', { github: { actor: 'dependabot[bot]' }, inputs: { 'api-key': '' } }],
    ['missing-credentials', { inputs: { 'api-key': '', 'on-missing-credentials': 'skip' } }],
  ])('%s: it says why and succeeds', async (reason, options) => {
    await using emulator = await startEmulator();
    const project = await emulator.createProject();
    const result = await runStep(emulator, project, options);
    expect(result.conclusion).toBe('success');
    expect(result.outputs).toMatchObject({ outcome: 'skipped', 'skipped-reason': reason });
    expect(result.annotations).toMatchObject([{ level: 'notice' }]);
    expect(emulator.journal.entries.filter(({ operation }) => operation !== 'git')).toEqual([]);
  });

  it('fails on a fork when it is told to', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.createProject();
    const result = await runStep(emulator, project, {
      event: { name: 'pull_request', payload: fork },
      inputs: { 'api-key': '', 'on-missing-credentials': 'fail' },
    });
    expect(result.conclusion).toBe('failure');
    expect(result.outputs['error']).toContain('api-key');
  });

  it('a pull request is not deployed over a site that is served', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.createProject();
    emulator.connectDomain('www.example.com', project.id);
    const pull_request = pullRequest(await project.head(), 'octo-org/octo-site');
    const result = await runStep(emulator, project, {
      event: { name: 'pull_request', payload: { action: 'opened', pull_request } },
      inputs: { comment: 'false' },
    });
    expect(result.conclusion).toBe('failure');
    expect(result.outputs['error']).toContain('allow-production');
    expect(project.deployments).toEqual([]);
  });

  const ofPullRequest = (sha: string) => ({ head_sha: sha, pull_requests: [{ number: 7 }] });
  it.each<[string, (sha: string) => Record<string, unknown>]>([
    ['merge_group', (sha) => ({ merge_group: { head_sha: sha } })],
    ['pull_request', (sha) => ({ pull_request: pullRequest(sha, 'octo-org/octo-site') })],
    ['pull_request_review', (sha) => ({ pull_request: pullRequest(sha, 'octo-org/octo-site') })],
    ['check_suite', (sha) => ({ check_suite: ofPullRequest(sha) })],
    ['check_run', (sha) => ({ check_run: ofPullRequest(sha) })],
    ['deployment_status', (sha) => ({ deployment: { sha } })],
    ['workflow_run', (sha) => ({ workflow_run: { event: 'merge_group', head_sha: sha } })],
    ['workflow_run', (sha) => ({ workflow_run: { event: 'push', ...ofPullRequest(sha) } })],
  ])('%s: unmerged code does not replace a site that is served', async (name, payloadFor) => {
    await using emulator = await startEmulator();
    const project = await emulator.createProject();
    emulator.connectDomain('www.example.com', project.id);
    const payload = payloadFor(await project.head());
    const inputs = { comment: 'false' };
    const result = await runStep(emulator, project, { event: { name, payload }, inputs });
    expect(result.outputs['error']).toContain('www.example.com');
    expect(project.deployments).toEqual([]);
  });

  it('a workflow run whose commit is at no open head cleans nothing up', async () => {
    await using emulator = await startEmulator();
    await using github = await startGitHub();
    const project = await emulator.createProject();
    emulator.connectDomain('main.preview.example.com', project.id);
    const run = { event: 'pull_request', head_sha: await project.head(), pull_requests: [] };
    const result = await runStep(emulator, project, {
      event: { name: 'workflow_run', payload: { workflow_run: run } },
      github: { apiUrl: github.url, token: github.token },
      inputs: { 'preview-domain': '{branch}.preview.example.com' },
    });
    expect(result.outputs).toMatchObject({
      outcome: 'skipped',
      'skipped-reason': 'no-open-pull-request',
    });
    expect(emulator.connectedDomains[0]?.projectId).toBe(project.id);
  });
});
