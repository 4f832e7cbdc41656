import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../emulator/runner.ts';
import { git, repository, startGitWorld } from '../git/support.ts';
import { also, rows } from '../support/exhaustive.ts';
import { runBringing, type StepOptions, startBringing } from './bring-world.ts';
import { killAt } from './kill-at.ts';

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
  runBringing(world, commit, optionsOf(commit, options));

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
    const { commit, template, kept, refs, world } = project;
    const { outputs, log, summary } = await deploy(project);
    expect(outputs).toMatchObject({ outcome: 'succeeded', pushed: 'true', error: '' });
    expect(await refs()).toEqual({ main: commit, [kept]: template });
    const said = `; the template's commit ${template} is kept as the branch ${kept}`;
    expect(log.filter((line) => line.includes(said))).toHaveLength(1);
    expect(summary.split(`kept in branch ${kept}`)).toHaveLength(2);
    expect(world.github.violations).toEqual([]);
    // The next commit is a push like any other.
    const next = await world.push();
    expect((await runBringing(world, next, { event: pushOf(next) })).outputs['pushed']).toBe(
      'true',
    );
  });

  it('is not taken for one that holds the only commit of a release, once history is rewritten', async () => {
    await using project = await startNewProject();
    const { world, folder, kept, refs } = project;
    // A history of its own, of one commit.
    const begin = async (branch: string) => {
      await world.dev.git('checkout', '--quiet', '--orphan', branch);
      const commit = await world.push();
      world.github.commits.set(`${repository}@${commit}`, { parents: [] });
      world.github.refs.set(`${repository}@main`, commit);
      return commit;
    };
    const first = await begin('first');
    expect((await deploy({ ...project, commit: first })).outputs['outcome']).toBe('succeeded');
    await git(folder, ['branch', '--quiet', '-D', kept]);
    const { outputs, log } = await deploy({ ...project, commit: await begin('second') });
    expect(outputs['outcome']).toBe('failed');
    expect(log).toContainEqual(expect.stringContaining('this action has deployed to it before'));
    expect(await refs()).toEqual({ main: first });
  });

  it('is adopted where its domain is one that the run names', async () => {
    await using project = await startNewProject();
    const { world } = project;
    world.emulator.world.connectDomain('www.example.com', world.project.id);
    const inputs = { 'preview-domain': 'www.example.com' };
    expect((await deploy(project, { inputs })).outputs['outcome']).toBe('succeeded');
  });

  it('is adopted where its first message has ended', async () => {
    await using project = await startNewProject();
    const body = JSON.stringify([{ messageId: 'one', status: 'succeeded' }]);
    project.world.emulator.faults.add({ ...always, status: 200, operation: 'listMessages', body });
    expect((await deploy(project)).outputs['outcome']).toBe('succeeded');
  });

  it.each(rows([true, false], (isAtomic) => !isAtomic))(
    'is left alone, and told as before, where the server takes no branch for its commit (atomic: %s)',
    async (isAtomic) => {
      await using project = await startNewProject();
      const { world, folder, template, kept, refs } = project;
      if (!isAtomic) await git(folder, ['config', 'receive.advertiseAtomic', 'false']);
      Object.assign(world.emulator.dialect, { protectedBranches: [kept] });
      const { outputs } = await deploy(project);
      expect(outputs['error']).toContain(`git-force: ${template}`);
      expect(outputs['error']).toContain('(SD7004)');
      expect(await refs()).toEqual({ main: template });
    },
  );

  /** What the run sees by the same look as another that is tried. */
  const alike = [
    'a tag',
    'a first message that is in_progress',
    'a first message that is queued',
    'domains that cannot be read',
    'the merge queue',
  ];
  it.each(rows(touches, ([what]) => !alike.includes(what)))(
    'is not adopted with %s',
    async (_what, touch, because) => {
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
    },
  );
});

/** What somebody else does to the project's repository meanwhile. */
const rivals: [what: string, act: (project: NewProject) => Promise<unknown>][] = [
  ['adds a commit', ({ world }) => world.pushToProject()],
  [
    'puts another first commit there',
    async ({ folder, template }) => {
      const other = await git(folder, ['commit-tree', `${template}^{tree}`, '-m', 'other']);
      await git(folder, ['update-ref', 'refs/heads/main', other]);
    },
  ],
  [
    'makes a branch of the same name',
    async ({ folder, template, kept }) => {
      const other = await git(folder, ['commit-tree', `${template}^{tree}`, '-m', 'other']);
      await git(folder, ['branch', kept, other]);
    },
  ],
];

/** The requests of our push, which sees the references and then changes them. The first three such looks are ours. */
const moments = [
  ['before our push sees the references', { method: 'GET', after: 3 }],
  ['after it saw them', { method: 'POST', path: /git-receive-pack$/ }],
] as const;

describe.concurrent.each(moments)('somebody, %s,', (before, moment) => {
  // What git sees by itself before, and what only the server sees after.
  const isFirst = before === moments[0][0];
  const tried = rows(rivals, (_, index) => (index === 0) === isFirst);
  it.each(tried)('%s: nothing is lost, and nothing adopted', async (_what, act) => {
    await using project = await startNewProject();
    const { world, refs } = project;
    let theirs = {};
    const until = async () => {
      await act(project);
      theirs = await refs();
    };
    world.emulator.faults.add({ operation: 'git', ...moment, kind: 'hold', until });
    expect((await deploy(project)).outputs['outcome']).toBe('failed');
    expect(theirs).not.toEqual({});
    expect(await refs()).toEqual(theirs);
  });
});

/** What an adoption asks for. */
const requests = { service: 12, GitHub: 14 };

/** Those at which the most is at stake: the push, before and after it took effect, and the last. */
const edges = { 'service before': [9], service: [9], GitHub: [14] };

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

  it.each(rows(moments, ({ side, n }) => edges[side].includes(n)))(
    'that is killed, $side, request $n, loses nothing, and the next run ends it',
    async ({ side, n }) => {
      await using project = await startNewProject();
      const { world, commit, template, kept, refs } = project;
      await killAt(world, side, n, () => startBringing(world, commit, optionsOf(commit)));
      expect(Object.values(await refs())).toContain(template);
      expect((await deploy(project)).outputs).toMatchObject({ outcome: 'succeeded', error: '' });
      expect(await refs()).toEqual({ main: commit, [kept]: template });
    },
  );

  it('keeps the commit first where the server takes no push as one', async () => {
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

  it('follows a run whose deployment the service refused, once the template is back', async () => {
    await using project = await startNewProject();
    const { world, folder, template, kept } = project;
    world.emulator.faults.add({ ...always, times: 1, status: 403, operation: 'createDeployment' });
    expect((await deploy(project)).outputs).toMatchObject({ outcome: 'failed', pushed: 'true' });
    await git(folder, ['update-ref', 'refs/heads/main', template]);
    await git(folder, ['branch', '--quiet', '-D', kept]);
    expect((await deploy(project)).outputs['outcome']).toBe('succeeded');
  });
});
