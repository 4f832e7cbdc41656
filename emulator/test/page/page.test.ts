import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import type { RequestRow } from '../../page/index.ts';
import { terminalLine } from '../../page/index.ts';
import { repository } from '../github/support.ts';
import { sendTo } from '../service/support.ts';
import { type Update, updates, watch } from './support.ts';

/** The rows of the requests, each as its texts. */
const rowsOf = (page: string): string[] =>
  [...page.matchAll(/<tr id="request-\d+">(.*?)<\/tr>/g)].map(([, cells = '']) =>
    cells
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  );

/** The first message of a stream that holds, of those to come. */
async function firstWith(
  stream: AsyncGenerator<Update>,
  holds: (update: Update) => boolean,
): Promise<Update> {
  for (;;) {
    // Not `for await`, which would close the stream.
    const { value, done } = await stream.next();
    if (done) throw new Error('the stream ended');
    if (holds(value)) return value;
  }
}

it('shows a project: its deployments with their log, its variables without a value, its messages', async () => {
  const dialect = { stream: { logLines: ['Installing 3 packages'] } };
  await using world = await watch(dialect);
  const { project, emulator, read } = world;
  project.setVariable({ name: 'STRIPE_KEY', value: 'fake-hidden-value', production: false });
  const deployment = emulator.world.project(project.id).deploy(await project.head(), null);
  await Promise.all([deployment.ended, project.sendMessage({ content: 'Make it blue.' }).ended]);
  const page = await read();
  expect(page).toContain(project.id);
  expect(page).toContain(`>${deployment.commit.slice(0, 7)}</code>`);
  expect(page).toMatch(/queued <i>0 ms<\/i>(.|\n)*Installing 3 packages(.|\n)*succeeded <i>/);
  expect(page).toContain(
    '<td><code>STRIPE_KEY</code></td><td>secret</td><td>preview</td><td class="number">1</td>',
  );
  expect(page).not.toContain('fake-hidden-value');
  expect(page).toMatch(/Make it blue\.(.|\n)*I read the request\./);
});

it('shows domains with what they wait for, registered domains and their DNS records', async () => {
  await using world = await watch({ domainEnds: 'failure', verifyMs: 0 });
  const { emulator, project, read } = world;
  emulator.world.connectDomain('www.example.com', project.id);
  const registered = emulator.world.registerDomain('example.org', { projectId: project.id });
  registered.zone.put({
    type: 'MX',
    name: 'example.org',
    content: 'mail.example.org',
    priority: 5,
    ttl: 300,
  });
  const page = await read();
  expect(page).toMatch(/failed<\/span> <b>www\.example\.com<\/b> → project-/);
  expect(page).toContain('Waits for: ownership failed · certificate pending · routing pending');
  expect(page).toContain('The TXT record _site-ownership.www.example.com was not found.');
  expect(page).toContain('<td>_site-ownership.www.example.com</td>');
  expect(page).toMatch(/<b>example\.org<\/b> → project-/);
  expect(page).toContain('<td>5 mail.example.org</td><td>300</td><td>you</td>');
});

it('shows GitHub: pull requests, comments as GitHub shows them, deployments and their statuses', async () => {
  await using world = await watch();
  const { github, read } = world;
  const link = '[Site](https://pr-7.preview.localhost/a?b=1)';
  const body = `### Deployed\n\n| a | b |\n| - | - |\n| 1 | ${link} |`;
  github.addComments(repository, 7, [{ author: 'github-actions[bot]', body }]);
  github.addDeployment(repository, { sha: '0'.repeat(40), environment: 'staging' }, [
    { state: 'in_progress' },
    { state: 'success', environmentUrl: 'https://staging.example.com/' },
  ]);
  const page = await read();
  expect(page).toMatch(/open<\/span> <b>Change 7<\/b>/);
  expect(page).toContain('<b>github-actions</b> <i>bot</i> commented');
  expect(page).toMatch(/<h3>Deployed<\/h3>\n<table>/);
  const { port } = new URL(world.emulator.url);
  expect(page).toContain(`<a href="http://pr-7.preview.localhost:${port}/a?b=1"`);
  expect(page).toMatch(/success<\/span> <b>staging<\/b>/);
  expect(page).toContain('in_progress → success');
  expect(page).toContain('<a href="https://staging.example.com/"');
});

