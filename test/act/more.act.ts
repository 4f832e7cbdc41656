import { expect, test } from 'vitest';
import { servePage } from '../dist/history-world.ts';
import { type ExampleWorld, startExampleWorld } from '../examples/example-world.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { push } from './push.ts';
import { type ActPlay, outcomesIn, runAct } from './run-act.ts';

const byHand = (inputs: Record<string, string> = {}) => ({
  name: 'workflow_dispatch',
  payload: { ref: 'refs/heads/main', inputs },
});
const site = (text: string) => ({ '.github/site.yml': text });
const variables = site('environment:\n  STRIPE_KEY: {}\n');
const domains = site('connected-domains:\n  www.example.com: { project: self }\n');
const checks = { '.github/checks.yml': 'checks:\n  - { path: /, status: 200 }\n' };

/** What happened before, and the rest of a play. */
type Prepare = (world: ExampleWorld, page: string) => Promise<Omit<ActPlay, 'workflow'>>;

/** What happens to the repository: a commit on main, by an event that names it so. */
const pushed =
  (ref = 'refs/heads/main'): Prepare =>
  async (world) => {
    const { event } = await push(world);
    return { event: { ...event, payload: { ...event.payload, ref } } };
  };

const plays: [string, number, string[], Prepare][] = [
  ['domains-drift.yml', 1, ['planned'], async () => ({ event: byHand(), files: domains })],
  [
    'env-environments.yml',
    0,
    ['synced', 'synced'],
    async () => ({ event: byHand(), files: variables }),
  ],
  ['env-projects.yml', 0, ['synced'], async () => ({ event: byHand(), files: variables })],
  [
    'explain.yml',
    0,
    ['planned'],
    async (world) => {
      const { event } = await push(world);
      const preview = await world.emulator.world.createProject();
      return { event, vars: { SITE_PREVIEW_PROJECTS: preview.id } };
    },
  ],
  [
    'merge-queue.yml',
    0,
    ['succeeded'],
    async (world) => {
      const { sha } = await push(world);
      const payload = adjust(examplePayload('merge_group'), { 'merge_group.head_sha': sha });
      return { event: { name: 'merge_group', payload } };
    },
  ],
  [
    'new-project.yml',
    0,
    ['succeeded', 'succeeded'],
    async (world) => {
      await push(world);
      return { event: byHand({ hostname: 'www.example.com' }) };
    },
  ],
  ['price-watch.yml', 0, ['synced'], async () => ({ event: byHand() })],
  ['release.yml', 0, ['succeeded'], pushed('refs/tags/v1.0.0')],
  [
    'rollback.yml',
    0,
    ['succeeded'],
    async ({ project }) => ({ event: byHand({ commit: await project.head() }) }),
  ],
  ['staging-production.yml', 0, ['succeeded', 'succeeded'], pushed()],
  ['sweep.yml', 0, ['synced'], async () => ({ event: byHand() })],
  ['two-sites.yml', 0, ['succeeded'], pushed()],
  [
    'watch.yml',
    0,
    ['synced'],
    async (_, page) => ({ event: byHand(), files: checks, vars: { SITE_URL: page } }),
  ],
];

test.each(plays)('%s ends with %i, and says %j', async (workflow, exitCode, outcomes, prepare) => {
  await using world = await startExampleWorld();
  using page = await servePage(world.project);
  const play = await prepare(world, page.url);
  const run = await runAct(world, { workflow, ...play });
  expect(outcomesIn(run), run.log).toEqual(outcomes);
  expect(run.exitCode, run.log).toBe(exitCode);
});
