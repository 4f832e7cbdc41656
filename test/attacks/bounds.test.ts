// Attack (flooding): Megabytes of nested lists
// Defense: JSON of more than 250,000 lists and objects, or 64 levels, is not parsed
// Attack (flooding): An answer with millions of mistakes
// Defense: A list is read up to its first mistake
// Attack (flooding): A body in pieces of one byte
// Defense: Copied as it arrives, 10 MiB at most
// Attack (flooding): A status among millions of numbers or fields
// Defense: At most 500 nodes are searched
// Attack (flooding): Names of megabytes, or 20,000 of them, against a glob of many stars
// Defense: A name of more than 10,000 characters matches no glob; the deadline is checked between names
// Attack (flooding): Event ids of a megabyte
// Defense: An id of more than 256 characters is ignored; one that a header can't carry is not sent
// Attack (flooding): Endless statuses in the log
// Defense: 200 changes of a status are logged; of a domain, one an answer
// Attack (flooding): Half a million mistakes in a file
// Defense: Counted; fifty are shown
// Attack (flooding): An endless list of GitHub
// Defense: 100 pages at most

import { execFile } from 'node:child_process';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { RunOptions } from '../../emulator/runner.ts';
import { startPullRequest } from '../dist/pull-request-world.ts';
import type { Answerer } from '../service/stub.ts';
import { rows } from '../support/exhaustive.ts';
import { type Asked, deploymentId, events, json, projectId, startHostile } from './hostile.ts';

const run = promisify(execFile);

const megabyte = 1_000_000;

/** A process that holds more than this is ended by Node itself. */
const nodeArgs = ['--max-old-space-size=100'];

/** Answers with a text as JSON. */
const body =
  (text: string): Answerer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
  };

const lists = `[${'[],'.repeat(megabyte)}[]]`;
const deep = '['.repeat(4 * megabyte) + ']'.repeat(4 * megabyte);

interface Case {
  name: string;
  answers: Partial<Record<Asked, Answerer>>;
  action?: string;
  inputs?: RunOptions['inputs'];
  /** What the step ends as. */
  outcome: string;
  /** What its error says. */
  says?: string;
}

const follow = { wait: 'poll', timeout: '20s' };
const failed = { outcome: 'failed', inputs: { timeout: '20s' } };

const cases: readonly Case[] = [
  {
    name: 'a status in a million lists',
    answers: { status: body(lists) },
    inputs: follow,
    outcome: 'unconfirmed',
  },
  {
    name: 'a status that is nested four million deep',
    answers: { status: body(deep) },
    inputs: follow,
    outcome: 'unconfirmed',
  },
  {
    name: 'a status beside four million numbers',
    answers: {
      status: body(
        `{"status":"succeeded","deploymentId":"${deploymentId}","n":[${'1,'.repeat(4 * megabyte)}1]}`,
      ),
    },
    inputs: follow,
    outcome: 'succeeded',
  },
  {
    name: 'a status beside fields without end',
    answers: {
      status: body(
        `{${Array.from({ length: 500_000 }, (_, n) => `"f${n}":1`).join()},"status":"succeeded","deploymentId":"${deploymentId}"}`,
      ),
    },
    inputs: follow,
    outcome: 'succeeded',
  },
  {
    name: 'an environment of a million mistakes',
    answers: { environment: json({ variables: Array(megabyte).fill(1) }) },
    ...failed,
    says: 'variables.0 must be an object',
  },
  {
    name: 'projects in a million lists',
    action: 'projects',
    answers: { projects: body(lists) },
    ...failed,
    says: 'too many lists and objects, or too deeply nested ones',
  },
  {
    name: 'four million mistakes in place of projects',
    action: 'projects',
    answers: { projects: body(`[${'1,'.repeat(4 * megabyte)}1]`) },
    ...failed,
    says: '0 must be an object',
  },
  {
    name: 'a name of 5 MB against a glob',
    action: 'projects',
    answers: { projects: json([{ projectId, name: 'ab'.repeat(2.5 * megabyte) }]) },
    inputs: { 'name-pattern': '*a'.repeat(40) },
    outcome: 'succeeded',
  },
  {
    name: 'ids of events of a megabyte each',
    answers: {
      events: events(
        `${Array.from({ length: 150 }, (_, n) => `id: ${n}${'x'.repeat(900_000)}\nevent: log\ndata: a\n\n`).join('')}event: status\ndata: {"deploymentId":"${deploymentId}","status":"succeeded"}\n\n`,
      ),
    },
    inputs: { wait: 'stream', timeout: '40s' },
    outcome: 'succeeded',
  },
];

