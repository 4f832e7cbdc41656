import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deployedBy, type ExampleWorld, startExampleWorld } from '../examples/example-world.ts';
import { repository } from '../git/support.ts';
import type { Play } from '../support/play-example.ts';
import { addCommit, servePage } from './history-world.ts';

const file = { checks: [{ path: '/', status: 200 }] };

/**
 * A line of commits on main, a page that shows which one is live, and the examples that deploy and go back.
 *
 * @param pushes whether each is pushed by git, as the examples do; else the project has all of them, which is cheaper
 */
export async function startStory(count: number, { pushes = false } = {}) {
  const world = await startExampleWorld();
  const { github, project, push, playOne } = world;
  const broken = new Set<string>();
  const page = await servePage(project, { broken, onBroken: async () => undefined });
  const template = await project.head();
  const commits: string[] = [];
  /** What events name; empty: nothing. */
  const settings = { defaultBranch: 'main' };
  /** Adds a commit to main. */
  const add = async () => {
    const before = commits.at(-1) ?? template;
    const sha = pushes ? await push() : await addCommit(project, before, 'next');
    github.commits.set(`${repository}@${sha}`, { parents: commits.slice(-1) });
    github.refs.set(`${repository}@main`, sha);
    commits.push(sha);
    return sha;
  };
  for (let n = 0; n < count; n += 1) await add();
  const workspace = await mkdtemp(join(world.folder, 'site-'));
  await mkdir(join(workspace, '.github'));
  await writeFile(join(workspace, '.github/checks.yml'), JSON.stringify(file));
  const head = () => commits.at(-1) ?? '';
  /** How a run that deploys comes to the commit. */
  const way = (force: string): Record<string, string> =>
    pushes ? { 'git-force': force } : { 'git-url': '', 'git-token': '' };
  const play = async (name: string, options: Partial<Play> = {}, event = 'workflow_dispatch') => {
    const sha = options.github?.sha ?? head();
    const payload = event === 'push' ? { ref: 'refs/heads/main', after: sha } : {};
    const branch = settings.defaultBranch;
    const own = { repository: branch === '' ? {} : { default_branch: branch }, ...payload };
    return await playOne(
      name,
      { name: event, payload: own },
      {
        workspace,
        ...options,
        vars: { SITE_URL: page.url },
        github: { sha },
        // Long enough beside other work; where a page is broken, somebody has to wait for it.
        changed: { 'verify-timeout': broken.size > 0 ? '5s' : '30s', ...options.changed },
      },
    );
  };
  return {
    world,
    commits,
    broken,
    settings,
    add,
    /** Deploys a commit as a push does, and goes back if its page is broken. */
    deploy: (sha: string) =>
      play('push-roll-back.yml', { github: { sha }, changed: way(template) }, 'push'),
    /** The hourly run, for the head of main. */
    redeploy: (changed: Record<string, string> = {}) =>
      play('redeploy.yml', { changed: { ...way('true'), 'env-from': '', ...changed } }, 'schedule'),
    /** What somebody starts by hand; empty: without saying which commit. */
    goBack: (commit = '', changed: Record<string, string> = {}) =>
      play('rollback.yml', { inputs: { commit }, changed }),
    live: () => deployedBy(world).at(-1),
    [Symbol.asyncDispose]: async () => {
      page[Symbol.dispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** The records that GitHub has of the repository, the oldest first. The list is live. */
export const recordsIn = ({ github }: ExampleWorld) => github.deployments(repository);

/** GitHub refuses to be read. */
export const refuseReading = ({ github }: ExampleWorld) => {
  github.trouble = ({ method }) => (method === 'GET' ? 'forbidden' : undefined);
};
