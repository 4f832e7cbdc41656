// Attack (page): Another page sends a form to the emulator's page, from another origin, another port of this machine or
// a sandboxed frame
// Defense: Each `POST` needs the page's own `Origin`, no other `Sec-Fetch-Site`, and a random token that is in the
// page, compared in constant time
// Attack (page): A foreign name leads to this machine (DNS rebinding)
// Defense: Each request, also of the event stream, must name `127.0.0.1`, `localhost` or `[::1]` and the port as its
// host. The page is bound to `127.0.0.1`
// Attack (page): A name, a log line, a branch, a header, a comment, a commit or a summary is HTML, a terminal escape,
// or reorders text
// Defense: Every text is escaped where it is put into HTML, invisible characters are named, comments and summaries keep
// only known tags without attributes, and escape codes of a log become classes or nothing. The content security policy
// lets nothing run or load but the page's own script
// Attack (page): The page or the terminal shows a key or a variable's value
// Defense: Values, bodies, queries and headers are not shown, and the emulator's keys are removed from paths and from
// the sender's name

import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { DialectOptions } from '../../index.ts';
import type { Progress } from '../../workflow/play-options.ts';
import { type RunHistory, recordProgress } from '../../workflow/run-history.ts';
import { pullRequest, repository } from '../github/support.ts';
import { sendTo } from '../service/support.ts';
import { tokenIn, updates, watch } from './support.ts';

/** What tries to leave its place on a page, by tag, by attribute, by address, or by what nobody sees. */
const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title></style></textarea><svg/onload=alert(1)>',
  '&lt;script&gt;&#60;script&#62;',
  '\u001b[31m\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007',
  '\u202Egnp.exe\u2066\u2028\u0000',
].join(' ');

/** The tags of a page whose texts come from outside must all be ours. */
function expectHarmless(html: string): void {
  const tags = [...html.matchAll(/<[a-z!/][^>]*>/gi)].map(([tag]) => tag);
  for (const tag of tags) {
    const bare = tag.replace(/"[^"]*"/g, '""');
    expect(bare).not.toMatch(
      /[^"]\bon\w+\s*=|<(?:img|svg|iframe|object|embed|base)\b|'|javascript:/i,
    );
  }
  const scripts = tags.filter((tag) => /^<script/i.test(tag));
  expect(scripts.filter((tag) => tag !== '<script src="/client.js" defer>')).toEqual([]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
  expect(html).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2028\u2066-\u2069]/);
}

/** A run whose workflow, branch, job, steps, log, annotations and summary are hostile. */
function hostileHistory(): RunHistory {
  const history: RunHistory = { runs: [], unstarted: [] };
  const event = { name: hostile, repository: hostile, payload: { action: hostile } };
  const by = { ref: `refs/heads/${hostile}`, sha: hostile, actor: hostile };
  const run = { id: 1, number: 1, name: hostile, file: hostile, event: { ...event, ...by } };
  const job = hostile;
  const annotations = [{ level: 'error', title: hostile, message: hostile }] as const;
  const summary = `${hostile}\n\n[a](javascript:alert(1)) ![b](https://evil.example/x.png)`;
  const progress: readonly Progress[] = [
    { type: 'job', job, notPlayed: [hostile] },
    { type: 'step', job, title: hostile },
    { type: 'line', job, line: hostile },
    { type: 'line', job, line: `▾ ${hostile}` },
    { type: 'line', job, line: `  \u001b[31"><b onclick=x>m${hostile}\u001b[1;31m` },
    { type: 'shown', job, annotations: [...annotations], summary },
    { type: 'step-end', job, conclusion: 'failure' },
    { type: 'step', job, title: hostile },
    { type: 'step-end', job, conclusion: 'not-played' },
  ];
  recordProgress(history, { type: 'start', run, invented: [] }, 0);
  for (const one of progress) recordProgress(history, { type: 'run', run, progress: one }, 0);
  const end = { run, conclusion: 'neutral', notPlayed: [hostile] } as const;
  recordProgress(history, { type: 'end', ...end }, 0);
  recordProgress(history, { type: 'event', event: run.event, started: [], left: [hostile] }, 0);
  recordProgress(history, { type: 'mistake', text: hostile }, 0);
  return history;
}

