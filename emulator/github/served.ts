import { borrowRepository } from '../git/borrow.ts';
import { git } from '../git/git.ts';
import { commonPayload, noCommit, pushPayload, type RefChange } from './events.ts';
import { changesBetween, learnHistory, readCommits, readRefs } from './history.ts';
import type { PullRequestChanges } from './pull-requests.ts';
import { notFound } from './refusal.ts';
import type { Push, Repositories } from './repositories.ts';
import type { World } from './state/world.ts';

const everything = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];

/** GitHub tells no more commits of one push. */
const mostCommits = 2048;

/** The repositories that are served as GitHub serves them: with pushes, which are events. */
export class ServedRepositories {
  readonly #world: World;
  readonly #repositories: Repositories;
  readonly #changes: PullRequestChanges;

  constructor(world: World, repositories: Repositories, changes: PullRequestChanges) {
    this.#world = world;
    this.#repositories = repositories;
    this.#changes = changes;
    repositories.onPush = (push) => this.#receive(push);
  }

  /**
   * Serves a copy of a git repository of this machine, which may have no commit yet.
   * @param headAs the one branch to take, which is at the folder's HEAD; all branches and tags if absent
   * @throws if the folder is no git repository
   */
  async serve(name: string, from: string, headAs?: string): Promise<void> {
    const wanted = headAs === undefined ? everything : [`+HEAD:refs/heads/${headAs}`];
    await using source = await borrowRepository(from);
    if (source === undefined) throw new Error(`${from} is in no git repository`);
    const folder = await this.#repositories.copy(name, source.path, wanted);
    const refs = await readRefs(folder);
    const usual = headAs ?? (await usualBranch(source.path, branchesOf(refs)));
    await this.#setDefault(name, folder, usual);
    await learnHistory(this.#world, name, folder, refs);
  }

  /** The folder, the default branch and its commit. @throws a Refusal if there is none */
  async defaultBranch(repository: string) {
    const branch = this.#world.defaultBranches.get(repository) ?? 'main';
    const sha = this.#world.refs.get(`${repository}@${branch}`);
    if (sha === undefined) throw notFound();
    return { branch, sha };
  }

  /** Starts a workflow file of the default branch as its schedule would. */
  async startSchedule(repository: string, workflow: string, schedule: string): Promise<void> {
    const { branch, sha } = await this.defaultBranch(repository);
    const actor = repository.split('/')[0] ?? '';
    this.#world.tell({
      name: 'schedule',
      repository,
      payload: {
        schedule,
        workflow: `.github/workflows/${workflow}`,
        ...commonPayload(this.#world, repository, actor),
      },
      ref: `refs/heads/${branch}`,
      sha,
      actor,
      workflow,
    });
  }

  async #setDefault(repository: string, folder: string, branch: string): Promise<void> {
    await git([`--git-dir=${folder}`, 'symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
    this.#world.defaultBranches.set(repository, branch);
  }

  async #receive({ repository, folder, login, before, after }: Push): Promise<void> {
    const [first] = branchesOf(after);
    // The first push to an empty repository decides what its default branch is.
    if (branchesOf(before).length === 0 && first !== undefined) {
      const usual = this.#world.defaultBranches.get(repository) ?? 'main';
      const isThere = after.has(`refs/heads/${usual}`);
      if (!isThere) await this.#setDefault(repository, folder, first);
    }
    await learnHistory(this.#world, repository, folder, after, before);
    for (const change of changesBetween(before, after)) {
      await this.#tell(repository, folder, { ...change, known: before }, login);
      if (change.ref.startsWith('refs/heads/')) {
        await this.#changes.follow(repository, change, login);
      }
    }
  }

  async #tell(
    repository: string,
    folder: string,
    { known, ...change }: RefChange & { known: ReadonlyMap<string, string> },
    actor: string,
  ): Promise<void> {
    const { ref, before, after } = change;
    const isNew = before === noCommit;
    const commits = await readCommits(folder, [after], isNew ? known.values() : [before]);
    const tip =
      commits.at(-1)?.id === after
        ? []
        : await readCommits(folder, [after], parentsOf(this.#world, repository, after));
    const isForced =
      !isNew && after !== noCommit && !this.#world.ancestryOf(repository, after)?.has(before);
    const told = [...commits, ...tip].slice(-mostCommits);
    const payload = pushPayload(
      this.#world,
      repository,
      { ...change, commits: told, isForced },
      actor,
    );
    this.#world.tell({ name: 'push', repository, payload, ref, sha: after, actor });
  }
}

const parentsOf = (world: World, repository: string, sha: string): readonly string[] =>
  world.commits.get(`${repository}@${sha}`)?.parents ?? [];

const branchesOf = (refs: ReadonlyMap<string, string>): string[] =>
  [...refs.keys()].flatMap((ref) => /^refs\/heads\/(.+)$/.exec(ref)?.[1] ?? []);

/** The default branch, as far as a clone tells it: what is checked out may be anything, unless nothing else is there. */
async function usualBranch(from: string, branches: readonly string[]): Promise<string> {
  const named = (ref: string) =>
    git([`--git-dir=${from}`, 'symbolic-ref', '--short', ref]).catch(() => undefined);
  const head = await named('HEAD');
  if (branches.length === 0) return head ?? 'main';
  const remote = (await named('refs/remotes/origin/HEAD'))?.replace(/^origin\//, '');
  const likely = [remote, 'main', 'master', head].find((one) => branches.includes(one ?? ''));
  return likely ?? branches[0] ?? 'main';
}
