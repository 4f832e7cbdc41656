import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rows } from '../support/exhaustive.ts';
import { type GitWorld, git, projectRequests, startGitWorld } from './support.ts';

/** A project with its template alone, a commit that it lacks, and how that is pushed. */
async function startNewProject() {
  const world = await startGitWorld();
  const { project } = world;
  const folder = await project.gitFolder();
  const template = await project.head();
  const commit = await world.push();
  const asked = { mayAdopt: 0 };
  return {
    world,
    folder,
    template,
    commit,
    kept: `before-${template.slice(0, 7)}`,
    asked,
    /** Pushes as a run does that everything else shows a new project. */
    adopt: () =>
      world.pushCommit(commit, {
        mayAdopt: async () => {
          asked.mayAdopt += 1;
          return true;
        },
      }),
    refs: async () => {
      const format = '--format=%(refname:short) %(objectname)';
      const listed = await git(folder, ['for-each-ref', format]);
      return Object.fromEntries(listed.split('\n').map((line) => line.split(' ')));
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

type NewProject = Awaited<ReturnType<typeof startNewProject>>;

const pushesOf = (world: GitWorld) =>
  projectRequests(world).filter((request) => request === 'POST git-receive-pack').length;

test('a template is replaced and kept by one push, or by none where the server takes no branch for it', async () => {
  await using project = await startNewProject();
  const { world, template, commit, kept, adopt, refs } = project;
  world.emulator.dialect.protectedBranches = [kept];
  expect(await adopt()).toMatchObject({ kind: 'refused', head: template });
  expect(await refs()).toEqual({ main: template });
  world.emulator.dialect.protectedBranches = [];
  const before = pushesOf(world);
  expect(await adopt()).toEqual({ kind: 'pushed', from: template, forced: true, kept });
  expect(pushesOf(world)).toBe(before + 1);
  expect(await refs()).toEqual({ main: commit, [kept]: template });
});

test('it is kept first where the server takes no push as one', async () => {
  await using project = await startNewProject();
  const { folder, template, commit, kept, adopt, refs } = project;
  await git(folder, ['config', 'receive.advertiseAtomic', 'false']);
  expect(await adopt()).toMatchObject({ kind: 'pushed', kept });
  expect(await refs()).toEqual({ main: commit, [kept]: template });
});

test('the same where the server takes no branch for it either', async () => {
  await using project = await startNewProject();
  const { world, folder, template, kept, adopt, refs } = project;
  await git(folder, ['config', 'receive.advertiseAtomic', 'false']);
  world.emulator.dialect.protectedBranches = [kept];
  expect(await adopt()).toMatchObject({ kind: 'refused', head: template });
  expect(await refs()).toEqual({ main: template });
});

test('a project with work in it is left as it is', async () => {
  await using project = await startNewProject();
  const { world, folder, asked, adopt, refs } = project;
  const head = await world.pushToProject();
  // A server that has cut off the history before it, so that it looks like a first one.
  await writeFile(join(folder, 'shallow'), `${head}\n`);
  await expect(adopt()).rejects.toMatchObject({ trouble: { kind: 'cut-history' } });
  expect(await refs()).toEqual({ main: head });
  expect({ asked: asked.mayAdopt, pushes: pushesOf(world) }).toEqual({ asked: 0, pushes: 0 });
});

/** Another first commit, in the place of the template or under the name of the branch that keeps it. */
async function begin({ folder, template }: NewProject, reference: string) {
  const other = await git(folder, ['commit-tree', `${template}^{tree}`, '-m', 'other']);
  await git(folder, ['update-ref', `refs/heads/${reference}`, other]);
}

/** What somebody else does to the project's repository meanwhile. */
const rivals: [what: string, act: (project: NewProject) => Promise<unknown>][] = [
  ['adds a commit', ({ world }) => world.pushToProject()],
  ['puts another first commit there', (project) => begin(project, 'main')],
  ['makes a branch of the same name', (project) => begin(project, project.kept)],
];

/** The requests of our push, which sees the references and then changes them. The first three such looks are ours. */
const moments = [
  ['before our push sees the references', { method: 'GET', after: 3 }],
  ['after it saw them', { method: 'POST', path: /git-receive-pack$/ }],
] as const;

const races = moments.flatMap(([when, moment]) =>
  rivals.map(([what, act]) => [when, what, moment, act] as const),
);

// Each of these shows a lease of our push, which nothing but git checks. What the server refuses: rivals.test.ts.
const told = ([when, what]: (typeof races)[number]) =>
  when === moments[0][0] && what !== rivals[1]?.[0];

test.each(rows(races, told))(
  'somebody, %s, %s: nothing is lost, and nothing adopted',
  async (...[, , moment, act]) => {
    await using project = await startNewProject();
    const { world, adopt, refs } = project;
    let theirs = {};
    const until = async () => {
      await act(project);
      theirs = await refs();
    };
    world.emulator.faults.add({ operation: 'git', ...moment, kind: 'hold', until });
    const end = await adopt().catch((error: unknown) => error);
    expect(end instanceof Error || Object(end).kind === 'refused').toBe(true);
    expect(theirs).not.toEqual({});
    expect(await refs()).toEqual(theirs);
  },
);

/** A push whose answer is lost after it took effect; curl itself sends it once more, so that git may not see that. */
const lost = {
  operation: 'git',
  method: 'POST',
  path: /git-receive-pack$/,
  kind: 'reset-after',
} as const;

test.each([
  ["the template's branch, and curl sends it again", 'false', { times: 1 }],
  ["the template's branch", 'false', { times: 2 }],
  ['main, and curl sends it again', 'false', { after: 1, times: 1 }],
  ['main', 'false', { after: 1, times: 2 }],
  ['both, and curl sends them again', 'true', { times: 1 }],
  ['both', 'true', { times: 2 }],
] as const)(
  'a lost answer to the push of %s is looked for (atomic: %s)',
  async (_, atomic, when) => {
    await using project = await startNewProject();
    const { world, folder, template, commit, kept, adopt, refs } = project;
    await git(folder, ['config', 'receive.advertiseAtomic', atomic]);
    world.emulator.faults.add({ ...lost, ...when });
    expect(await adopt()).toEqual({ kind: 'pushed', from: template, forced: true, kept });
    expect(await refs()).toEqual({ main: commit, [kept]: template });
  },
);

test('a rival that comes after a lost answer to the push of its branch keeps what it pushed', async () => {
  await using project = await startNewProject();
  const { world, folder, kept, adopt, refs } = project;
  await git(folder, ['config', 'receive.advertiseAtomic', 'false']);
  world.emulator.faults.add(lost);
  let head = '';
  const until = async () => {
    head = await world.pushToProject();
  };
  world.emulator.faults.add({ ...lost, kind: 'hold', until });
  expect(await adopt()).toMatchObject({ kind: 'refused', head });
  expect(await refs()).toMatchObject({ main: head });
  expect((await refs())[kept]).toBeDefined();
});
