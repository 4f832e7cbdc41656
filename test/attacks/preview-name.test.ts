// Attack (starting): A branch called `www` deploys to the project of `www.example.com` (`{branch}.example.com`), or its
// close or lease takes that site offline
// Defense: Without `{number}`, an input error on every event that is about unmerged code, before anything is sent
// Attack (starting): An app's check of a fork's commit, or the merge queue, deploys to a fixed hostname
// Defense: Without `{number}`, an input error on every event that is about unmerged code

import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../emulator/runner.ts';
import {
  number,
  type PullRequestWorld,
  repository,
  startPullRequest,
} from '../dist/pull-request-world.ts';
import { rows } from '../support/exhaustive.ts';
import { adjust, examplePayload } from '../support/payloads.ts';

/** What the project serves that a branch is called like. */
const production = 'www.example.com';

const placeOf = ({ emulator }: PullRequestWorld, hostname: string) =>
  emulator.world.domains.find(hostname)?.projectId;

/** An event of GitHub, about the head of the project. */
const event = (name: string, action: string, fields: Record<string, unknown> = {}): RunEvent => ({
  name,
  payload: adjust(examplePayload(name, action), fields),
});

/** A pull request from the branch `www`, of this repository or of a fork. */
const proposed = (action: string, from = repository) =>
  event('pull_request', action, {
    number,
    'pull_request.number': number,
    'pull_request.head.ref': 'www',
    'pull_request.head.repo.full_name': from,
    'pull_request.base.repo.full_name': repository,
  });

const ended = (cause: string, pullRequests: object[] = []) =>
  event('workflow_run', 'completed', {
    'workflow_run.event': cause,
    'workflow_run.head_branch': 'www',
    'workflow_run.pull_requests': pullRequests,
  });

const unmerged: Readonly<Record<string, RunEvent>> = {
  'a pull request': proposed('opened'),
  'its next commit': proposed('synchronize'),
  'its close': proposed('closed'),
  "a fork's pull request": {
    ...proposed('opened', 'stranger/octo-site'),
    name: 'pull_request_target',
  },
  'a review': event('pull_request_review', 'submitted', {
    'review.author_association': 'OWNER',
    'pull_request.head.repo.full_name': repository,
    'pull_request.base.repo.full_name': repository,
  }),
  'a comment': event('issue_comment', 'created', {
    'issue.number': number,
    'issue.pull_request': {},
    'comment.author_association': 'OWNER',
  }),
  'the end of a run for one': ended('pull_request'),
  'a merge queue': event('merge_group', 'checks_requested'),
  'a push to a branch of the merge queue': {
    name: 'push',
    payload: { ref: 'refs/heads/gh-readonly-queue/main/pr-7', after: 'a'.repeat(40) },
  },
  'the checks of a commit': event('check_suite', 'completed'),
};

const templates = ['{branch}.example.com', production, '{sha}.example.com'];
const given: Record<string, string>[] = [
  {},
  { 'allow-production': 'true' },
  { deploy: 'false', env: 'A=of the branch' },
  { mode: 'plan' },
  { mode: 'explain' },
];

describe.concurrent('a hostname without the number of the pull request', () => {
  const all = Object.keys(unmerged).flatMap((name, index) =>
    given.map((inputs, other) => ({
      name,
      inputs: { 'preview-domain': templates[(index + other) % 3] ?? '', ...inputs },
    })),
  );
  it.each(rows(all, (_, index) => index % 5 === Math.floor(index / 5) % 5))(
    'is refused before anything is sent, for $name with $inputs',
    async ({ name, inputs }) => {
      await using world = await startPullRequest();
      world.emulator.world.connectDomain(production, world.project.id);
      const result = await world.run('opened', {
        inputs,
        ...(unmerged[name] && { event: unmerged[name] }),
      });
      expect(result.conclusion).toBe('failure');
      expect(result.outputs['error']).toMatch(/^preview-domain: must contain \{number\}.*SD1104/);
      expect(world.github.journal).toEqual([]);
      expect(world.emulator.journal.entries.filter(({ operation }) => operation !== 'git')).toEqual(
        [],
      );
      expect(placeOf(world, production)).toBe(world.project.id);
    },
  );

  it.each(rows(['opened', 'synchronize', 'closed'] as const, 1))(
    'has no commit in it either, of which a close would end only the last one: %s',
    async (action) => {
      await using world = await startPullRequest();
      const template = '{sha}-{number}.preview.example.com';
      for (const inputs of [{}, { 'preview-projects': world.project.id, 'project-id': '' }]) {
        const result = await world.run(action, {
          inputs: { 'preview-domain': template, ...inputs },
        });
        expect(result.conclusion).toBe('failure');
        expect(result.outputs['error']).toMatch(/^preview-domain: contains \{sha\}.*SD1104/);
      }
      expect(world.github.journal).toEqual([]);
      expect(world.emulator.journal.entries.filter(({ operation }) => operation !== 'git')).toEqual(
        [],
      );
    },
  );

  it.each(rows([production, '{branch}.example.com'], 1))(
    'is for runs of merged code: %s',
    async (template) => {
      await using world = await startPullRequest();
      world.emulator.world.connectDomain(production, world.project.id);
      const inputs = { 'preview-domain': template, comment: 'false' };
      const payload = { ref: 'refs/heads/www', after: await world.project.head() };
      const { outputs } = await world.run('opened', {
        event: { name: 'push', payload },
        github: { ref: 'refs/heads/www' },
        inputs,
      });
      expect(outputs).toMatchObject({
        error: '',
        outcome: 'succeeded',
        'preview-hostname': production,
      });
    },
  );
});

describe.concurrent('a hostname with the number', () => {
  it.each<Record<string, string>>([{}, { 'disconnect-on-close': 'true' }])(
    'is not ended by the close on a project that the run does not know (%j)',
    async (inputs) => {
      await using world = await startPullRequest();
      const { emulator } = world;
      await world.run('opened');
      const hostname = `pr-${number}.preview.example.com`;
      const other = await emulator.world.createProject();
      emulator.world.assignDomain(hostname, other.id);
      expect((await world.run('synchronize')).outputs['error']).toContain(other.id);
      world.close();
      const { conclusion, outputs } = await world.run('closed', { inputs });
      expect(conclusion).toBe('failure');
      expect(outputs['error']).toContain(`${hostname} is assigned to project ${other.id}`);
      expect(placeOf(world, hostname)).toBe(other.id);
    },
  );

  it('is of nobody while it is not assigned: its close changes nothing, and passes', async () => {
    await using world = await startPullRequest();
    world.close();
    const { outputs } = await world.run('closed');
    expect(outputs).toMatchObject({ error: '', outcome: 'cleaned-up' });
    expect(world.emulator.journal.entries.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