/**
 * One row of each limit: of fields, of mistakes, of lists, of a name. Each of the others takes more than a second of CPU, and
 * what breaks it also breaks one of these, `src/contract/json-value.test.ts` or `test/service/events.test.ts`.
 */
const each = [3, 4, 5, 7];

describe.concurrent('what a service makes us hold', () => {
  it.each(rows(cases, (_, index) => each.includes(index)))(
    '$name',
    async ({ answers, action = '', inputs = {}, outcome, says = '' }) => {
      await using service = await startHostile(answers);
      const usual: Record<string, string> = action === 'projects' ? { 'project-id': '' } : {};
      const result = await service.run(action, { inputs: { ...usual, ...inputs }, nodeArgs });
      expect(result.outputs['outcome']).toBe(outcome);
      expect(result.outputs['error']).toContain(says);
    },
  );
});

// Below the library that reads the connection: over a socket it hands on many pieces as one, for now.
it('a body in pieces of one byte takes the room of its bytes, and not that of the pieces', async () => {
  const pieces = 150_000;
  const little = ['--max-old-space-size=16'];
  const script = join(import.meta.dirname, 'one-byte-pieces.ts');
  const { stdout } = await run(process.execPath, [...little, script, String(pieces)]);
  expect(stdout).toBe(String(pieces));
});

describe.concurrent('what a service makes us say', () => {
  it('of a status that changes without end is bounded', async () => {
    const words = Array.from(
      { length: 4000 },
      (_, n) => `event: status\ndata: {"deploymentId":"${deploymentId}","status":"word ${n}"}\n\n`,
    );
    const end = `event: status\ndata: {"deploymentId":"${deploymentId}","status":"failed"}\n\n`;
    await using service = await startHostile({ events: events(words.join('') + end) });
    const { outputs, log } = await service.run('', { inputs: { wait: 'stream' } });
    expect(outputs).toMatchObject({ outcome: 'failed', 'deployment-status': 'failed' });
    expect(log.length).toBeLessThan(500);
    expect(log.join('\n')).toContain('further changes are not logged');
  });

  it('of a domain that is answered without end is bounded', async () => {
    const hostname = 'www.example.com';
    const domain = { hostname, projectId, state: 'pending' };
    const states = Array.from({ length: 4000 }, (_, n) => ({ ...domain, state: `state ${n}` }));
    await using service = await startHostile({
      domains: json({ domains: [domain] }),
      domain: json({ domains: states }),
    });
    await using workspace = await mkdtempDisposable(join(tmpdir(), 'site-'));
    await writeFile(
      join(workspace.path, 'site.yml'),
      `connected-domains: { ${hostname}: { project: self } }`,
    );
    const { outputs, log } = await service.run('domains', {
      workspace: workspace.path,
      inputs: { config: 'site.yml', wait: '2s' },
    });
    expect(outputs['outcome']).toBe('synced');
    expect(log.length).toBeLessThan(100);
  });
});

it('so many mistakes in one file that no call takes them are counted, and some of them told', async () => {
  await using service = await startHostile({});
  await using workspace = await mkdtempDisposable(join(tmpdir(), 'env-'));
  await writeFile(join(workspace.path, 'many.env'), 'x\n'.repeat(150_000));
  const { outputs, log } = await service.run('', {
    workspace: workspace.path,
    inputs: { 'env-file': 'many.env' },
  });
  expect(outputs['error']).toMatch(/^150000 problems, the first \d+: .* \(SD\d{4}\)$/);
  expect(log.length).toBeLessThan(200);
});

it('a list of GitHub without an end is left', async () => {
  await using world = await startPullRequest();
  // No comment comes twice: a page that brings nothing new would end the list.
  let id = 0;
  const page = () =>
    Array.from({ length: 100 }, () => ({ id: id++, body: 'words', user: { login: 'x' } }));
  const headers = { 'content-type': 'application/json' };
  world.github.trouble = ({ operationId }) =>
    operationId === 'issues/list-comments'
      ? { status: 200, headers, body: JSON.stringify(page()) }
      : undefined;
  const { outputs, log } = await world.run('synchronize');
  expect(outputs['outcome']).toBe('succeeded');
  const asked = world.github.journal.filter((one) => one.operationId === 'issues/list-comments');
  // At the beginning and at the end, of a hundred pages each.
  expect(asked.length).toBeLessThanOrEqual(200);
  expect(log.join('\n')).toMatch(/list has more than 10000 items|did not respond in time/);
});
