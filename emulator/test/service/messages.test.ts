import { randomUUID } from 'node:crypto';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { DialectOptions } from '../../index.ts';
import { ProjectRepository } from '../../service/turns/project-repository.ts';
import { deploy, startWorld, type World } from './support.ts';

const quick = { turnMs: 0, buildMs: 0 } as const;

/** For what comes at once, on a machine that may be busy. */
const gracePeriod = { timeout: 30_000 };

const listed = z.array(z.looseObject({ messageId: z.uuid(), status: z.string() }));

/** The project as the service lists it. */
async function show({ send }: World): Promise<unknown> {
  const { json } = await send('GET', '/v1/projects?filter=all');
  return z.array(z.unknown()).parse(json)[0];
}

const words = (history: readonly { status: string }[] = []) => history.map(({ status }) => status);

test('a message is queued, and its turn commits a change that a deployment of HEAD serves', async () => {
  await using world = await startWorld({ dialect: quick });
  const { path: own, project, send } = world;
  const template = await project.head();
  const body = { content: 'Sell <b>tea</b> & cake\nwith love', idempotencyKey: 'key-1' };
  const sent = await send('POST', `${own}/messages`, { body });
  const [message] = project.messages;
  expect(sent.status).toBe(202);
  expect(sent.json).toEqual({ messageId: message?.id, status: 'queued' });
  expect(message?.request).toEqual(body);
  await message?.ended;
  expect(words(message?.history)).toEqual(['queued', 'running', 'succeeded']);
  expect(await project.head()).toBe(message?.commit);
  expect(message?.commit).not.toBe(template);

  expect((await deploy(world)).commit).toBe(message?.commit);
  const page = await (await fetch(project.sitePathUrl)).text();
  expect(page).toContain('<p>Sell &lt;b&gt;tea&lt;/b&gt; &amp; cake</p>\n</main>');
  const sample = await readFile(path.join('examples', 'site', 'style.css'), 'utf8');
  expect(await (await fetch(`${project.sitePathUrl}style.css`)).text()).toBe(sample);
  await deploy(world, { versionId: template });
  expect(await (await fetch(project.sitePathUrl)).text()).not.toContain('tea');
});

test.for([
  { content: '\u{1f600}\u{1f600}', status: 202 },
  { content: 'aaa', status: 400 },
])('a message of $content where two characters are the limit', async ({ content, status }) => {
  await using world = await startWorld({ dialect: { turnMs: 60_000, contentLimit: 2 } });
  const sent = await world.send('POST', `${world.path}/messages`, { body: { content } });
  expect(sent.status, sent.text).toBe(status);
  expect(world.project.messages).toHaveLength(status === 202 ? 1 : 0);
});

const contents = [
  { name: 'control characters', content: 'a\u0000b\u001bc', shown: '<p>a b c</p>' },
  { name: 'a lone surrogate', content: 'a\ud800b', shown: '<p>a\ufffdb</p>' },
  { name: 'nothing but white space', content: ' \n\r\n\t', shown: '<p></p>' },
  { name: 'an option of git', content: '--amend', shown: '<p>--amend</p>' },
  { name: 'a long line', content: '😀'.repeat(200), shown: `<p>${'😀'.repeat(100)}</p>` },
];

test('the turn of a message of any content succeeds', async () => {
  await using world = await startWorld({ dialect: quick });
  const messages = contents.map(({ content }) => world.project.sendMessage({ content }));
  await messages.at(-1)?.ended;
  await deploy(world);
  const page = await (await fetch(world.project.sitePathUrl)).text();
  for (const [index, { name, shown }] of contents.entries()) {
    expect(messages[index]?.status, name).toBe('succeeded');
    expect(page, name).toContain(shown);
  }
});

test.for<{ name: string; dialect: DialectOptions; end: string; changes: boolean }>([
  { name: 'success', dialect: { messageEnds: 'success' }, end: 'READY', changes: true },
  { name: 'failure', dialect: { messageEnds: 'failure' }, end: 'Gave-Up', changes: false },
  {
    name: 'a function of the message',
    dialect: { messageEnds: ({ prompt }) => (prompt === 'a' ? 'failure' : 'success') },
    end: 'Gave-Up',
    changes: false,
  },
])('the words of a dialect, ending by $name', async ({ dialect, end, changes }) => {
  const messageWords = {
    queued: 'WAITING',
    steps: ['a', 'b'],
    success: 'READY',
    failure: 'Gave-Up',
  };
  await using world = await startWorld({ dialect: { ...quick, messageWords, ...dialect } });
  const { project } = world;
  const template = await project.head();
  const message = project.sendMessage({ content: 'a' });
  await message.ended;
  expect(words(message.history)).toEqual(['WAITING', 'a', 'b', end]);
  expect((await project.head()) !== template).toBe(changes);
  expect(message.commit === null).toBe(!changes);
});

test('a turn that never ends stays in its last step, and later ones wait', async () => {
  await using world = await startWorld({ dialect: { ...quick, messageEnds: 'never' } });
  const { project, emulator } = world;
  const first = project.sendMessage({ content: 'a' });
  const second = project.sendMessage({ content: 'b' });
  await vi.waitFor(() => expect(first.events).toHaveLength(5), gracePeriod);
  expect([first.status, second.status]).toEqual(['running', 'queued']);
  await emulator.close();
  expect([first.endedAt, second.endedAt]).toEqual([null, null]);
});

const sandboxWords = { none: 'cold', starting: 'warming', running: 'warm' };

