import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { examples } from './support/examples.ts';

const group = z.object({
  group: z.string(),
  'cancel-in-progress': z.boolean(),
  queue: z.string().optional(),
});
const step = z.object({
  uses: z.string().default(''),
  with: z.record(z.string(), z.coerce.string()).default({}),
});
const job = z.object({
  uses: z.string().optional(),
  'runs-on': z.string().default(''),
  'timeout-minutes': z.number().default(0),
  environment: z.unknown().optional(),
  concurrency: group.optional(),
  strategy: z.object({ matrix: z.unknown() }).optional(),
  steps: z.array(step).default([]),
});
const workflow = z.object({
  on: z.record(z.string(), z.unknown()),
  concurrency: group.optional(),
  jobs: z.record(z.string(), job),
});

type Step = z.infer<typeof step>;

const jobs = examples.flatMap(({ text, path, folder, name: file }) => {
  const read = workflow.parse(parse(text));
  const reviewed = [...text.matchAll(/"([\w-]+)"\s(?:# )?required reviewers/g)].map(
    ([, name]) => name,
  );
  return Object.entries(read.jobs)
    .filter(([, one]) => one.uses === undefined)
    .map(([name, one]) => ({
      ...one,
      file,
      path,
      folder,
      name,
      events: Object.keys(read.on),
      reviewed,
      around: read.concurrency ?? one.concurrency,
    }));
});

const isOurs = ({ uses }: Step) => uses.startsWith('OWNER/site-deploy-action');
/** True for a step of ours that changes nothing on the service: it plans, explains, lists, watches, or looks at prices. */
const onlyReads = ({ uses, with: given }: Step) =>
  given['mode'] === 'plan' ||
  given['mode'] === 'explain' ||
  given['check'] !== undefined ||
  (given['deploy'] === 'false' && given['project-id'] === undefined && !given['preview-domain']) ||
  (uses.includes('/projects@') && given['create'] !== 'true');

/** Minutes that a step of ours may take. */
const minutesOf = ({ with: { timeout = '20m' } }: Step) => {
  const [, minutes] = /^(\d+)m$/.exec(timeout) ?? [];
  return Number(minutes);
};

describe.each(jobs)('$path, $name', ({ steps, around, environment, ...one }) => {
  const ours = steps.filter(isOurs);

  test('leaves its steps the time to say how they ended', () => {
    const total = ours.reduce((sum, step) => sum + minutesOf(step), 0);
    expect(one['timeout-minutes']).toBeGreaterThan(total);
  });

  test('runs on a runner that every account has', () => {
    expect(one['runs-on']).toBe('ubuntu-latest');
  });

  test('has no deployment recorded by GitHub beside the one of the action', () => {
    if (environment !== undefined) expect(environment).toMatchObject({ deployment: false });
  });

  test('never replaces a newer commit when a push starts it', () => {
    const deploys = ours.filter(
      (step) => step.uses === 'OWNER/site-deploy-action@v1' && !onlyReads(step),
    );
    const isPushed = one.events.includes('push');
    for (const { with: given } of isPushed ? deploys : [])
      expect(given['on-older']).toBeUndefined();
  });

  test('takes its turn if it writes, and is not cut off', () => {
    const writes = ours.some((step) => !onlyReads(step));
    if (writes) expect(around).toMatchObject({ 'cancel-in-progress': false });
  });
});

/** Which examples take the place of each other, so that a repository has one of them. */
const alternatives = [['end-to-end.yml', 'promotion.yml', 'pull-request.yml']];

test('where several workflows share a group, none drops what waits there, or holds it while it waits for a person', () => {
  const environments = ['staging', 'production'];
  const named = jobs.flatMap(({ file, folder, around, environment, reviewed }) =>
    around === undefined
      ? []
      : environments.map((name) => ({
          file,
          folder,
          isReviewed: reviewed.some((one) => JSON.stringify(environment)?.includes(`"${one}"`)),
          ...around,
          group: around.group.replace(/\$\{\{ matrix\.environment \}\}/, name),
        })),
  );
  const groups = Map.groupBy(named, ({ folder, group: name }) => `${folder}: ${name}`);
  const shared = [...groups].flatMap(([name, members]) => {
    const files = [...new Set(members.map(({ file }) => file))].toSorted();
    const isChoice = alternatives.some((some) => String(some) === String(files));
    return files.length > 1 && !isChoice ? [{ name, members }] : [];
  });
  expect(shared.map(({ name }) => name).toSorted()).toEqual([
    'examples/starter/.github/workflows: site-production',
    'examples/workflows: site-production',
    'examples/workflows: site-staging',
  ]);
  for (const { members } of shared) {
    for (const one of members) expect(one).toMatchObject({ queue: 'max', isReviewed: false });
  }
});

/** Groups in which the newest run does all that one which waits would have done, so that it may take its place. */
const newestDoesAll: Readonly<Record<string, string>> = {
  'domains-apply.yml': 'applies the whole file of the newest commit',
  'domains-plan.yml': 'plans the newest commit',
  'drift-issue.yml': 'reports what differs now',
  'end-to-end.yml': 'a close is followed by nothing but a reopening',
  'env-projects.yml': 'syncs what the workflow says now',
  'fleet.yml': 'syncs what the workflow says now',
  'preview.yml': 'a close is followed by nothing but a reopening; a sweep ends what is closed now',
  'promotion.yml': 'a close is followed by nothing but a reopening',
  'pull-request.yml': 'a close is followed by nothing but a reopening',
  'pull.yml': 'takes what the project has now',
  'sweep.yml': 'ends what is closed now',
  'two-sites.yml': 'deploys the newest commit, and nothing else is in its group',
};

test.each(jobs.filter(({ around }) => around !== undefined))(
  '$path, $name drops no run that waits, unless the newest does all that it would have done',
  ({ file, around }) => {
    expect(around?.queue).toBe(Object.hasOwn(newestDoesAll, file) ? undefined : 'max');
  },
);
