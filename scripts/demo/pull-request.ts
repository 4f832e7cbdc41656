import { startCacheServer } from '../../emulator/cache/index.ts';
import { startGitHub } from '../../emulator/github/index.ts';
import type { Emulator } from '../../emulator/index.ts';
import { repository, type Scene, startPlay } from '../player/play.ts';
import { check, createProject, pushAndShow, quote, title } from './stage.ts';

const number = 7;
const hostname = `pr-${number}.preview.localhost`;

/** The comment's Markdown, with entities decoded. */
function readable(markdown: string): string {
  return markdown
    .replace(/<\/?(code|sub)>/g, '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}

async function play(scene: Required<Scene>, action: string, sha: string, run: number) {
  const { github } = scene;
  const state = action === 'closed' ? 'closed' : 'open';
  const repo = { full_name: repository, fork: false };
  const head = { ref: 'topic', sha, repo };
  const pullRequest = { number, state, head, base: { ref: 'main', sha, repo } } as const;
  github.pullRequests.set(`${repository}#${number}`, pullRequest);
  const step = await startPlay(scene, {
    action: 'deploy',
    inputs: {
      'preview-domain': 'pr-{number}.preview.localhost',
      'env-from': 'STRIPE_KEY',
    },
    env: { STRIPE_KEY: 'sk_not_a_real_test_key' },
    event: { name: 'pull_request', payload: { action, number, pull_request: pullRequest } },
    github: { runId: String(run) },
  }).done;
  const comments = github.comments(repository, number);
  const log = step.log.slice(step.log.findIndex((line) => line.startsWith('Project ')));
  for (const line of action === 'closed' ? step.log.slice(-2) : log) quote(line);
  console.log('\n  The comment:');
  for (const line of readable(comments[0]?.body ?? '')
    .split('\n')
    .slice(2))
    quote(line);
  check(step.conclusion === 'success', `the step succeeded: outcome ${step.outputs['outcome']}`);
  check(comments.length === 1, 'there is one comment');
  return comments[0]?.body ?? '';
}

/** Requests the preview's page by its hostname. */
async function readPreview(emulator: Emulator): Promise<string> {
  const { request } = await import('undici');
  const { body } = await request(emulator.url, { headers: { host: hostname } });
  return await body.text();
}

/** A pull request is opened, updated and closed. */
export async function playPullRequest(emulator: Emulator): Promise<void> {
  await using github = await startGitHub();
  await using cache = await startCacheServer();
  const project = await createProject(emulator);
  const scene = { emulator, github, project, cache };

  title('A pull request is opened');
  const first = await pushAndShow(project, 'A first idea', 'topic');
  const opened = await play(scene, 'opened', first, 101);
  check(opened.includes(`https://${hostname}`), `the comment links to https://${hostname}`);
  check(
    (await readPreview(emulator)).includes('A first idea'),
    'the preview shows the first commit',
  );

  title('A second commit is pushed to it');
  const second = await pushAndShow(project, 'A better idea', 'topic-2');
  const countWrites = () =>
    emulator.journal.entries.filter(({ operation }) => /Variable$/.test(operation)).length;
  const written = countWrites();
  await play(scene, 'synchronize', second, 102);
  check(countWrites() === written, 'the unchanged variable was not written again');
  check(
    (await readPreview(emulator)).includes('A better idea'),
    'the preview shows the second commit',
  );

  title('It is closed');
  const closed = await play(scene, 'closed', second, 103);
  check(closed.includes('is removed'), 'the comment reports that the preview was removed');
  check(emulator.world.domains.all[0]?.projectId === null, `${hostname} is assigned to no project`);
  const states = github.deployments(repository).map(({ statuses }) => statuses.at(-1)?.state);
  check(
    states.every((state) => state === 'inactive'),
    'its GitHub deployments are inactive',
  );
  check(
    github.violations.length === 0,
    "every request to GitHub conforms to GitHub's OpenAPI description",
  );
}
