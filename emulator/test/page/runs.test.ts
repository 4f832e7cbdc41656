import { expect, it } from 'vitest';
import { git } from '../../git/git.ts';
import { renderColored } from '../../page/escape-codes.ts';
import type { Progress } from '../../workflow/play-options.ts';
import type { Run } from '../../workflow/repository-runs.ts';
import { type RunHistory, recordProgress } from '../../workflow/run-history.ts';
import { repository } from '../github/support.ts';
import { sendTo } from '../service/support.ts';
import { type Update, updates, watch } from './support.ts';

const sha = '0123456789'.repeat(4);

const runOf = (id: number, text: string): Run => ({
  id,
  number: id,
  name: text,
  file: 'deploy.yml',
  event: {
    name: 'push',
    repository,
    payload: {},
    ref: `refs/heads/${text}`,
    sha,
    actor: text,
  },
});

/** A run that failed, whose texts are all the same one. */
function play(history: RunHistory, id: number, text: string): void {
  const run = runOf(id, text);
  const job = text;
  const steps: Progress[] = [
    { type: 'job', job, notPlayed: [text] },
    { type: 'step', job, title: text },
    { type: 'line', job, line: `▾ ${text}` },
    { type: 'line', job, line: `  ${text}` },
    { type: 'line', job, line: `\u001b[31m${text}\u001b[0m` },
    {
      type: 'shown',
      job,
      annotations: [{ level: 'error', title: text, message: text }],
      summary: `## ${text}\n\n| a |\n| - |\n| ${text} |\n`,
    },
    { type: 'step-end', job, conclusion: 'failure' },
    { type: 'step', job, title: `left ${text}` },
    { type: 'step-end', job, conclusion: 'not-played' },
    { type: 'step', job, title: `skipped ${text}` },
    { type: 'step-end', job, conclusion: 'skipped' },
    { type: 'end', job, conclusion: 'failure', durationMs: 1 },
  ];
  recordProgress(history, { type: 'start', run, invented: [] }, 0);
  for (const progress of steps) recordProgress(history, { type: 'run', run, progress }, 1000);
  recordProgress(
    history,
    { type: 'end', run, conclusion: 'failure', notPlayed: [`no ${text}`] },
    2000,
  );
}

const empty = (): RunHistory => ({ runs: [], unstarted: [] });

