import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { git } from '../../git/git.ts';
import { startGitHub } from '../../github/index.ts';
import { type Play, playWorkflow } from '../../workflow/play-workflow.ts';
import { readWorkflow } from '../../workflow/read-workflow.ts';
import { playRepository, type RunProgress } from '../../workflow/repository-runs.ts';
import { expression } from '../runner/write-action.ts';

export const repository = 'octo-org/my-site';

const author = ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.invalid'];

/** An action that says its input, shows what its token may do, and has a post step. */
const action = {
  'action.yml': JSON.stringify({
    name: 'Test',
    description: 'A test action',
    inputs: { say: {}, token: { default: expression('github.token') } },
    runs: { using: 'node24', main: 'main.mjs', post: 'post.mjs' },
  }),
  'main.mjs': `import { appendFileSync } from 'node:fs';
const { INPUT_SAY: say, INPUT_TOKEN: token, GITHUB_OUTPUT, GITHUB_API_URL, GITHUB_SHA } = process.env;
console.log('said ' + say + ' at ' + GITHUB_SHA);
appendFileSync(GITHUB_OUTPUT, 'word=' + say + '-word\\n');
const ask = (path, method, body) => fetch(GITHUB_API_URL + '/repos/${repository}/' + path, {
  method, headers: { authorization: 'Bearer ' + token }, body: body && JSON.stringify(body) });
const read = await ask('pulls', 'GET');
const written = await ask('issues/1/comments', 'POST', { body: 'Hello' });
console.log('pulls ' + read.status + ', comment ' + written.status);`,
  'post.mjs': `console.log('cleaned up');`,
};

async function writeAll(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

/** An action of ours that says its input, and gives it as its output. */
const saying = {
  'action.yml':
    'name: Say\ndescription: Says\ninputs: { say: {} }\nruns: { using: node24, main: main.mjs }\n',
  'main.mjs': `import { appendFileSync } from 'node:fs';
const { INPUT_SAY: say, GITHUB_OUTPUT } = process.env;
console.log('OUT ' + say);
appendFileSync(GITHUB_OUTPUT, 'word=' + say + '\\n');
if (say === 'fail') process.exitCode = 1;`,
};

/**
 * Plays a workflow in a workspace of these files, its scripts too, unless they are left out.
 * @returns the lines that begin with `OUT`, and the conclusion
 */
export async function playText(
  source: string,
  files: Readonly<Record<string, string>> = {},
  options: Partial<Play> = {},
) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'play-test-'));
  const [actions, workspace] = [join(folder.path, 'actions'), join(folder.path, 'work')];
  await writeAll(actions, saying);
  await writeAll(workspace, files);
  const workflow = await readWorkflow('play.yml', source);
  if ('mistakes' in workflow) throw new Error(workflow.mistakes.join('\n'));
  const log: string[] = [];
  const end = await playWorkflow(workflow, {
    event: { name: 'push', payload: { list: ['a'], map: { b: 'c' } } },
    ...{ secrets: {}, vars: {}, actions, runSteps: true, ...options },
    workspaceOf: () => workspace,
    report: (progress) => {
      if (progress.type === 'line') log.push(progress.line);
      if (progress.type === 'job')
        log.push(...progress.notPlayed.map((one) => `Not played: ${one}`));
    },
  });
  const said = log.flatMap((line) => (line.startsWith('OUT ') ? [line.slice('OUT '.length)] : []));
  return { said, log, conclusion: end?.conclusion, notPlayed: end?.notPlayed };
}

/** A workflow of one job with these steps, as YAML; what is around them goes into the job. */
export const jobOf = (steps: string, around = '') =>
  `name: Play\non: push\njobs:\n  one:\n    runs-on: ubuntu-latest\n${around}    steps:\n${steps.replaceAll(/^(?=.)/gm, '      ')}\n`;

/** A new git repository without a commit, served by a local GitHub, whose workflows are played. */
export async function startOwn(options: Partial<Play> = {}) {
  const opening = new AsyncDisposableStack();
  const { path } = opening.use(await mkdtempDisposable(join(tmpdir(), 'own-test-')));
  const [dev, actions] = [join(path, 'dev'), join(path, 'actions')];
  await git(['init', '--quiet', '--initial-branch=trunk', dev]);
  await writeAll(actions, action);
  const token = 'fake-personal-token';
  const github = opening.use(await startGitHub({ login: 'octocat', token }));
  await github.serveRepository(repository, dev);
  const told: RunProgress[] = [];
  const runs = opening.use(
    playRepository({
      ...options,
      github,
      repository,
      actions,
      secrets: { GIVEN: 'fake-given-secret' },
      vars: { WORD: 'from-vars' },
      invent: (_, name) => `fake-${name}`,
      report: (progress) => told.push(progress),
    }),
  );
  const inDev = (...args: string[]) => git(['-C', dev, ...author, ...args]);
  const remote = new URL(`${github.url}/${repository}`);
  Object.assign(remote, { username: 'x', password: token });
  return {
    github,
    token,
    told,
    dev,
    git: inDev,
    remote: remote.href,
    /** Commits files, pushes them to a branch, and waits until all that this starts is over. */
    push: async (branch: string, files: Readonly<Record<string, string>>) => {
      await writeAll(dev, files);
      await inDev('add', '--all');
      await inDev('commit', '--quiet', '--message', `Change ${branch}`);
      await inDev('push', '--quiet', remote.href, `HEAD:refs/heads/${branch}`);
      await runs.idle();
      return await inDev('rev-parse', 'HEAD');
    },
    /** Sends a request as curl would, and waits until all that it starts is over. */
    send: async (method: string, path: string, body?: object, by = token) => {
      const response = await fetch(`${github.url}/repos/${repository}/${path}`, {
        method,
        headers: { authorization: `Bearer ${by}` },
        body: body === undefined ? null : JSON.stringify(body),
      });
      await runs.idle();
      return { status: response.status, text: await response.text() };
    },
    idle: () => runs.idle(),
    /** The events so far, and what they started. */
    events: () =>
      told.flatMap((one) =>
        one.type === 'event'
          ? [`${one.event.name} ${one.event.payload['action'] ?? ''} → ${one.started.join(' ')}`]
          : [],
      ),
    /** The lines of all logs so far, each with its job. */
    log: () =>
      told.flatMap((one) =>
        one.type === 'run' && one.progress.type === 'line'
          ? [`${one.progress.job}: ${one.progress.line}`]
          : [],
      ),
    ends: () =>
      told.flatMap((one) => (one.type === 'end' ? [`${one.run.name} ${one.conclusion}`] : [])),
    mistakes: () => told.flatMap((one) => (one.type === 'mistake' ? [one.text] : [])),
    notPlayed: () =>
      told.flatMap((one) =>
        one.type === 'run' && one.progress.type === 'job' ? one.progress.notPlayed : [],
      ),
    [Symbol.asyncDispose]: () => opening.disposeAsync(),
  };
}
