import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../emulator/runner.ts';
import { git, repository, startGitWorld } from '../git/support.ts';
import { also, rows } from '../support/exhaustive.ts';
import { killAt } from './kill-at.ts';
import { runPushing, type StepOptions, startPushing } from './push-world.ts';

/** A project that holds nothing but its template, and the head of main, which it lacks. */
async function startNewProject() {
  const world = await startGitWorld();
  const commit = await world.push();
  const template = await world.project.head();
  const { github } = world;
  github.commits.set(`${repository}@${commit}`, { parents: [] });
  github.refs.set(`${repository}@main`, commit);
  const folder = await world.project.gitFolder();
  const refs = async () => {
    const listed = await git(folder, ['for-each-ref', '--format=%(refname:short) %(objectname)']);
    return Object.fromEntries(listed.split('\n').map((line) => line.split(' ')));
  };
  return {
    world,
    commit,
    template,
    kept: `before-${template.slice(0, 7)}`,
    folder,
    refs,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

type NewProject = Awaited<ReturnType<typeof startNewProject>>;

const pushOf = (after: string, more: object = {}): RunEvent => ({
  name: 'push',
  payload: { ref: 'refs/heads/main', after, repository: { default_branch: 'main' }, ...more },
});

const optionsOf = (commit: string, options: StepOptions = {}): StepOptions => ({
  event: pushOf(commit),
  ...options,
  inputs: { 'github-deployment': 'true', ...options.inputs },
});

const deploy = ({ world, commit }: NewProject, options: StepOptions = {}) =>
  runPushing(world, commit, optionsOf(commit, options));

/** An answer that stands for the service's own from now on. */
const always = { kind: 'status', times: Number.POSITIVE_INFINITY, effect: false } as const;

/** Why a project is not adopted, what makes it so, and what the log says of it; what git shows needs no words. */
const touches: [
  what: string,
  touch: (project: NewProject) => Promise<StepOptions | undefined>,
  because?: string,
][] = [
  [
    'a second commit of somebody',
    async ({ world }) => {
      await world.pushToProject();
      return undefined;
    },
  ],
  [
    'a history that the server has cut off to one commit',
    async ({ world, folder }) => {
      await writeFile(join(folder, 'shallow'), `${await world.pushToProject()}\n`);
      return undefined;
    },
  ],
  [
    'another branch',
    async ({ folder, template }) => {
      await git(folder, ['branch', 'work', template]);
      return undefined;
    },
  ],
  [
    'a tag',
    async ({ folder, template }) => {
      await git(folder, ['tag', 'v1', template]);
      return undefined;
    },
  ],
  [
    'a kept branch with another head',
    async ({ folder, template, kept }) => {
      const other = await git(folder, ['commit-tree', `${template}^{tree}`, '-m', 'other']);
      await git(folder, ['branch', kept, other]);
      return undefined;
    },
  ],
  [
    'a second message',
    async ({ world }) => {
      const messages = ['one', 'two'].map((messageId) => ({ messageId, status: 'succeeded' }));
      const body = JSON.stringify(messages);
      world.emulator.faults.add({ ...always, status: 200, operation: 'listMessages', body });
      return undefined;
    },
    'it has 2 messages',
  ],
  ...['queued', 'in_progress', 'weaving'].map((status): (typeof touches)[number] => [
    `a first message that is ${status}`,
    async ({ world }) => {
      const body = JSON.stringify([{ messageId: 'one', status }]);
      world.emulator.faults.add({ ...always, status: 200, operation: 'listMessages', body });
      return undefined;
    },
    `its first message is still in progress (${status})`,
  ]),
  [
    'messages that cannot be read',
    async ({ world }) => {
      world.emulator.faults.add({ ...always, status: 403, operation: 'listMessages' });
      return undefined;
    },
    "Could not list the project's messages",
  ],
  [
    'a domain that the run does not name',
    async ({ world }) => {
      world.emulator.world.connectDomain('www.example.com', world.project.id);
      return undefined;
    },
    'it serves www.example.com',
  ],
  [
    'domains that cannot be read',
    async ({ world }) => {
      world.emulator.faults.add({ ...always, status: 403, operation: 'listConnectedDomains' });
      return undefined;
    },
    'Could not list the connected domains',
  ],
  [
    'records that cannot be read',
    async ({ world }) => {
      world.github.trouble = { deployments: 'forbidden' };
      return undefined;
    },
    'Could not check whether it is new',
  ],
  [
    'no records',
    async () => ({ inputs: { 'github-deployment': 'false' } }),
    'with github-deployment: false there is no record',
  ],
  [
    'a record that names it, whoever has signed it',
    async ({ world, commit }) => {
      const payload = {
        maker: 'site-deploy-action',
        key: `production/${world.project.id}`,
        mark: 'another',
      };
      const given = { sha: commit, environment: 'elsewhere', payload };
      world.github.addDeployment(repository, given, [{ state: 'success' }]);
      return undefined;
    },
    'this action has deployed to it before',
  ],
  [
    'a head of main that is newer',
    async ({ world }) => {
      world.github.refs.set(`${repository}@main`, await world.push());
      return undefined;
    },
    'is not the head of the default branch',
  ],
  [
    'an event that does not name the default branch',
    async ({ commit }) => ({ event: pushOf(commit, { repository: {} }) }),
    'does not name the default branch',
  ],
  [
    'the merge queue',
    async ({ commit }) => {
      const payload = {
        merge_group: { head_sha: commit },
        repository: { default_branch: 'main' },
      };
      return { event: { name: 'merge_group', payload } };
    },
  ],
  [
    'a pull request',
    async ({ commit }) => {
      const head = { sha: commit, ref: 'topic', repo: { full_name: repository } };
      const payload = {
        action: 'opened',
        number: 7,
        pull_request: { number: 7, state: 'open', head, base: { repo: { full_name: repository } } },
        repository: { default_branch: 'main' },
      };
      const inputs = { 'preview-domain': 'pr-{number}.example.com', comment: 'false' };
      return { event: { name: 'pull_request', payload }, inputs };
    },
  ],
  ['git-force: false', async () => ({ inputs: { 'git-force': 'false' } })],
];

describe.concurrent('a project that holds nothing but its template', () => {
  it('is adopted by the head of the default branch, and its commit is kept', async () => {
    await using project = await startNewProject();
    const { commit, template, kept, refs, world, folder } = project;
    const { github } = world;
    const { outputs, log, summary } = await deploy(project);
    expect(outputs).toMatchObject({ outcome: 'succeeded', pushed: 'true', error: '' });
    expect(await refs()).toEqual({ main: commit, [kept]: template });
    const said = `; the template's commit ${template} is kept as the branch ${kept}`;
    expect(log.filter((line) => line.includes(said))).toHaveLength(1);
    expect(summary.split(`kept in branch ${kept}`)).toHaveLength(2);
    expect(github.violations).toEqual([]);
    // The next commit is a push like any other.
    const next = await world.push();
    expect((await runPushing(world, next, { event: pushOf(next) })).outputs['pushed']).toBe('true');
    // Whose history is rewritten has a project that holds one commit, and it is no new one.
    await git(folder, ['branch', '--quiet', '-D', kept]);
    await git(folder, ['update-ref', 'refs/heads/main', template]);
    github.commits.set(`${repository}@${next}`, { parents: [] });
    github.refs.set(`${repository}@main`, next);
    const rewritten = await deploy({ ...project, commit: next });
    expect(rewritten.outputs['outcome']).toBe('failed');
    expect(rewritten.log).toContainEqual(
      expect.stringContaining('this action has deployed to it before'),
    );
    expect(await refs()).toEqual({ main: template });
  });

  it('is left alone with a domain, unless the run names it', async () => {
    await using project = await startNewProject();
    const { world, refs, template } = project;
    world.emulator.world.connectDomain('www.example.com', world.project.id);
    const { outputs, log } = await deploy(project);
    expect(outputs).toMatchObject({ outcome: 'failed', pushed: '' });
    expect(outputs['error']).toContain(`git-force: ${template}`);
    expect(outputs['error']).toContain('(SD7004)');
    expect(log).toContain('Not adopted as a new project: it serves www.example.com');
    expect(await refs()).toEqual({ main: template });
    expect(world.project.deployments).toEqual([]);
    const inputs = { 'preview-domain': 'www.example.com' };
    expect((await deploy(project, { inputs })).outputs['outcome']).toBe('succeeded');
  });

  also('is adopted where its first message has ended', async () => {
    await using project = await startNewProject();
    const body = JSON.stringify([{ messageId: 'one', status: 'succeeded' }]);
    project.world.emulator.faults.add({ ...always, status: 200, operation: 'listMessages', body });
    expect((await deploy(project)).outputs['outcome']).toBe('succeeded');
  });

  // What git shows of it: test/git/adoption.test.ts. What else does: test/commands/push/new-project.test.ts.
  for (const [what, touch, because] of touches) {
    also(`is not adopted with ${what}`, async () => {
      await using project = await startNewProject();
      const options = (await touch(project)) ?? {};
      const before = await project.refs();
      const { outputs, conclusion, log } = await deploy(project, options);
      expect({ conclusion, outcome: outputs['outcome'] }).toEqual({
        conclusion: 'failure',
        outcome: 'failed',
      });
      expect(outputs['error']).toMatch(/git-force: |a fetched commit is missing/);
      const told = log.filter((line) => line.startsWith('Not adopted as a new project: '));
      expect(told).toEqual(because === undefined ? [] : [expect.stringContaining(because)]);
      expect(await project.refs()).toEqual(before);
      expect(project.world.project.deployments).toEqual([]);
    });
  }
});

/** What an adoption asks for. */
const requests = { service: 12, GitHub: 14 };

/** The one at which the most is at stake: the push, before it took effect, when a record of ours names the project. */
const edge = { side: 'service before', n: 9 };

describe.concurrent('an adoption', () => {
  also('sends so many requests', async () => {
    await using project = await startNewProject();
    const { emulator, github } = project.world;
    await deploy(project);
    expect({ service: emulator.journal.entries.length, GitHub: github.journal.length }).toEqual(
      requests,
    );
  });

  const moments = (['service before', 'service', 'GitHub'] as const).flatMap((side) =>
    Array.from({ length: requests[side === 'GitHub' ? side : 'service'] }, (_, n) => ({
      side,
      n: n + 1,
    })),
  );

  it.each(rows(moments, ({ side, n }) => side === edge.side && n === edge.n))(
    'that is killed, $side, request $n, loses nothing, and the next run ends it',
    async ({ side, n }) => {
      await using project = await startNewProject();
      const { world, commit, template, kept, refs } = project;
      await killAt(world, side, n, () => startPushing(world, commit, optionsOf(commit)));
      expect(Object.values(await refs())).toContain(template);
      expect((await deploy(project)).outputs).toMatchObject({ outcome: 'succeeded', error: '' });
      expect(await refs()).toEqual({ main: commit, [kept]: template });
    },
  );

  also('keeps the commit first where the server takes no push as one', async () => {
    await using project = await startNewProject();
    const { commit, template, kept, refs, folder } = project;
    await git(folder, ['config', 'receive.advertiseAtomic', 'false']);
    expect((await deploy(project)).outputs).toMatchObject({ outcome: 'succeeded', error: '' });
    expect(await refs()).toEqual({ main: commit, [kept]: template });
  });

  also('is ended by a run that finds the commit kept already', async () => {
    await using project = await startNewProject();
    const { commit, template, kept, refs, folder } = project;
    await git(folder, ['branch', kept, template]);
    expect((await deploy(project)).outputs).toMatchObject({ outcome: 'succeeded', error: '' });
    expect(await refs()).toEqual({ main: commit, [kept]: template });
  });

  also('follows a run that deployed nothing', async () => {
    await using project = await startNewProject();
    project.world.emulator.faults.add({
      ...always,
      times: 1,
      status: 403,
      operation: 'listMessages',
    });
    expect((await deploy(project)).outputs['outcome']).toBe('failed');
    expect((await deploy(project)).outputs['outcome']).toBe('succeeded');
  });

  also(
    'follows a run whose deployment the service refused, once the template is back',
    async () => {
      await using project = await startNewProject();
      const { world, folder, template, kept } = project;
      world.emulator.faults.add({
        ...always,
        times: 1,
        status: 403,
        operation: 'createDeployment',
      });
      expect((await deploy(project)).outputs).toMatchObject({ outcome: 'failed', pushed: 'true' });
      await git(folder, ['update-ref', 'refs/heads/main', template]);
      await git(folder, ['branch', '--quiet', '-D', kept]);
      expect((await deploy(project)).outputs['outcome']).toBe('succeeded');
    },
  );
});
