import { cp, mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { playRepository, type RunProgress } from '../../emulator/workflow/repository-runs.ts';
import { localValues, type PlayValues } from '../../scripts/player/local-values.ts';
import { type LocalWorld, openWorld, siteAndPreview } from '../../scripts/player/world.ts';
import { Checkout, repository } from '../git/support.ts';
import { root, unpacked } from '../support/places.ts';
import { shareProcess } from '../support/shared-process.ts';

/** A run of one of the starter's workflows. */
export interface StarterRun {
  file: string;
  conclusion: string;
  log: string;
  summary: string;
  /** How many requests it sent to the service that change something. */
  writes: number;
}

/** The runs that something starts. */
type Runs = Promise<StarterRun[]>;

/** Where the preview of the first pull request is. */
export const hostname = 'pr-1.preview.localhost';

/** Collects the runs of a repository as they end. */
function createCollector() {
  const logs = new Map<number, string[]>();
  const summaries = new Map<number, string>();
  const ended: Omit<StarterRun, 'writes'>[] = [];
  const mistakes: string[] = [];
  const report = (told: RunProgress): void => {
    if (told.type === 'mistake') mistakes.push(told.text);
    else if (told.type === 'run') {
      const lines = logs.get(told.run.id) ?? [];
      logs.set(told.run.id, lines);
      const { progress } = told;
      if (progress.type === 'line') lines.push(progress.line);
      if (progress.type === 'shown') {
        summaries.set(told.run.id, `${summaries.get(told.run.id) ?? ''}${progress.summary}`);
      }
    } else if (told.type === 'end') {
      const log = (logs.get(told.run.id) ?? []).join('\n');
      const summary = summaries.get(told.run.id) ?? '';
      ended.push({ file: told.run.file, conclusion: told.conclusion, log, summary });
    }
  };
  return { report, ended, mistakes };
}

/** Copies the starter into a repository, and gives what the README sets on GitHub. */
export async function copyStarter(world: LocalWorld, { folder }: Checkout): Promise<PlayValues> {
  await cp(join(root, 'examples/starter'), folder, { recursive: true });
  const own = localValues(world);
  const keys = { EXAMPLE_KEY: 'fake-example-key', EXAMPLE_TEST_KEY: 'fake-example-test-key' };
  return { secrets: { ...own.secrets, ...keys }, vars: own.vars };
}

/**
 * A new project with nothing but its template, one for previews, and an empty repository on GitHub whose working tree
 * has a page and the starter. Pushes, pull requests and schedules start what they would start on GitHub.
 *
 * @param setUp puts the starter into the working tree, whose remote `origin` is GitHub, and gives what is set there
 * @param runSteps whether `run:` steps are run
 */
export async function startStarter(setUp = copyStarter, runSteps = false) {
  await using opening = new AsyncDisposableStack();
  const world = opening.use(
    await openWorld({
      dialect: { buildMs: 0, verifyMs: 0 },
      hasOwnAddress: true,
      contents: siteAndPreview,
      gitHub: { login: 'octocat', token: 'fake-personal-token' },
    }),
  );
  const { emulator, github, project, projects } = world;
  const { path } = opening.use(await mkdtempDisposable(join(tmpdir(), 'starter-')));
  const dev = new Checkout(join(path, 'site'));
  await mkdir(dev.folder);
  await dev.git('init', '--quiet', '--initial-branch=main');
  await writeFile(join(dev.folder, 'index.html'), '<h1>Mine</h1>');
  await github.serveRepository(repository, dev.folder);
  const remote = new URL(`${github.url}/${repository}`);
  Object.assign(remote, { username: 'x-access-token', password: github.token });
  await dev.git('remote', 'add', 'origin', remote.href);
  const given = await setUp(world, dev);
  const secrets: Record<string, string> = { ...given.secrets };
  const { report, ended, mistakes } = createCollector();
  const runs = opening.use(
    playRepository({
      github,
      repository,
      actions: unpacked,
      launch: shareProcess,
      runtime: world.cache.environment,
      runSteps,
      secrets,
      vars: given.vars,
      // It is called for all names, also for those that are given.
      invent: (context, name) => {
        if (!(name in { secrets, vars: given.vars }[context]))
          throw new Error(`${context}.${name} is not set up`);
        return '';
      },
      report,
    }),
  );
  const after = async (start: () => Promise<unknown>): Runs => {
    const from = ended.length;
    const first = emulator.journal.entries.length;
    await start();
    await runs.idle();
    const sent = emulator.journal.entries.slice(first);
    const writes = sent.filter(
      ({ method, operation }) => method !== 'GET' && operation !== 'git',
    ).length;
    return ended.slice(from).map((run) => ({ ...run, writes }));
  };
  const post = async (path: string, body?: object) => {
    const { ok, status } = await fetch(`${github.url}/repos/${repository}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${github.token}` },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!ok) throw new Error(`${path} returned ${status}`);
  };
  const open = opening.move();
  return {
    emulator,
    github,
    project,
    /** A folder of this test's own. */
    folder: path,
    preview: projects.get('preview') ?? project,
    secrets,
    mistakes,
    dev,
    /** The page of the preview, requested by its hostname, which not every system resolves. */
    readPreview: async () => {
      const { body } = await request(emulator.url, { headers: { host: hostname } });
      return await body.text();
    },
    /** The runs that something starts. */
    after,
    /** Commits files and pushes them to a branch. */
    push: (branch: string, files: Readonly<Record<string, string>>): Runs =>
      after(async () => {
        await dev.git('checkout', '--quiet', '-B', branch);
        await dev.commit(files);
        await dev.git('push', '--quiet', remote.href, `HEAD:refs/heads/${branch}`);
      }),
    openPull: (head: string): Runs =>
      after(() => github.openPullRequest(repository, { title: 'A change', head, base: 'main' })),
    closePull: (): Runs =>
      after(() => github.updatePullRequest(repository, 1, { state: 'closed' })),
    /** Closes a pull request whose close starts no run, as one with conflicts. */
    closeUnheard: () => {
      const pull = github.pullRequests.get(`${repository}#1`);
      if (pull === undefined) throw new Error('no pull request');
      github.pullRequests.set(`${repository}#1`, { ...pull, state: 'closed' });
    },
    /** Starts a workflow by hand. */
    dispatch: (file: string, ref = 'main'): Runs =>
      after(() => post(`actions/workflows/${file}/dispatches`, { ref })),
    schedule: (file: string): Runs => after(() => github.startSchedule(repository, file)),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
