import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../emulator/runner.ts';
import { git, repository, startGitWorld } from '../git/support.ts';
import { rows } from '../support/exhaustive.ts';
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

/** Runs that adopt nothing, whatever the project holds. */
const others: [what: string, options: (commit: string) => StepOptions][] = [
  [
    'the merge queue',
    (commit) => {
      const payload = {
        merge_group: { head_sha: commit },
        repository: { default_branch: 'main' },
      };
      return { event: { name: 'merge_group', payload } };
    },
  ],
  [
    'a pull request',
    (commit) => {
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
  ['git-force: false', () => ({ inputs: { 'git-force': 'false' } })],
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

  // What makes it no new one: test/git/adoption.test.ts by git, test/push/adopt.test.ts by all else.
  it.each(others)('is not adopted by %s', async (_, given) => {
    await using project = await startNewProject();
    const before = await project.refs();
    const { outputs, conclusion } = await deploy(project, given(project.commit));
    expect({ conclusion, outcome: outputs['outcome'] }).toEqual({
      conclusion: 'failure',
      outcome: 'failed',
    });
    expect(outputs['error']).toContain('git-force: ');
    expect(await project.refs()).toEqual(before);
    expect(project.world.project.deployments).toEqual([]);
  });
});

/** What an adoption asks for. */
const requests = { service: 12, GitHub: 15 };

/** The one at which the most is at stake: the push, before it took effect, when a record of ours names the project. */
const edge = { side: 'service before', n: 9 };

describe.concurrent('an adoption', () => {
  it('sends so many requests', async () => {
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
});