/** A world in which everything that may be named by others is hostile. */
async function watchHostile() {
  const dialect: DialectOptions = {
    hostileText: hostile,
    domainEnds: 'failure',
    verifyMs: 0,
    stream: { logLines: [hostile] },
    deploymentWords: { queued: hostile, steps: [hostile], success: hostile },
    domainWords: { ownership: { bad: hostile }, state: { bad: hostile } },
  };
  const world = await watch(dialect, { history: hostileHistory() });
  const { emulator, project, github } = world;
  project.name = hostile;
  project.setVariable({ name: hostile, value: 'fake-value' });
  const deployment = emulator.world.project(project.id).deploy(await project.head(), null);
  await Promise.all([deployment.ended, project.sendMessage({ content: hostile }).ended]);
  emulator.world.connectDomain('www.example.com', project.id);
  const zone = emulator.world.registerDomain(hostile, { status: hostile }).zone;
  zone.put({ type: hostile, name: hostile, content: hostile, managedReason: hostile });
  const place = `o/${hostile.replaceAll('/', '')}`;
  const tip = { ref: hostile, sha: hostile, repo: { full_name: hostile, fork: true } };
  const given = pullRequest(8, { title: hostile, head: tip, base: tip, user: { login: hostile } });
  github.pullRequests.set(`${place}#8`, given);
  github.addComments(place, 8, [{ author: hostile, body: hostile }]);
  github.addComments(repository, 7, [
    {
      author: 'x',
      body: `\`\`\`\n${hostile}\n\`\`\`\n[a](javascript:alert(1)) ![b](https://evil.example/x.png)`,
    },
  ]);
  const urls = { environmentUrl: 'javascript:alert(1)', logUrl: 'data:text/html,x' };
  github.addDeployment(place, { sha: hostile, ref: hostile, environment: hostile }, [
    { state: 'success', description: hostile, ...urls },
  ]);
  await sendTo(emulator.url, 'GET', `/${encodeURI(hostile)}`, {
    headers: { 'user-agent': hostile.replace(/[^ -~]/g, '') },
  });
  return world;
}

it('shows hostile names, logs, branches and comments as text, on the page and in its updates', async () => {
  await using world = await watchHostile();
  const page = await world.read();
  expectHarmless(page);
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page).toContain('⟨U+202E⟩gnp.exe⟨U+2066⟩⟨U+2028⟩⟨U+0000⟩');
  await using stream = updates(world.url);
  const { value } = await stream.next();
  const sent = [...value.parts, ...value.requests.rows].map(({ html }: { html: string }) => html);
  expect(sent.length).toBeGreaterThan(10);
  for (const html of sent) expectHarmless(html);
});

it('shows the page of a hostile run as text, in its updates and its raw log too', async () => {
  await using world = await watchHostile();
  const page = await world.read('runs/1');
  expectHarmless(page);
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  await using stream = updates(world.url, '?run=1');
  for (const { html } of (await stream.next()).value.parts) expectHarmless(html);
  const { headers, text: log } = await sendTo(world.url, 'GET', '/runs/1/log.txt', {});
  expect(headers['content-type']).toMatch(/^text\/plain/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
  expect(log).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2028\u2066-\u2069]/);
});

it('shows a value nowhere, nor a key, nor the query of a request', async () => {
  await using world = await watch();
  const { emulator, project, github, send, read, press, url } = world;
  const value = 'fake-secret-value';
  await send('POST', `/v1/projects/${project.id}/environment/variables`, {
    name: 'A',
    value,
    kind: 'plain',
    preview: true,
    production: true,
  });
  await press('change-variable', { project: project.id, name: 'B', value });
  expect(project.variables.map((variable) => variable.value)).toContain(value);
  await send('GET', `/v1/projects/${emulator.key}/${emulator.gitToken}?value=${value}`);
  await fetch(`${github.url}/${github.token}?value=${value}`);
  await using stream = updates(url);
  const shown = [await read(), JSON.stringify((await stream.next()).value)].join('\n');
  for (const secret of [value, emulator.key, emulator.gitToken, github.token]) {
    expect(shown).not.toContain(secret);
  }
});

