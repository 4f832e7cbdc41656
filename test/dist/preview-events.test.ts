// Attack (starting): A hostile branch name is in the log, comment or hostname
// Defense: Cleaned, escaped, made a label with a hash

import { describe, expect, it } from 'vitest';
import { numberOf } from '../../emulator/github/index.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import {
  hostname,
  number,
  type PullRequestWorld,
  repository,
  startPullRequest,
} from './pull-request-world.ts';

const own = { id: numberOf(repository), full_name: repository };

const writes = ({ method }: { method: string }) => method !== 'GET';

describe.concurrent('a sweep', () => {
  const inputs = { deploy: 'false' };

  it('ends the previews of closed pull requests, and needs no project-id for that', async () => {
    await using world = await startPullRequest();
    await world.run('opened');
    const event = { name: 'schedule', payload: {} };
    const kept = await world.run('opened', { event, inputs });
    expect(kept.outputs['outcome']).toBe('synced');
    expect(world.emulator.world.domains.all[0]?.projectId).toBe(world.project.id);
    world.close();
    const projects = { 'project-id': '', 'preview-projects': world.project.id };
    const swept = await world.run('opened', { event, inputs: { ...inputs, ...projects } });
    expect(swept.outputs).toMatchObject({ error: '', outcome: 'cleaned-up' });
    expect(swept.summary).toContain('pull request 7');
    expect(world.emulator.world.domains.all[0]?.projectId).toBeNull();
  });

  /** The preview of a pull request that is opened, closed and ended in one way: what GitHub shows of it then. */
  async function shownAfter(end: 'close' | 'sweep', given: Record<string, string>) {
    await using world = await startPullRequest();
    const { github, project } = world;
    const leases = { 'project-id': '', 'preview-projects': project.id };
    const common = { ...(given['lease'] === undefined ? {} : leases), ...given };
    const { lease: _, ...wanted } = common as Record<string, string>;
    await world.run('opened', { inputs: wanted });
    world.close();
    const event = { name: 'schedule', payload: {} };
    const options =
      end === 'close' ? { inputs: wanted } : { event, inputs: { ...wanted, ...inputs } };
    const ended = await world.run('closed', options);
    expect(ended.outputs).toMatchObject({ error: '', outcome: 'cleaned-up' });
    expect(ended.annotations).toEqual([]);
    expect(github.violations).toEqual([]);
    const text = world.comments().join('\n---\n').replaceAll(project.id, 'ID');
    const shown = text
      .replace(/ mark=\w+/, '')
      .replaceAll(encodeURIComponent(project.id).replaceAll('-', '%2D'), 'ID')
      .replaceAll(project.id.slice(0, 8), 'ID')
      .replace(/Took [^·]* · /, '');
    return {
      comment: shown,
      deployments: github
        .deployments(repository)
        .map(({ statuses }) => statuses.map(({ state, description }) => [state, description])),
    };
  }

  it.each<[string, Record<string, string>]>([
    ['of a project', {}],
    ['of leased projects', { lease: 'yes' }],
    ['in a shared environment', { lease: 'yes', 'environment-name': 'preview' }],
    ['that is disconnected', { 'disconnect-on-close': 'true' }],
    [
      'of leased projects, in a shared environment, disconnected',
      {
        lease: 'yes',
        'environment-name': 'preview',
        'disconnect-on-close': 'true',
      },
    ],
    ['without a comment', { comment: 'false' }],
    ['without a GitHub Deployment', { 'github-deployment': 'false' }],
  ])('writes what a close writes, %s', async (_, given) => {
    const [closed, swept] = await Promise.all([
      shownAfter('close', given),
      shownAfter('sweep', given),
    ]);
    expect(swept).toEqual(closed);
    if (given['comment'] !== 'false') expect(swept.comment).toContain('Preview of #\u200d7');
    if (given['comment'] !== 'false') expect(swept.comment).toContain('is removed');
    if (given['github-deployment'] !== 'false') {
      expect(swept.deployments.at(-1)?.at(-1)?.[0]).toBe('inactive');
    }
  });

  it('warns once where it may not write that, and ends the previews nevertheless', async () => {
    await using world = await startPullRequest();
    const { emulator, github, project } = world;
    const head = { ref: 'topic', sha: await project.head(), repo: null };
    for (const number of [8, 9]) {
      const state = 'closed';
      github.pullRequests.set(`${repository}#${number}`, { number, state, head, base: head });
      emulator.world.connectDomain(`pr-${number}.preview.example.com`, project.id);
    }
    github.trouble = { comments: 'forbidden', deployments: 'forbidden' };
    const event = { name: 'schedule', payload: {} };
    const { outputs, annotations } = await world.run('opened', { event, inputs });
    expect(outputs['outcome']).toBe('cleaned-up');
    // Comment and GitHub Deployment are written side by side.
    const lines = annotations.map(({ message }) => /Add "([^"]+)"/.exec(message)?.[1]);
    expect(lines.toSorted()).toEqual(['deployments: write', 'pull-requests: write']);
    expect(emulator.world.domains.all.map(({ projectId }) => projectId)).toEqual([null, null]);
  });

  it.skipIf(process.platform === 'win32')(
    'that is cancelled still says what it has ended (Windows has no signals)',
    async () => {
      await using world = await startPullRequest();
      await world.run('opened');
      world.close();
      const event = { name: 'schedule', payload: {} };
      const step = await world.start('opened', { event, inputs });
      world.github.on('issues/list-comments', () => step.cancel());
      const { conclusion } = await step.done;
      expect(conclusion).toBe('cancelled');
      expect(world.emulator.world.domains.all[0]?.projectId).toBeNull();
      expect(world.comments().join()).toContain('is removed');
      expect(world.states()).toEqual(['inactive']);
    },
  );

  it('leaves everything alone when GitHub does not say what is closed', async () => {
    await using world = await startPullRequest();
    await world.run('opened');
    world.close();
    world.github.trouble = { pulls: 'unavailable' };
    const event = { name: 'schedule', payload: {} };
    const result = await world.run('opened', { event, inputs });
    expect(world.emulator.world.domains.all[0]?.projectId).toBe(world.project.id);
    expect(result.annotations).toMatchObject([{ level: 'warning' }]);
  });
});

