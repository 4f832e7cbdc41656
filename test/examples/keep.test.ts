import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { servePage } from '../dist/history-world.ts';
import { repository } from '../git/support.ts';
import { deployedBy, type ExampleWorld, startExampleWorld } from './example-world.ts';
import { type GhCall, type GhEnd, startGh } from './gh.ts';

/** A run of a workflow as GitHub lists it. */
type Run = { databaseId: number; status: string };

const waiting: readonly Run[] = ['requested', 'queued', 'pending', 'waiting', 'in_progress'].map(
  (status, index) => ({ databaseId: 91 + index, status }),
);

/** GitHub's workflows and their runs, as `gh` shows and changes them. */
function createActions(runs: readonly Run[]) {
  const disabled = new Set<string>();
  const ended = new Set(['90']);
  /** What the calls did, in order. */
  const changes: string[] = [];
  const refuse = (stderr: string): GhEnd => ({ stderr, status: 1 });
  const answer = ({ args }: GhCall): GhEnd => {
    const [, , subject = ''] = args;
    const [, kind = '', id = ''] =
      /\/actions\/(workflows|runs)\/([^/]+)$/.exec(args[1] ?? '') ?? [];
    switch (args.slice(0, 2).join(' ')) {
      case 'workflow disable':
        if (disabled.has(subject)) {
          return refuse('HTTP 403: Unable to disable a workflow that is not active');
        }
        disabled.add(subject);
        changes.push(`disable ${subject}`);
        return {};
      case 'run list': {
        expect(args.slice(2)).toEqual([
          '--workflow',
          'deploy.yml',
          '--limit',
          '500',
          '--json',
          'databaseId,status',
          '--jq',
          '.[] | select(.status != "completed") | .databaseId',
        ]);
        const found = runs.filter(({ status }) => status !== 'completed');
        return { stdout: found.map(({ databaseId }) => `${databaseId}\n`).join('') };
      }
      case 'run cancel':
        if (ended.has(subject)) return refuse('Cannot cancel a workflow run that is completed');
        ended.add(subject);
        changes.push(`cancel ${subject}`);
        return {};
      default:
        expect(args.slice(2)).toEqual(['--jq', kind === 'runs' ? '.status' : '.state']);
        if (kind === 'runs') return { stdout: ended.has(id) ? 'completed\n' : 'in_progress\n' };
        return { stdout: disabled.has(id) ? 'disabled_manually\n' : 'active\n' };
    }
  };
  return { disabled, ended, changes, answer };
}

/** Plays `rollback.yml` with the input `keep`, or without it. */
async function goBack(
  world: ExampleWorld,
  answer: (call: GhCall) => GhEnd,
  { commit, keep, url = '' }: { commit: string; keep?: boolean; url?: string },
) {
  const folder = join(world.folder, 'bin');
  await mkdir(folder, { recursive: true });
  using gh = await startGh(folder, answer);
  const summaries: string[] = [];
  const ends = new Map<string, string>();
  const [step] = await world
    .play(
      'rollback.yml',
      { name: 'workflow_dispatch', payload: {} },
      {
        inputs: { commit, ...(keep === undefined ? {} : { keep }) },
        runSteps: true,
        ...(url === '' ? {} : { vars: { SITE_URL: url }, changed: { 'verify-timeout': '2s' } }),
        report: (progress) => {
          if (progress.type === 'shown') summaries.push(progress.summary);
          if (progress.type === 'end') ends.set(progress.job, progress.conclusion);
        },
      },
    )
    .catch(() => []);
  return { step, keep: ends.get('keep'), summary: summaries.join('\n'), calls: gh.calls };
}

/** A project with two commits, of which the older one can be deployed again. */
async function startTwo() {
  const world = await startExampleWorld();
  const commit = await world.project.head();
  await world.pushToProject();
  return { world, commit };
}

describe.skipIf(process.platform === 'win32')('rollback.yml (Windows runs no such script)', () => {
  test('with keep disables the workflow, then cancels each run of it that has not ended', async () => {
    const { world, commit } = await startTwo();
    await using _ = world;
    const actions = createActions([{ databaseId: 90, status: 'completed' }, ...waiting]);
    const { step, keep, summary, calls } = await goBack(world, actions.answer, {
      commit,
      keep: true,
    });
    expect(step?.outputs['outcome']).toBe('succeeded');
    expect(keep).toBe('success');
    expect(deployedBy(world)).toEqual([commit]);
    expect(actions.changes).toEqual([
      'disable deploy.yml',
      ...waiting.map(({ databaseId }) => `cancel ${databaseId}`),
    ]);
    expect(calls.map(({ args: [first, second] }) => `${first} ${second}`)).toEqual([
      'workflow disable',
      'run list',
      ...waiting.map(() => 'run cancel'),
    ]);
    const { url, token } = world.github;
    for (const { env } of calls) {
      expect(env).toEqual({
        GH_HOST: new URL(url).host,
        GH_REPO: repository,
        GH_TOKEN: token,
        GH_ENTERPRISE_TOKEN: token,
      });
    }
    expect(summary).toContain('\n    gh workflow enable deploy.yml\n');
  });

  test('with keep a second time, and with a run that ends meanwhile, succeeds as well', async () => {
    const { world, commit } = await startTwo();
    await using _ = world;
    const actions = createActions(waiting);
    actions.disabled.add('deploy.yml');
    actions.ended.add('93');
    const { keep, summary } = await goBack(world, actions.answer, { commit, keep: true });
    expect(keep).toBe('success');
    expect(actions.changes).toEqual(['cancel 91', 'cancel 92', 'cancel 94', 'cancel 95']);
    expect(summary).toContain('gh workflow enable deploy.yml');
  });

  test.each(['workflow disable', 'run list', 'run cancel'])(
    'with keep fails if GitHub refuses `gh %s`, and does not report a pause',
    async (refused) => {
      const { world, commit } = await startTwo();
      await using _ = world;
      const actions = createActions(waiting);
      const refuse = (call: GhCall) =>
        call.args.slice(0, 2).join(' ') === refused
          ? { stderr: 'HTTP 403: Resource not accessible by integration', status: 1 }
          : actions.answer(call);
      const { keep, summary } = await goBack(world, refuse, { commit, keep: true });
      expect(keep).toBe('failure');
      expect(summary).not.toContain('gh workflow enable');
    },
  );

  test('calls nothing without keep, and nothing after a rollback that failed', async () => {
    const { world, commit } = await startTwo();
    await using _ = world;
    const { answer } = createActions(waiting);
    const without = await goBack(world, answer, { commit });
    expect(without).toMatchObject({ keep: 'skipped', calls: [] });
    using page = await servePage(world.project, {
      broken: new Set([commit]),
      onBroken: async () => undefined,
    });
    const failed = await goBack(world, answer, { commit, keep: true, url: page.url });
    expect(failed.step?.outputs).toMatchObject({
      outcome: 'failed',
      'error-code': expect.stringMatching(/^SD/),
    });
    expect(deployedBy(world)).toEqual([commit, commit]);
    expect(failed).toMatchObject({ keep: 'skipped', calls: [] });
  });
});