/** What each request of another page lacks: the rest is as the page itself has it. */
const foreign: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['a form of another origin', { origin: 'https://evil.example' }],
  ['a form of another port of this machine', { origin: 'http://127.0.0.1:1' }],
  ['a form of the same address with https', { origin: 'https://127.0.0.1' }],
  ['a form of a sandboxed frame, or of a page that hides its origin', { origin: 'null' }],
  ['a request that the browser calls of another site', { 'sec-fetch-site': 'cross-site' }],
  [
    'a request that the browser calls of the same site, as is each port',
    { 'sec-fetch-site': 'same-site' },
  ],
  ['an address that was typed in', { 'sec-fetch-site': 'none' }],
];

it.each(foreign)('lets nobody else press a button: %s', async (_, headers) => {
  await using world = await watch();
  const { project, press } = world;
  const answer = await press('fail-next-build', { project: project.id }, headers);
  expect([answer.status, project.failsNextBuild]).toEqual([403, false]);
  expect((await press('fail-next-build', { project: project.id })).status).toBe(303);
  expect(project.failsNextBuild).toBe(true);
});

it('presses no button for a request that does not say where it comes from', async () => {
  await using world = await watch();
  const { project, url, read } = world;
  const body = new URLSearchParams({
    token: tokenIn(await read()),
    project: project.id,
  }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await sendTo(url, 'POST', '/actions/fail-next-build', { body, headers });
  expect([answer.status, project.failsNextBuild]).toEqual([403, false]);
});

it.each([
  ['no token', { token: '' }],
  ['another token', { token: 'A'.repeat(43) }],
  ['the token of another emulator', null],
])('presses no button without its own token: %s', async (_, given) => {
  await using world = await watch();
  await using other = await watch();
  const { project, press } = world;
  const fields = given ?? { token: tokenIn(await other.read()) };
  const answer = await press('fail-next-build', { project: project.id, ...fields });
  expect([answer.status, project.failsNextBuild]).toEqual([403, false]);
});

it.each([
  'evil.example',
  'evil.example:PORT',
  '127.0.0.1',
  '127.0.0.1:1',
  'localhost.evil.example:PORT',
  '127.0.0.1.nip.io:PORT',
  '127.0.0.1:PORT@evil.example',
])('answers no request for a foreign host, as DNS rebinding makes it: %s', async (name) => {
  await using world = await watch();
  const { url, project, press } = world;
  const host = name.replace('PORT', new URL(url).port);
  const origin = `http://${host}`;
  for (const path of ['/', '/events', '/client.js']) {
    const answer = await sendTo(url, 'GET', path, { headers: { host } });
    expect([path, answer.status]).toEqual([path, 403]);
    expect(answer.text).not.toContain(project.id);
  }
  const pressed = await press('fail-next-build', { project: project.id }, { host, origin });
  expect([pressed.status, project.failsNextBuild]).toEqual([403, false]);
});

it('answers to each of its own names, and is bound to the loopback interface', async () => {
  await using world = await watch();
  const { port, hostname } = new URL(world.url);
  expect(hostname).toBe('127.0.0.1');
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]) {
    expect((await sendTo(world.url, 'GET', '/', { headers: { host } })).status).toBe(200);
  }
});

it('refuses a request without a host, one of another method, kind or size, and a button that there is not', async () => {
  await using world = await watch();
  const { url, press, project } = world;
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.end('GET / HTTP/1.0\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 /);
  expect((await sendTo(url, 'PUT', '/', {})).status).toBe(405);
  expect((await sendTo(url, 'GET', '/actions/fail-next-build', {})).status).toBe(404);
  expect((await press('no-such-button', {})).status).toBe(404);
  const fields = { project: project.id };
  expect((await press('fail-next-build', fields, { 'content-type': 'text/plain' })).status).toBe(
    415,
  );
  expect((await press('fail-next-build', { ...fields, more: 'x'.repeat(300_000) })).status).toBe(
    413,
  );
  expect(project.failsNextBuild).toBe(false);
});

it('lets browsers load, run and send nothing but its own, and show it in no frame', async () => {
  await using world = await watch();
  for (const path of ['/', '/client.js', '/nowhere']) {
    const { headers } = await sendTo(world.url, 'GET', path, {});
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'self'; style-src 'sha256-[^' ]+'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      ),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'same-origin',
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
});