it('lists every request, newest first: to whom, what, the answer, its time and the sender', async () => {
  await using world = await watch();
  const { emulator, project, github, send, read } = world;
  await send('GET', '/v1/projects?filter=starred');
  await sendTo(emulator.url, 'GET', `/sites/${project.id}/`, {
    headers: { 'user-agent': 'curl/8.1 (x)' },
  });
  await sendTo(emulator.url, 'GET', `/git/${project.id}.git/info/refs`, {});
  await fetch(`${github.url}/repos/${repository}/pulls/7`, {
    headers: { authorization: `token ${github.token}` },
  });
  await fetch(`${github.url}/${repository}.git/info/refs?service=git-upload-pack`);
  const id = project.id.slice(0, 8);
  expect(
    rowsOf(await read()).map((row) => row.replace(/^[\d:]{8} /, '').replace(/\d+ ms/, '0 ms')),
  ).toEqual([
    `git GET /${repository}.git/info/refs 401 0 ms node`,
    'GitHub GET /repos/…/pulls/7 200 0 ms node',
    `git GET /git/${id}….git/info/refs 401 0 ms unnamed`,
    `site GET /sites/${id}…/ 503 0 ms curl`,
    'service GET /v1/projects 200 0 ms unnamed',
  ]);
});

it.each([
  ['?side=service', 3],
  ['?side=site', 1],
  ['?status=failed', 3],
  ['?side=service&status=failed', 2],
  ['?text=PROJECTS', 1],
  ['?text=listprojects', 1],
  ['?text=no-such', 0],
  ['?side=nonsense&status=nonsense', 4],
])('filters the requests without scripts, by the address: %s', async (query, count) => {
  await using world = await watch();
  const { emulator, project, send, read } = world;
  await send('GET', '/v1/projects');
  await send('GET', '/nowhere');
  await sendTo(emulator.url, 'GET', '/connected-domains', {});
  await sendTo(emulator.url, 'GET', `/sites/${project.id}/`, {});
  expect(rowsOf(await read(query))).toHaveLength(count);
});

it('tells an open page what changes, and nothing else', async () => {
  await using world = await watch({ deploymentEnds: 'never' });
  const { url, emulator, project, send } = world;
  await using stream = updates(url);
  const first = (await stream.next()).value as Update;
  const slots = first.parts.map(({ slot }) => slot);
  expect(new Set(slots)).toEqual(
    new Set([
      'head',
      'projects',
      `project-${project.id}-parts`,
      'domains',
      'github',
      ...slots.filter((slot) => slot.startsWith('repository-')),
    ]),
  );
  const begun = emulator.world.project(project.id).deploy(await project.head(), null);
  const moved = await firstWith(stream, ({ parts }) =>
    parts.some(({ html }) => html.includes('>publishing<')),
  );
  expect(moved.parts.map(({ id }) => id)).toEqual([`project-${project.id}-deployments`]);
  expect(moved.parts[0]?.html).toContain(begun.id);
  emulator.world.connectDomain('www.example.com');
  await firstWith(stream, ({ parts }) =>
    parts.some(({ id, html }) => id === 'connected-domains' && html.includes('>active<')),
  );
  await send('GET', '/v1/projects');
  const { requests } = await firstWith(
    stream,
    ({ requests }) => requests?.rows.some(({ html }) => html.includes('>200<')) ?? false,
  );
  expect(requests).toMatchObject({ count: 1, removed: [] });
});