it('lists runs with state, event, jobs, annotations and duration, newest first', async () => {
  const history = empty();
  await using world = await watch({}, { history });
  expect(await world.read()).toContain('No runs yet. Push a commit');
  play(history, 1, 'main');
  recordProgress(history, { type: 'start', invented: [], run: runOf(2, 'topic') }, Date.now());
  const page = await world.read();
  expect(page).toMatch(/id="run-2"(.|\n)*>waiting<(.|\n)*id="run-1"/);
  const [, first = ''] = /id="run-1"(.*?)<\/li>/s.exec(page) ?? [];
  const words = first.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  expect(words).toMatch(/failure main #1 [\d:]{8} · 2\.0 s push · main 0123456 · main ✗/);
  expect(words).toContain('1 error');
  expect(first).toContain('href="/runs/1"');
});

it('shows a run: annotations, summary, steps with logs, and what was not played, with why', async () => {
  const history = empty();
  play(history, 1, 'main');
  await using world = await watch({}, { history });
  const page = await world.read('runs/1');
  expect(page).toContain('<li class="error"><strong>main</strong><span>main</span></li>');
  expect(page).toMatch(/<h2>main<\/h2>\n<table>/);
  expect(page).toContain('<details><summary>main</summary><p class="">main</p></details>');
  expect(page).toContain('<span class="red">main</span>');
  expect(page).toContain('was not played: no main</p>');
  expect(page).toContain('Not played of main: main');
  expect(page).toMatch(/left main<\/span> <span class="muted">The emulator plays /);
  expect(page).toMatch(/skipped main<\/span> <span class="muted">Its condition is false\./);
  const log = await world.read('runs/1/log.txt');
  expect(log).toContain('main / main\n  ▾ main\n    main\n  main\n');
  for (const path of ['/runs/2', '/runs/2/log.txt', '/commits/o/r/0123456'])
    expect((await sendTo(world.url, 'GET', path, {})).status).toBe(404);
});

it('keeps the page of a run up to date, and only with what is of it', async () => {
  const history = empty();
  const run = runOf(1, 'main');
  recordProgress(history, { type: 'start', run, invented: [] }, 0);
  await using world = await watch({}, { history });
  await using stream = updates(world.url, '?run=1');
  const first = (await stream.next()).value as Update;
  expect(first.parts.map(({ id }) => id)).toEqual(['run-head', 'run-report']);
  const progress: Progress = { type: 'line', job: 'deploy', line: 'Hello' };
  recordProgress(history, { type: 'run', run, progress }, 0);
  for await (const { parts, requests } of stream) {
    expect(requests).toBeUndefined();
    if (parts.some(({ html }) => html.includes('Hello'))) break;
  }
});

it('says which events started nothing, and why', async () => {
  const history = empty();
  const { event } = runOf(1, 'main');
  recordProgress(history, { type: 'event', event, started: [], left: ['on: has no push'] }, 0);
  recordProgress(history, { type: 'mistake', text: 'deploy.yml, line 3: no' }, 0);
  await using world = await watch({}, { history });
  expect(await world.read()).toMatch(/line 3: no(.|\n)*on: has no push/);
});

it('keeps the latest 100 runs', () => {
  const history = empty();
  for (let id = 1; id <= 101; id += 1) play(history, id, 'main');
  expect([history.runs.length, history.runs[0]?.run.id]).toEqual([100, 2]);
});

it.each([
  ['plain', 'plain'],
  ['\u001b[1;31mred\u001b[0m no', '<span class="bold red">red</span> no'],
  [
    '\u001b[31ma\u001b[92mb\u001b[39mc',
    '<span class="red">a</span><span class="bright-green">b</span>c',
  ],
  ['\u001b[38;5;196ma\u001b[48;2;1;31;3mb', 'ab'],
  ['\u001b[mx\u001b[2Jy\u001b[99999mz', 'xyz'],
  ['\u001b]8;;https://evil.example\u0007<b>\u001b[31', '&lt;b&gt;'],
])('shows escape codes as colors, and never as they are: %j', (line, html) => {
  const shown = renderColored(line).join('');
  expect(shown).toBe(html);
  expect(shown).not.toContain('\u001b');
});

it('sends browsers from where GitHub has a page to its own, unless another name leads here', async () => {
  await using world = await watch();
  const { github, url } = world;
  const open = async (path: string, headers = {}) => {
    const { status, headers: got } = await sendTo(github.url, 'GET', path, { headers });
    return [status, got.location];
  };
  const places = {
    '/': '/',
    '/favicon.ico': '/favicon.ico',
    '/o/r/actions': '/#runs-title',
    '/o/r/actions/runs/7/attempts/1': '/runs/7',
    [`/o/r/commit/${sha}`]: `/commits/o/r/${sha}`,
    '/o/r/pull/7': '/#github-title',
  };
  for (const [path, place] of Object.entries(places)) {
    expect(await open(path)).toEqual([302, `${url}${place}`]);
    expect(await open(path, { host: 'evil.example' })).toEqual([404, undefined]);
  }
  expect((await sendTo(url, 'GET', '/favicon.ico', {})).headers['content-type']).toBe(
    'image/svg+xml',
  );
});

it('shows a commit: its message and what it changes, as text', async () => {
  await using world = await watch();
  const { github, project, read } = world;
  const folder = await github.gitFolder(repository);
  const head = await project.head();
  await git([
    `--git-dir=${await project.gitFolder()}`,
    'push',
    '--quiet',
    folder,
    `${head}:refs/heads/main`,
  ]);
  const page = await read(`commits/${repository}/${head}`);
  expect(page).toContain(`Commit ${head.slice(0, 7)}`);
  expect(page).toContain('<span class="added">+&lt;');
  expect(page).not.toContain('<script');
});
