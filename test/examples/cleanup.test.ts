import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../dist/run-step.ts';
import { repository } from '../git/support.ts';
import { rows } from '../support/exhaustive.ts';
import { adjust } from '../support/payloads.ts';
import type { Play } from '../support/play-example.ts';
import { type ExampleWorld, openPull, startExampleWorld } from './example-world.ts';

const hostname = (number: number) => `pr-${number}.preview.example.com`;

/** The previews of three pull requests by `pull-request.yml`; of the first two no close was heard. */
async function startMissed() {
  const world = await startExampleWorld();
  const { emulator, github, project } = world;
  const projects = [project, ...emulator.world.createProjects(2)].map(({ id }) => id);
  const vars = { SITE_PREVIEW_PROJECTS: projects.join('\n') };
  const { event } = await openPull(world, repository);
  const pull = github.pullRequests.get(`${repository}#7`);
  if (pull === undefined) throw new Error('no pull request');
  const { name, payload } = event('opened');
  const common = payload as Record<string, unknown>;
  for (const number of [7, 8, 9]) {
    const set = (state: 'open' | 'closed') =>
      github.pullRequests.set(`${repository}#${number}`, { ...pull, number, state });
    set('open');
    const opened = { name, payload: adjust(common, { number, 'pull_request.number': number }) };
    const { outputs } = await world.playOne('pull-request.yml', opened, { vars });
    expect(outputs).toMatchObject({ outcome: 'succeeded', error: '' });
    if (number !== 9) set('closed');
  }
  const playSweep = (file = 'sweep.yml', options: Partial<Play> = {}) =>
    world.playOne(file, { name: 'schedule', payload: {} }, { vars, ...options });
  /** Opens all of them again. */
  const reopen = () => {
    for (const number of [7, 8])
      github.pullRequests.set(`${repository}#${number}`, { ...pull, number });
  };
  return { ...world, playSweep, reopen };
}

/** What is shown of the previews: each one's hostname, comment, and last state of its GitHub Deployment. */
const shown = ({ emulator, github }: ExampleWorld) =>
  [7, 8, 9].map((number, index) => {
    const domain = emulator.world.domains.all.find((one) => one.hostname === hostname(number));
    const [comment, ...more] = github.comments(repository, number);
    expect(more).toEqual([]);
    const says = ['is live', 'is removed'].filter((words) => comment?.body?.includes(words));
    const record = github.deployments(repository)[index];
    return [
      domain?.projectId === null ? 'ended' : 'serves',
      ...says,
      record?.statuses.at(-1)?.state,
    ];
  });

const stays = ['serves', 'is live', 'success'];
const gone = ['ended', 'is removed', 'inactive'];

describe.concurrent('sweep.yml', () => {
  test('says of each preview that it ended what a close says, and nothing of others', async () => {
    await using world = await startMissed();
    expect(shown(world)).toEqual([stays, stays, stays]);
    const { outputs, annotations } = await world.playSweep();
    expect(outputs).toMatchObject({ outcome: 'cleaned-up', error: '' });
    expect(annotations).toEqual([]);
    expect(shown(world)).toEqual([gone, gone, stays]);
    expect(world.github.violations).toEqual([]);
    const writes = () => world.github.journal.filter(({ method }) => method !== 'GET').length;
    const before = writes();
    const again = await world.playSweep();
    expect(again.outputs['outcome']).toBe('synced');
    expect(writes()).toBe(before);
  });

  test('leaves what is true of a preview that it could not end, until it can', async () => {
    await using world = await startMissed();
    const refusal = { kind: 'status', status: 403, effect: false } as const;
    world.emulator.faults.add({ operation: 'assignDomain', ...refusal });
    const first = await world.playSweep();
    expect(first.outputs['outcome']).toBe('failed');
    expect(first.outputs['error']).toContain('1 of 2 previews could not be removed');
    expect(shown(world)).toEqual([stays, gone, stays]);
    const second = await world.playSweep();
    expect(second.outputs).toMatchObject({ outcome: 'cleaned-up', error: '' });
    expect(shown(world)).toEqual([gone, gone, stays]);
  });

  test.each(['sweep.yml', 'starter/.github/workflows/preview.yml'])(
    '%s ends an idle preview with its commented line, and no other',
    async (file) => {
      await using world = await startMissed();
      const { github } = world;
      const [, , last] = github.deployments(repository);
      Object.assign(last ?? {}, { created_at: '2026-01-01T00:00:00Z' });
      world.reopen();
      const before = await world.playSweep(file);
      expect(before.outputs).toMatchObject({ outcome: 'synced', error: '' });
      const uncommented = 'preview-idle: 7d';
      const { outputs, annotations } = await world.playSweep(file, { uncommented });
      expect(outputs).toMatchObject({ outcome: 'cleaned-up', error: '' });
      expect(annotations).toEqual([]);
      expect(shown(world)).toEqual([stays, stays, gone]);
      expect(github.comments(repository, 9)[0]?.body).toContain('is more than 7d old');
      expect(github.violations).toEqual([]);
    },
  );

  const grants: [string, Record<string, 'forbidden'>, string[]][] = [
    ['deployments: write', { deployments: 'forbidden' }, ['ended', 'is removed', 'success']],
    ['pull-requests: write', { comments: 'forbidden' }, ['ended', 'is live', 'inactive']],
  ];
  test.each(rows(grants, 1))(
    'without "%s" says which is missing, once, and does the rest',
    async (grant, trouble, left) => {
      await using world = await startMissed();
      world.github.trouble = trouble;
      const { outputs, annotations } = await world.playSweep();
      expect(outputs).toMatchObject({ outcome: 'cleaned-up', error: '' });
      expect(annotations.map(({ message }) => message)).toEqual([
        expect.stringContaining(`Add "${grant}" to the job's permissions`),
      ]);
      expect(shown(world)).toEqual([left, left, stays]);
    },
  );

  test.each(['pull-request.yml', 'fork-preview.yml'])(
    'finds the records of %s by the same inputs',
    (file) => {
      const given = (name: string) => {
        const text = readFileSync(join(root, 'examples/workflows', name), 'utf8');
        const jobs: { steps: { uses?: string; with: Record<string, string> }[] }[] = Object.values(
          parse(text).jobs,
        );
        const step = jobs
          .flatMap(({ steps }) => steps)
          .find(({ uses }) => uses?.startsWith('OWNER/site-deploy-action@') === true);
        return ['preview-projects', 'preview-domain', 'environment-name'].map(
          (input) => step?.with[input],
        );
      };
      expect(given('sweep.yml')).toEqual(given(file));
    },
  );
});
