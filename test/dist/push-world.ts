import type { RunOptions } from '../../emulator/runner.ts';
import { type GitWorld, repository } from '../git/support.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { shareProcess } from '../support/shared-process.ts';
import { startStep } from './run-step.ts';

/** How a step differs from a push of the commit without a checkout. */
export type StepOptions = Partial<RunOptions>;

/** Starts `dist/` for a pushed commit that only GitHub has, with all inputs that push it. */
export function startPushing(world: GitWorld, commit: string, options: StepOptions = {}) {
  const { emulator, github, project } = world;
  return startStep(emulator, project, {
    event: { name: 'push', payload: { ref: 'refs/heads/main', after: commit } },
    ...options,
    github: {
      repository,
      serverUrl: github.url,
      apiUrl: github.url,
      token: github.token,
      ...options.github,
    },
    inputs: {
      'git-url': `${emulator.url}/git/{projectId}.git`,
      'git-token': emulator.gitToken,
      ...options.inputs,
    },
  });
}

/** Runs it to its end. */
export async function runPushing(world: GitWorld, commit: string, options: StepOptions = {}) {
  const step = await startPushing(world, commit, { launch: shareProcess, ...options });
  return await step.done;
}

/** An open pull request, with a commit that only GitHub has. */
export async function openPullRequest({ dev, github, push }: GitWorld, number: number) {
  const base = await dev.git('rev-parse', 'main');
  await dev.git('checkout', '--quiet', '-B', `topic-${number}`, 'main');
  const sha = await push({ 'index.html': `<h1>Number ${number}</h1>` });
  await dev.git('checkout', '--quiet', 'main');
  const head = { ref: `topic-${number}`, sha, repo: { full_name: repository, fork: false } };
  const pull = { number, state: 'open', head, base: { ref: 'main', sha: base } } as const;
  github.pullRequests.set(`${repository}#${number}`, pull);
  const payload = adjust(examplePayload('pull_request', 'synchronize'), {
    number,
    'pull_request.number': number,
    'pull_request.head.sha': sha,
    'pull_request.head.ref': `topic-${number}`,
    'pull_request.head.repo.full_name': repository,
    'pull_request.base.repo.full_name': repository,
  });
  return { sha, event: { name: 'pull_request', payload } };
}
