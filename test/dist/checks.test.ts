// Attack (secrets): A pull request's site file makes the runner request any host
// Defense: Unless the code is merged and only people with write access can start the run, checks in the file are paths

import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DialectOptions, startEmulator } from '../../emulator/index.ts';
import type { RunEvent, RunOptions } from '../../emulator/runner.ts';
import { startStub } from '../service/stub.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { runStep } from './run-step.ts';

/** A local service with a project, and a workspace with a site file. */
async function startWorld(checks: unknown, dialect: DialectOptions = {}) {
  const emulator = await startEmulator({ dialect });
  const project = await emulator.world.createProject();
  const folder = await mkdtempDisposable(join(tmpdir(), 'site-checks-'));
  await writeFile(join(folder.path, 'site.yml'), JSON.stringify({ checks }));
  return {
    emulator,
    project,
    run: (inputs: Record<string, string> = {}, options: Partial<RunOptions> = {}) =>
      runStep(emulator, project, {
        workspace: folder.path,
        ...options,
        inputs: { config: 'site.yml', ...inputs },
      }),
    [Symbol.asyncDispose]: async () => {
      await folder.remove();
      await emulator.close();
    },
  };
}

/** Of checks that fail. */
const soon = { 'verify-timeout': '2s' };

const schedule: RunEvent = { name: 'schedule', payload: {} };

const pullRequest = (head: string): RunEvent => ({
  name: 'pull_request',
  payload: adjust(examplePayload('pull_request', 'opened'), {
    'pull_request.head.repo.full_name': head,
    'pull_request.base.repo.full_name': 'octo-org/octo-site',
  }),
});

describe.concurrent('the checks of the site file', () => {
  it('are run beside the page of verify-url, and told in one list and as JSON', async () => {
    const checks = [
      { path: '/', contains: 'Hello', lacks: 'Error' },
      { path: '/', method: 'HEAD' },
    ];
    await using world = await startWorld(checks);
    const result = await world.run({ 'verify-url': world.project.siteUrl });
    expect(result.outputs['error']).toBe('');
    expect(result.outputs).toMatchObject({ outcome: 'succeeded' });
    const told: unknown = JSON.parse(result.outputs['checks'] ?? '');
    const url = new URL(world.project.siteUrl).href;
    const rest = { seen: 'returned 200', held: true, ms: expect.any(Number) };
    expect(told).toEqual([
      { check: `GET ${url}`, wanted: '2xx', ...rest },
      { check: `GET ${url}`, wanted: '2xx, with "Hello", without "Error"', ...rest },
      { check: `HEAD ${url}`, wanted: '2xx', ...rest },
    ]);
    expect(result.summary.match(/^- ✅ /gm)).toHaveLength(3);
    for (const { headers } of world.emulator.journal.of('site')) {
      expect(JSON.stringify(headers)).not.toContain(world.emulator.key);
    }
  });

  it('that do not hold fail the step, which names the check and what was seen', async () => {
    await using world = await startWorld([{ path: '/nowhere' }, { path: '/' }]);
    const result = await world.run({ ...soon, 'verify-url': world.project.siteUrl });
    expect(result.conclusion).toBe('failure');
    expect(result.outputs).toMatchObject({ outcome: 'failed', 'deployment-status': 'succeeded' });
    expect(result.outputs['error']).toMatch(
      /^1 of 3 checks failed \(tried for 2s\)\. GET http.*\/nowhere returned 404, expected 2xx\..*\(SD5004\)$/,
    );
    expect(result.summary).toContain('is deployed, but 1 of 3 checks failed');
    expect(result.summary).toContain('❌');
  });

  it('tell everywhere where redirects ended, and nowhere a token of an address', async () => {
    await using site = await startStub((response, { url = '' }) => {
      if (url.startsWith('/login')) response.end('Sign in');
      else response.writeHead(302, { location: '/login;id=fake-token?a=fake-token' }).end();
    });
    const moved = { url: `${site.url}/moved`, status: 302 };
    await using world = await startWorld([moved, { ...moved, header: { location: '/home' } }]);
    const result = await world.run({ ...soon, 'verify-url': site.url, 'verify-contains': 'Hello' });
    const ended = 'returned 200 at /login;… after a redirect';
    const told = JSON.parse(result.outputs['checks'] ?? '') as { seen: string }[];
    expect(told.map(({ seen }) => seen)).toEqual([
      `${ended}, without the text of verify-contains`,
      'returned 302 to "/login;…"',
      'returned 302 with the header location: "/login;…"',
    ]);
    const { log, annotations, summary, outputs } = result;
    for (const place of [log.join('\n'), JSON.stringify(annotations), summary, outputs['error']]) {
      expect(place).toContain(ended);
    }
    expect(JSON.stringify(result)).not.toContain('fake-token');
  });

  it('are not asked, and nothing else is, where there are none', async () => {
    await using world = await startWorld([]);
    await using other = await startWorld([{ path: '/' }]);
    const result = await world.run();
    await other.run({ 'verify-url': other.project.siteUrl });
    const asked = ({ emulator: { journal } }: typeof world) =>
      new Set(journal.entries.map(({ operation }) => operation));
    expect(asked(world)).not.toContain('site');
    expect(asked(other)).toContain('site');
    expect(result.outputs['checks']).toBe('');
    expect(result.summary).not.toContain('Check');
  });

  it('at a domain that is still pending are told as not run', async () => {
    await using world = await startWorld([{ path: '/nowhere' }], { domainEnds: 'never' });
    const { port } = new URL(world.emulator.url);
    const result = await world.run({
      'preview-domain': 'preview.localhost',
      'verify-url': `http://{preview-domain}:${port}/nowhere`,
      ...soon,
    });
    expect(result.outputs).toMatchObject({ outcome: 'succeeded', 'preview-url': '' });
    const told: unknown = JSON.parse(result.outputs['checks'] ?? '');
    const notRun = { seen: 'not run: its domain is not verified' };
    expect(told).toMatchObject([notRun, notRun]);
    expect(result.outputs['checks']).not.toContain('"held"');
    expect(result.annotations.map(({ message }) => message).join()).toContain('is not verified');
  });
});

