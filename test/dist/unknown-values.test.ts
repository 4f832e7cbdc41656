import { describe, expect, it } from 'vitest';
import { startGitHub } from '../../emulator/github/index.ts';
import { startEmulator } from '../../emulator/index.ts';
import { type RunEvent, runAction } from '../../emulator/runner.ts';
import { rows } from '../support/exhaustive.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { shareProcess } from '../support/shared-process.ts';
import { unpacked } from './run-step.ts';

const zeros = '0'.repeat(40);
const template = { 'preview-domain': '{sha}-x.example.com' };

const push = (after: string): RunEvent => ({
  name: 'push',
  payload: { ref: 'refs/heads/main', after, head_commit: { id: after } },
});

const closed = (sha: string): RunEvent => ({
  name: 'pull_request',
  payload: adjust(examplePayload('pull_request', 'closed'), { 'pull_request.head.sha': sha }),
});

/** Runs the action, and shows what the service was sent that contains forty zeros. */
async function attempt(
  event: (sha: string) => RunEvent,
  inputs: Record<string, string>,
  github: Record<string, string> = {},
) {
  await using emulator = await startEmulator({ dialect: { buildMs: 0 } });
  await using server = await startGitHub();
  const project = await emulator.world.createProject();
  const sha = await project.head();
  const result = await runAction({
    action: unpacked,
    launch: shareProcess,
    event: event(sha),
    github: { sha, apiUrl: server.url, token: server.token, ...github },
    inputs: {
      'api-key': emulator.key,
      'base-url': emulator.url,
      'project-id': project.id,
      'github-deployment': 'false',
      comment: 'false',
      ...inputs,
    },
  });
  expect(JSON.stringify(emulator.journal.entries)).not.toContain(zeros);
  return { ...result, sha, error: result.outputs['error'] ?? '' };
}

describe.concurrent('a value that is not known is in no request', () => {
  it.each(rows([{ deploy: 'false' }, { 'commit-sha': 'HEAD' }], 2))(
    'as the commit in a hostname: %o',
    async (inputs) => {
      const { outputs, error } = await attempt(push, { ...template, ...inputs });
      expect(outputs).toMatchObject({ outcome: 'failed', requests: '0' });
      expect(error).toMatch(/^preview-domain: contains \{sha\}, .* is not known\b.*\(SD1124\)$/);
    },
  );

  it('while a commit that is known is, also if nothing is deployed', async () => {
    const { sha, outputs } = await attempt(push, { ...template, deploy: 'false' }, {});
    expect(outputs['outcome']).toBe('failed');
    const named = await attempt(push, { ...template, deploy: 'false', 'commit-sha': sha });
    expect(named.outputs).toMatchObject({
      outcome: 'synced',
      'preview-hostname': `${sha}-x.example.com`,
    });
  });

  it('as the head of a pull request', async () => {
    const { error, outputs } = await attempt(() => closed(zeros), template);
    expect(outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    expect(error).toContain('SD1110');
  });

  it('as the commit to deploy', async () => {
    const { error, outputs } = await attempt(push, { 'commit-sha': zeros });
    expect(outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    expect(error).toMatch(/^commit-sha.*\(SD1006\)$/);
  });

  it('as the branch in a hostname', async () => {
    const inputs = { 'preview-domain': 'x{branch}.preview.example.com' };
    const { error, outputs } = await attempt(push, inputs, { ref: '' });
    expect(outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    expect(error).toMatch(/contains \{branch\}, .* is not known\b.*\(SD1124\)$/);
  });

  const ended = (branch: string) => ({
    name: 'workflow_run' as const,
    payload: {
      workflow_run: { event: 'push', head_branch: branch, head_sha: 'a'.repeat(40) },
      repository: { default_branch: 'main' },
    },
  });
  it('as the branch of a completed run, where GITHUB_REF_NAME is the default one', async () => {
    const inputs = { mode: 'explain', 'preview-domain': '{branch}.p.example.com' };
    const { error, outputs } = await attempt(() => ended('topic'), inputs, { ref: 'main' });
    expect(outputs['preview-hostname'], error).toBe('topic.p.example.com');
  });

  it('as the number of a pull request in an explained check', async () => {
    const ended: RunEvent = {
      name: 'workflow_run',
      payload: adjust(examplePayload('workflow_run', 'completed'), {
        'workflow_run.event': 'pull_request',
        'workflow_run.head_branch': 'topic',
        'workflow_run.pull_requests': [],
      }),
    };
    const { summary, conclusion } = await attempt(() => ended, {
      mode: 'explain',
      deploy: 'false',
      'project-id': '',
      'preview-domain': '{branch}-{number}.p.example.com',
      'verify-url': 'https://{preview-domain}/',
    });
    expect(conclusion).toBe('success');
    expect(summary).toContain('//{preview-domain}/</code>');
    expect(summary).not.toContain('topic-0');
  });

  it('as the commit of a check, which says why', async () => {
    const url = 'https://www.example.com/{sha}';
    const { error } = await attempt(push, { deploy: 'false', 'verify-url': url });
    expect(error).toMatch(/\{sha\} needs a commit, but this run deploys none/);
  });
});
