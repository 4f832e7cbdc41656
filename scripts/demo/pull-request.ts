import { request } from 'undici';
import { startCacheServer } from '../../emulator/cache/index.ts';
import { startGitHub } from '../../emulator/github/index.ts';
import type { Emulator } from '../../emulator/index.ts';
import { repository, type Scene } from '../player/play.ts';
import {
  addressOf,
  beginScene,
  check,
  createProject,
  note,
  pushAndShow,
  quote,
  runStep,
} from './stage.ts';

const number = 7;
const hostname = `pr-${number}.preview.localhost`;

/** The comment's Markdown without its signature, with entities decoded and the details folded. */
function readable(markdown: string): string[] {
  return markdown
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<details><summary>(.*?)<\/summary>[\s\S]*?<\/details>/g, '▸ $1')
    .replace(/<\/?(code|sub)>/g, '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .split('\n')
    .filter((line) => line.trim() !== '');
}

async function play(scene: Required<Scene>, action: string, sha: string, run: number) {
  const { github } = scene;
  const state = action === 'closed' ? 'closed' : 'open';
  const repo = { full_name: repository, fork: false };
  const head = { ref: 'topic', sha, repo };
  const pullRequest = { number, state, head, base: { ref: 'main', sha, repo } } as const;
  github.pullRequests.set(`${repository}#${number}`, pullRequest);
  const step = await runStep(scene, {
    action: 'deploy',
    inputs: {
      'preview-domain': 'pr-{number}.preview.localhost',
      'env-from': 'STRIPE_KEY',
    },
    env: { STRIPE_KEY: 'sk_not_a_real_test_key' },
    event: { name: 'pull_request', payload: { action, number, pull_request: pullRequest } },
    github: { runId: String(run) },
  });
  const comments = github.comments(repository, number);
  note('The comment on the pull request:');
  for (const line of readable(comments[0]?.body ?? '')) quote(line);
  check(step.conclusion === 'success', `the step succeeded: outcome ${step.outputs['outcome']}`);
  check(comments.length === 1, 'there is one comment');
  return comments[0]?.body ?? '';
}

/** Requests the preview's page by its hostname, which Node doesn't resolve on all systems. */
async function readPreview(emulator: Emulator): Promise<string> {
  const { body } = await request(emulator.url, { headers: { host: hostname } });
  return await body.text();
}

/** A pull request with a preview. Disposing of it stops GitHub. */
export interface OpenPullRequest extends AsyncDisposable {
  /** The address of its preview. */
  address: string;
  close(): Promise<void>;
}

/** A pull request is opened and updated. */
export async function playPullRequest(emulator: Emulator): Promise<OpenPullRequest> {
  await using opening = new AsyncDisposableStack();
  const github = opening.use(await startGitHub());
  const cache = opening.use(await startCacheServer());
  const address = addressOf(emulator, hostname);

  beginScene(
    'A pull request is opened',
    'It gets a preview on its own domain, and a comment with the address.',
  );
  const project = await createProject(emulator);
  const scene = { emulator, github, project, cache };
  const first = await pushAndShow(project, 'A first idea', 'topic');
  const opened = await play(scene, 'opened', first, 101);
  check(opened.includes(`https://${hostname}`), `the comment links to https://${hostname}`);
  const firstPage = await readPreview(emulator);
  check(firstPage.includes('A first idea'), 'the preview shows the first commit');
  note(`In your browser: ${address}`);

  beginScene(
    'A second commit is pushed to it',
    'The preview and the comment are updated. The variable is not written again.',
  );
  const second = await pushAndShow(project, 'A better idea', 'topic-2');
  const countWrites = () =>
    emulator.journal.entries.filter(({ operation }) => /Variable$/.test(operation)).length;
  const written = countWrites();
  await play(scene, 'synchronize', second, 102);
  check(countWrites() === written, 'the unchanged variable was not written again');
  const secondPage = await readPreview(emulator);
  check(secondPage.includes('A better idea'), 'the preview shows the second commit');

  const close = async () => {
    beginScene(
      'The pull request is closed',
      'Its preview is removed, and the comment reports that.',
    );
    const closed = await play(scene, 'closed', second, 103);
    check(closed.includes('is removed'), 'the comment reports that the preview was removed');
    const domain = emulator.world.domains.find(hostname);
    check(domain?.projectId === null, `${hostname} is assigned to no project`);
    const states = github.deployments(repository).map(({ statuses }) => statuses.at(-1)?.state);
    check(
      states.every((state) => state === 'inactive'),
      'its GitHub deployments are inactive',
    );
    check(
      github.violations.length === 0,
      "every request to GitHub conforms to GitHub's OpenAPI description",
    );
  };
  const open = opening.move();
  return { address, close, [Symbol.asyncDispose]: () => open.disposeAsync() };
}