/** The same with a site that is live. */
async function startLive(checks: unknown) {
  const world = await startWorld(checks);
  await world.run({ config: '' });
  world.emulator.journal.clear();
  return world;
}

describe.concurrent('a watch', () => {
  const watch = { deploy: 'false', 'project-id': '' };

  it('runs the checks alone, without a request to the service', async () => {
    await using world = await startLive([{ path: '/' }]);
    const inputs = { ...watch, 'verify-url': world.project.siteUrl };
    const result = await world.run(inputs, { event: schedule });
    expect(result.outputs).toMatchObject({ outcome: 'synced', requests: '0', error: '' });
    expect(result.summary).toContain('2 checks passed');
    const operations = world.emulator.journal.entries.map(({ operation }) => operation);
    expect(new Set(operations)).toEqual(new Set(['site']));
  });

  it('fails if they do not hold', async () => {
    await using world = await startLive([{ path: '/', contains: 'no such text' }]);
    const inputs = { ...watch, ...soon, 'verify-url': world.project.siteUrl };
    const result = await world.run(inputs, { event: schedule });
    expect(result).toMatchObject({ conclusion: 'failure', outputs: { outcome: 'failed' } });
    expect(result.summary).toContain('1 of 2 checks failed');
    expect(world.emulator.journal.of('createDeployment')).toEqual([]);
  });

  it('tells of a check of a commit, which it does not know, as not run', async () => {
    await using world = await startLive([{ path: '/', contains: '{sha}' }]);
    const inputs = { ...watch, 'verify-url': world.project.siteUrl };
    const result = await world.run(inputs, { event: schedule });
    const [passed, notRun] = JSON.parse(result.outputs['checks'] ?? '');
    expect(passed).toMatchObject({ held: true });
    expect(notRun).toMatchObject({
      seen: expect.stringMatching(/^not run: \{sha\} needs a commit/),
    });
    expect(notRun).not.toHaveProperty('held');
    expect(result.outputs).toMatchObject({ outcome: 'synced' });
  });
});

describe.concurrent('nothing is sent where a check', () => {
  const merged: RunEvent | undefined = undefined;
  const page = { 'verify-url': 'https://www.example.com/' };
  it.each<[string, object, Record<string, string>, RunEvent | undefined, string]>([
    ['has a path and no site', { path: '/' }, {}, merged, 'set verify-url'],
    ['has a path that leads elsewhere', { path: '/\\a.example/' }, page, merged, 'a single /'],
    ['is at another host without TLS', { url: 'http://a.example/' }, page, merged, 'must be https'],
    ['has a password', { url: 'https://a:b@a.example/' }, page, merged, 'password'],
    [
      'is of HEAD',
      { path: '/', contains: '{sha}' },
      { ...page, 'commit-sha': 'HEAD' },
      merged,
      'is HEAD',
    ],
    [
      'asks for a body of HEAD',
      { path: '/', method: 'HEAD', lacks: 'x' },
      page,
      merged,
      'need GET',
    ],
    ['waits for nothing', { path: '/' }, { ...page, wait: 'none' }, merged, 'other than none'],
    [
      'has too little time',
      { path: '/' },
      { ...page, 'verify-timeout': '1s' },
      merged,
      'at least 2s',
    ],
    [
      'wants a certificate of http',
      { path: '/', 'certificate-days': 1 },
      { 'verify-url': 'http://a.example/' },
      merged,
      'needs https',
    ],
    [
      'names a host in a pull request',
      { url: 'https://a.example/' },
      page,
      pullRequest('octo-org/octo-site'),
      'must not name a host',
    ],
    [
      "names a host in a fork's",
      { url: 'https://www.example.com/x' },
      page,
      pullRequest('a/b'),
      'must not name a host',
    ],
  ])('%s', async (_, check, inputs, event, says) => {
    await using world = await startWorld([check]);
    const result = await world.run(inputs, { ...(event && { event }) });
    expect(result.outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    expect(result.outputs['error']).toContain(says);
    expect(world.emulator.journal.entries).toEqual([]);
  });
});
