// Attack (starting): A pull request goes live on a project that serves another domain
// Defense: The run is refused before it writes, and names the domains

import { describe, expect, it } from 'vitest';
import { startGitHub } from '../../emulator/github/index.ts';
import { startEmulator } from '../../emulator/index.ts';
import type { RunOptions } from '../../emulator/runner.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { runStep } from './run-step.ts';

/** GitHub's own example of an event, with some fields changed. */
const own = (name: string, fields: Readonly<Record<string, unknown>>, action?: string) => ({
  event: { name, payload: adjust(examplePayload(name, action), fields) },
});

/** The fields of a pull request that matter here. */
const pullRequest = (sha: string, from: string) => ({
  'pull_request.number': 7,
  'pull_request.state': 'open',
  'pull_request.head.ref': 'topic',
  'pull_request.head.sha': sha,
  'pull_request.head.repo.full_name': from,
  'pull_request.base.repo.full_name': 'octo-org/octo-site',
});

describe.concurrent('the event decides the commit', () => {
  // Which one: src/github/runner/webhook-commit.test.ts. Here is one of the environment, and one of the payload.
  it.each<[string, (sha: string) => Partial<RunOptions>]>([
    ['schedule', (sha) => ({ event: { name: 'schedule', payload: {} }, github: { sha } })],
    [
      'workflow_run',
      (sha) =>
        own('workflow_run', {
          'workflow_run.head_sha': sha,
          'workflow_run.event': 'push',
          'workflow_run.pull_requests': [],
        }),
    ],
  ])('%s', async (_, optionsFor) => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
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
    const project = await emulator.world.createProject();
    const sha = await project.head();
    const head = { ref: 'topic', sha, repo: null };
    const base = { ...head, ref: 'main' };
    github.pullRequests.set('octo-org/octo-site#7', { number: 7, state: 'open', head, base });
    const result = await runStep(emulator, project, {
      ...own('issue_comment', { 'issue.number': 7, 'issue.pull_request': {} }, 'created'),
      github: { apiUrl: github.url, token: github.token },
      inputs: { wait: 'none' },
    });
    expect(result.outputs['commit-sha']).toBe(sha);
  });

  it('a refusal by GitHub names the permission that is missing', async () => {
    await using emulator = await startEmulator();
    await using github = await startGitHub();
    github.trouble = 'forbidden';
    const project = await emulator.world.createProject();
    const result = await runStep(emulator, project, {
      ...own('issue_comment', { 'issue.number': 7, 'issue.pull_request': {} }, 'created'),
      github: { apiUrl: github.url, token: github.token },
    });
    expect(result.exitCode).toBe(1);
    expect(result.outputs['error']).toContain('pull-requests: read');
    expect(emulator.journal.entries).toEqual([]);
  });
});

describe.concurrent('a run with nothing to do', () => {
  const fork = (action: string) =>
    own('pull_request', pullRequest('a'.repeat(40), 'stranger/r'), action);
  const ofDependabot = {
    ...own('pull_request', pullRequest('a'.repeat(40), 'octo-org/octo-site'), 'opened'),
    github: { actor: 'dependabot[bot]' },
  };
  it.each<[string, Partial<RunOptions>]>([
    ['branch-deleted', own('push', { after: '0'.repeat(40), deleted: true })],
    ['pull-request-closed', { ...fork('closed') }],
    ['fork', { ...fork('opened'), inputs: { 'api-key': '' } }],
    ['dependabot', { ...ofDependabot, inputs: { 'api-key': '' } }],
  ])('%s: it says why and succeeds', async (reason, options) => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const result = await runStep(emulator, project, options);
    expect(result.conclusion).toBe('success');
    expect(result.outputs).toMatchObject({ outcome: 'skipped', 'skipped-reason': reason });
    expect(result.annotations).toMatchObject([{ level: 'notice' }]);
    expect(emulator.journal.entries.filter(({ operation }) => operation !== 'git')).toEqual([]);
  });

  it('does not pass a push that Dependabot merged, without a key', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const result = await runStep(emulator, project, {
      github: { actor: 'dependabot[bot]' },
      inputs: { 'api-key': '' },
    });
    expect(result.conclusion).toBe('failure');
    expect(result.outputs['error']).toMatch(/api-key is empty.*Dependabot/);
  });

  it('a pull request is not deployed over a site that is served', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    emulator.world.connectDomain('www.example.com', project.id);
    const fields = pullRequest(await project.head(), 'octo-org/octo-site');
    const result = await runStep(emulator, project, {
      ...own('pull_request', fields, 'opened'),
      inputs: { comment: 'false' },
    });
    expect(result.conclusion).toBe('failure');
    expect(result.outputs['error']).toContain('allow-production');
    expect(project.deployments).toEqual([]);
  });

  const repo = { id: 1 };
  const run = (sha: string, event: string, pullRequests: readonly unknown[]) => ({
    'workflow_run.head_sha': sha,
    'workflow_run.head_branch': 'topic',
    'workflow_run.head_repository': repo,
    'workflow_run.repository': repo,
    'workflow_run.event': event,
    'workflow_run.pull_requests': pullRequests,
  });
  const proposed = (sha: string) => {
    const side = { ref: 'topic', sha, repo };
    return { number: 7, head: side, base: { ...side, ref: 'main' } };
  };
  it.each<[string, (sha: string) => Record<string, unknown>]>([
    ['merge_group', (sha) => ({ 'merge_group.head_sha': sha })],
    ['pull_request', (sha) => pullRequest(sha, 'octo-org/octo-site')],
    ['pull_request_review', (sha) => pullRequest(sha, 'octo-org/octo-site')],
    ['check_suite', (sha) => ({ 'check_suite.head_sha': sha })],
    ['check_run', (sha) => ({ 'check_run.head_sha': sha })],
    ['deployment_status', (sha) => ({ 'deployment.sha': sha })],
    ['workflow_run', (sha) => run(sha, 'merge_group', [])],
    ['workflow_run', (sha) => run(sha, 'push', [proposed(sha)])],
  ])('%s: unmerged code does not replace a site that is served', async (name, payloadFor) => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    emulator.world.connectDomain('www.example.com', project.id);
    const fields = payloadFor(await project.head());
    const action = name === 'pull_request' ? 'opened' : undefined;
    const inputs = { comment: 'false' };
    const result = await runStep(emulator, project, { ...own(name, fields, action), inputs });
    expect(result.outputs['error']).toContain('www.example.com');
    expect(project.deployments).toEqual([]);
  });

  it('a workflow run whose commit is at no open head cleans nothing up', async () => {
    await using emulator = await startEmulator();
    await using github = await startGitHub();
    const project = await emulator.world.createProject();
    emulator.world.connectDomain('pr-7.preview.example.com', project.id);
    const result = await runStep(emulator, project, {
      ...own('workflow_run', run(await project.head(), 'pull_request', [])),
      github: { apiUrl: github.url, token: github.token },
      inputs: { 'preview-domain': 'pr-{number}.preview.example.com' },
    });
    expect(result.outputs).toMatchObject({
      outcome: 'skipped',
      'skipped-reason': 'no-open-pull-request',
    });
    expect(emulator.world.domains.all[0]?.projectId).toBe(project.id);
  });
});