it('tells a filtered page of the requests that pass, and of those that no longer do', async () => {
  await using world = await watch();
  const { url, emulator, send } = world;
  const held = Promise.withResolvers<void>();
  emulator.faults.add({ kind: 'hold', until: () => held.promise, path: '/v1/projects' });
  await using stream = updates(url, '?side=service&status=open');
  await stream.next();
  const sent = send('GET', '/v1/projects');
  const { requests: begun } = await firstWith(stream, ({ requests }) => requests !== undefined);
  expect(begun?.rows).toHaveLength(1);
  held.resolve();
  await sent;
  const { requests: ended } = await firstWith(stream, ({ requests }) => requests !== undefined);
  expect(ended).toEqual({ rows: [], removed: begun?.rows.map(({ id }) => id), count: 0 });
});

it('takes a project away that a reset ended', async () => {
  await using world = await watch();
  const { url, emulator, project } = world;
  await using stream = updates(url);
  await stream.next();
  await emulator.reset();
  const { removed } = await firstWith(stream, (update) => update.removed.length > 0);
  expect(removed).toContain(`project-${project.id}`);
});

it('sends a browser that opens the address of the service to the page, and nobody else', async () => {
  const world = await watch();
  const { emulator, page, send } = world;
  const headers = { accept: 'text/html,*/*;q=0.8' };
  const open = (path: string) => sendTo(emulator.url, 'GET', path, { headers });
  expect(await open('/')).toMatchObject({ status: 302, headers: { location: page.url } });
  expect((await open('/v1/projects')).status).toBe(401);
  expect((await send('GET', '/')).status).toBe(404);
  await page[Symbol.asyncDispose]();
  expect((await open('/')).status).toBe(401);
  await emulator.close();
  await world.github[Symbol.asyncDispose]();
});

it('keeps only the latest requests, in the journals and on the page', async () => {
  await using world = await watch({}, { journalLimit: 3 });
  const { emulator, github, send, read } = world;
  for (let n = 1; n <= 5; n += 1) {
    await send('GET', `/nowhere/${n}`);
    await fetch(`${github.url}/nowhere/${n}`);
  }
  const paths = ['/nowhere/3', '/nowhere/4', '/nowhere/5'];
  expect(emulator.journal.entries.map(({ path }) => path)).toEqual(paths);
  expect(github.journal.map(({ path }) => path)).toEqual(paths);
  expect(rowsOf(await read())).toHaveLength(10);
});

it('shows 200 requests, and 1,000 when asked for', async () => {
  await using world = await watch();
  const { emulator, read } = world;
  const one = { method: 'GET', query: {}, headers: {}, connection: 1, operation: 'listProjects' };
  for (let n = 1; n <= 1010; n += 1) emulator.journal.add({ ...one, path: `/${n}` });
  const [few, all] = [rowsOf(await read()), rowsOf(await read('?show=all'))];
  expect([few.length, all.length]).toEqual([200, 1000]);
  expect([few[0], all.at(-1)]).toEqual([
    expect.stringContaining('/1010'),
    expect.stringContaining(' /11 '),
  ]);
});

it('calls back once for each request, with a line for the terminal that holds no key and no escape', async () => {
  const rows: RequestRow[] = [];
  await using world = await watch({}, { onRequest: (row) => rows.push(row) });
  const { emulator, send, url } = world;
  emulator.faults.add({ kind: 'reset-before', path: '/cut' });
  await send('GET', `/v1/projects/${emulator.key}\u001b[31m`.replaceAll('\u001b', '%1b'));
  await send('POST', '/cut').catch(() => undefined);
  await using stream = updates(url);
  await firstWith(stream, () => rows.length === 2);
  const lines = rows.map((row) => stripVTControlCharacters(terminalLine(row)));
  expect(lines).toEqual([
    expect.stringMatching(
      /^\d\d:\d\d:\d\d {2}service {2}GET {4}404 +\d+ ms {2}\/v1\/projects\/\*\*\*%1b\[31m$/,
    ),
    expect.stringMatching(/^\d\d:\d\d:\d\d {2}service {2}POST {3}--- +\d+ ms {2}\/cut$/),
  ]);
  const [row] = rows;
  if (row === undefined) throw new Error('no row');
  expect(terminalLine({ ...row, path: '/a\u001b[2J\u202e\r\nb' })).toMatch(/ {2}\/a⟨U\+202E⟩ b$/);
});