describe.concurrent('the close of a pull request that is only planned', () => {
  it('asks nobody', async () => {
    await using world = await startPullRequest();
    const { outputs } = await world.run('closed', { inputs: { mode: 'plan' } });
    expect(outputs).toMatchObject({
      outcome: 'skipped',
      'skipped-reason': 'pull-request-closed',
      requests: '0',
    });
    expect(world.github.journal).toEqual([]);
    expect(world.emulator.journal.entries.filter(({ operation }) => operation !== 'git')).toEqual(
      [],
    );
  });
});

describe.concurrent('a run that is started by hand for a preview', () => {
  const byHand = (world: PullRequestWorld, sha: string) => ({
    event: { name: 'workflow_dispatch', payload: { repository: own } },
    github: { ref: 'refs/heads/topic', sha },
    inputs: { 'project-id': '', 'preview-projects': world.project.id },
  });

  it('deploys to the preview of the open pull request of its branch', async () => {
    await using world = await startPullRequest();
    const sha = await world.project.head();
    const { outputs } = await world.run('opened', byHand(world, sha));
    expect(outputs).toMatchObject({
      error: '',
      outcome: 'succeeded',
      'preview-url': `https://${hostname}`,
      'commit-sha': sha,
    });
    expect(world.comments()).toHaveLength(1);
    expect(world.github.violations).toEqual([]);
  });

  it('fails where the branch has none at this commit, and says which runs have a preview', async () => {
    await using world = await startPullRequest();
    const { outputs, annotations } = await world.run('opened', byHand(world, 'b'.repeat(40)));
    expect(outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    expect(outputs['error']).toContain('preview-projects is only for pull requests');
    expect(annotations[0]?.title).toBe('Preview was not deployed');
  });
});

describe.concurrent('a pull request from a fork', () => {
  it('by itself gets no secrets: nothing is posted, and the step says why', async () => {
    await using world = await startPullRequest();
    const payload = adjust(examplePayload('pull_request', 'opened'), {
      'pull_request.head.repo.full_name': 'stranger/octo-site',
      'pull_request.base.repo.full_name': repository,
    });
    const event = { name: 'pull_request', payload };
    const result = await world.run('opened', { event, inputs: { 'api-key': '' } });
    expect(result.conclusion).toBe('success');
    expect(result.outputs['skipped-reason']).toBe('fork');
    expect(world.github.journal).toEqual([]);
  });

  it('has its preview by a second workflow, which checks nothing out', async () => {
    await using world = await startPullRequest();
    const sha = await world.project.head();
    const fork = 'stranger/octo-site';
    const head = { ref: 'topic', sha, repo: { full_name: fork, fork: true } };
    const base = { ref: 'main', sha };
    world.github.pullRequests.set(`${repository}#${number}`, { number, state: 'open', head, base });
    const payload = adjust(examplePayload('workflow_run', 'completed'), {
      'workflow_run.event': 'pull_request',
      'workflow_run.head_sha': sha,
      'workflow_run.head_branch': 'topic',
      'workflow_run.head_repository.id': numberOf(fork),
      'workflow_run.head_repository.full_name': fork,
      'workflow_run.repository.id': numberOf(repository),
      'workflow_run.pull_requests': [],
    });
    const result = await world.run('opened', { event: { name: 'workflow_run', payload } });
    expect(result.outputs).toMatchObject({
      error: '',
      outcome: 'succeeded',
      'preview-url': `https://${hostname}`,
      'commit-sha': sha,
    });
    expect(world.comments()).toHaveLength(1);
    expect(world.github.violations).toEqual([]);
  });
});

describe('a hostile branch name', () => {
  it('can do nothing in the log, the comment or the hostname', async () => {
    await using world = await startPullRequest();
    const ref = '::error::x-@octocat|<b>-##[error]y-#12';
    const payload = adjust(examplePayload('pull_request', 'opened'), {
      number,
      'pull_request.number': number,
      'pull_request.head.ref': ref,
      'pull_request.head.sha': await world.project.head(),
      'pull_request.head.repo.full_name': repository,
      'pull_request.base.repo.full_name': repository,
      'pull_request.title': ref,
    });
    const result = await world.run('opened', {
      event: { name: 'pull_request', payload },
      inputs: { 'preview-domain': '{branch}-{number}.preview.example.com' },
    });
    expect(result.outputs).toMatchObject({ error: '', outcome: 'succeeded' });
    expect(result.outputs['preview-url']).toMatch(
      /^https:\/\/[a-z0-9-]+-7\.preview\.example\.com$/,
    );
    expect(result.annotations).toEqual([]);
    expect(world.comments().join()).not.toMatch(/@octocat|<b>/);
    expect(world.github.journal.filter(writes).length).toBeGreaterThan(0);
    expect(world.github.violations).toEqual([]);
  });
});