test('the first turn starts the sandbox', async () => {
  await using world = await startWorld({ dialect: { turnMs: 60_000, sandboxWords } });
  expect(await show(world)).toMatchObject({ sandboxState: 'cold', activeMessageId: null });
  const { id } = world.project.sendMessage({ content: 'a' });
  expect(await show(world)).toMatchObject({ sandboxState: 'warming', activeMessageId: id });
});

test('turns of one project run one after the other, and the project tells which', async () => {
  await using world = await startWorld({ dialect: { ...quick, sandboxWords } });
  const { emulator, path: own, project, send } = world;
  emulator.dialect.messageEnds = ({ prompt }) => (prompt === 'third' ? 'never' : 'success');
  for (const content of ['first', 'second', 'third']) {
    expect((await send('POST', `${own}/messages`, { body: { content } })).status).toBe(202);
  }
  const [first, second, third] = project.messages;
  await second?.ended;
  expect(first?.endedAt).toBeLessThanOrEqual(second?.history[1]?.at ?? 0);
  expect(await show(world)).toMatchObject({ sandboxState: 'warm', activeMessageId: third?.id });
  await deploy(world);
  const page = await (await fetch(project.sitePathUrl)).text();
  expect(page).toContain('<p>first</p>\n<p>second</p>\n</main>');
});

test('a project without an active turn keeps its sandbox', async () => {
  await using world = await startWorld({ dialect: { ...quick, sandboxWords } });
  await world.project.sendMessage({ content: 'a' }).ended;
  expect(await show(world)).toMatchObject({ sandboxState: 'warm', activeMessageId: null });
});

test('turns of two projects run side by side', async () => {
  await using world = await startWorld({ dialect: { ...quick, messageEnds: 'never' } });
  world.project.sendMessage({ content: 'a' });
  world.emulator.dialect.messageEnds = 'success';
  const other = (await world.emulator.world.createProject()).sendMessage({ content: 'b' });
  await other.ended;
  expect(other.status).toBe('succeeded');
});

test('a second message may be refused while a turn runs, also that of somebody else', async () => {
  await using world = await startWorld({ dialect: { ...quick, overlappingMessages: '409' } });
  const { path: own, project, emulator, send } = world;
  const start = async () =>
    (await send('POST', `${own}/messages`, { body: { content: 'a' } })).status;
  expect(await start()).toBe(202);
  await project.messages[0]?.ended;
  emulator.dialect.messageEnds = 'never';
  const foreign = project.sendMessage({ content: 'b' });
  expect(await show(world)).toMatchObject({ activeMessageId: foreign.id });
  expect(await start()).toBe(409);
  expect(project.messages).toHaveLength(2);
});

test('messages are listed in order of creation with their status', async () => {
  await using world = await startWorld({ dialect: quick });
  const { emulator, path: own, project, send } = world;
  expect((await send('GET', `${own}/messages`)).json).toEqual([]);
  const attachmentIds = [randomUUID()];
  const sent = project.sendMessage({ content: 'one', attachmentIds });
  await sent.ended;
  emulator.dialect.turnMs = 60_000;
  for (const content of ['two', 'three']) project.sendMessage({ content });
  const { json } = await send('GET', `${own}/messages`);
  expect(json).toEqual([
    {
      messageId: sent.id,
      status: 'succeeded',
      prompt: 'one',
      attachments: [
        {
          attachmentId: attachmentIds[0],
          filename: 'attachment-1.txt',
          contentType: 'text/plain',
          size: 0,
          url: `https://files.example/${sent.id}/1`,
          kind: 'file',
        },
      ],
      createdAt: new Date(sent.createdAt).toISOString(),
    },
    expect.objectContaining({ prompt: 'two', status: 'queued', attachments: [] }),
    expect.objectContaining({ prompt: 'three', status: 'queued', attachments: [] }),
  ]);
  expect(new Set(listed.parse(json).map(({ messageId }) => messageId)).size).toBe(3);
});

test('a message and the end of its turn make a project the most recently active', async () => {
  await using world = await startWorld({ dialect: quick });
  const { emulator, project, send } = world;
  emulator.dialect.messageEnds = ({ prompt }) => (prompt === 'never' ? 'never' : 'success');
  const other = await emulator.world.createProject('other');
  const first = async () => {
    const { json } = await send('GET', '/v1/projects?filter=all');
    return z.array(z.looseObject({ name: z.string() })).parse(json)[0]?.name;
  };
  expect(await first()).toBe('other');
  const turn = project.sendMessage({ content: 'a' });
  expect(await first()).toBe(project.name);
  other.sendMessage({ content: 'never' });
  await turn.ended;
  expect(await first()).toBe(project.name);
  other.sendMessage({ content: 'b' });
  expect(await first()).toBe('other');
});

test('changes that are made at once are all kept, in one line of commits', async () => {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'turns-'));
  const { signal } = new AbortController();
  const template = path.resolve('examples', 'site');
  const repository = new ProjectRepository({ id: 'a', root: folder.path, template, signal });
  const names = ['one', 'two', 'three', 'four'];
  const commits = await Promise.all(names.map((name) => repository.addToPage(name, name)));
  const page = await readFile(
    path.join(await repository.build(await repository.head()), 'index.html'),
    'utf8',
  );
  for (const name of names) expect(page).toContain(`<p>${name}</p>`);
  const kept = await Promise.all(commits.map((commit) => repository.has(commit, 'repository')));
  expect(kept).toEqual([true, true, true, true]);
});
