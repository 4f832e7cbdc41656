import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CacheFault, CacheOperation } from '../../src/emulator/cache/index.ts';
import { abortOnRequest, endless, openCacheWorld } from './ledger-store-world.ts';

interface Fault {
  name: string;
  at: CacheOperation;
  fault: CacheFault;
  says: RegExp;
}

const refusal = (status: number, msg: string): CacheFault => ({
  status,
  body: { code: 'x', msg },
});
const answer = (body: object | string): CacheFault => ({ status: 200, body });

const saving: Fault[] = [
  { name: 'refused', at: 'create', fault: refusal(403, 'not here'), says: /\(403\).*not here/ },
  { name: 'too many', at: 'create', fault: refusal(429, 'slowly'), says: /\(429\).*slowly/ },
  { name: 'no space', at: 'create', fault: refusal(402, 'insufficient usage'), says: /quota/ },
  { name: 'a reset', at: 'create', fault: 'reset', says: /ECONNRESET/ },
  { name: 'a cut answer', at: 'create', fault: 'cut-body', says: /its answer broke off/ },
  { name: 'refused', at: 'upload', fault: refusal(403, 'not here'), says: /not here/ },
  { name: 'refused silently', at: 'upload', fault: { status: 403 }, says: /no reason was given/ },
  { name: 'refused', at: 'finalize', fault: refusal(404, 'gone'), says: /\(404\).*gone/ },
  { name: 'a cut answer', at: 'finalize', fault: 'cut-body', says: /its answer broke off/ },
  { name: 'no', at: 'finalize', fault: answer({ ok: false, message: 'no room' }), says: /no room/ },
];

const loading: Fault[] = [
  { name: 'refused', at: 'look-up', fault: refusal(403, 'not here'), says: /\(403\).*not here/ },
  { name: 'a reset', at: 'look-up', fault: 'reset', says: /ECONNRESET/ },
  { name: 'a cut answer', at: 'look-up', fault: 'cut-body', says: /its answer broke off/ },
  { name: 'gone', at: 'download', fault: { status: 404 }, says: /tar|404/ },
  { name: 'a server error', at: 'download', fault: { status: 500 }, says: /500/ },
  { name: 'a cut answer', at: 'download', fault: 'cut-body', says: /aborted/ },
  { name: 'no archive', at: 'download', fault: answer('no archive'), says: /tar/ },
];

const elsewhere = 'http://127.0.0.1:1/elsewhere?sig=fake-signature';
const file = 'file:///etc/hostname?sig=fake-signature';

/** What the client waits for, or tries again, for longer than we do. */
const lasting: Omit<Fault, 'says'>[] = [
  { name: 'no answer', at: 'create', fault: 'hang' },
  { name: 'nobody there', at: 'create', fault: answer({ ok: true, signed_upload_url: elsewhere }) },
  { name: 'no answer', at: 'upload', fault: 'hang' },
  { name: 'no answer', at: 'finalize', fault: 'hang' },
  { name: 'no answer', at: 'look-up', fault: 'hang' },
  { name: 'a file', at: 'look-up', fault: answer({ ok: true, signed_download_url: file }) },
  {
    name: 'nobody there',
    at: 'look-up',
    fault: answer({ ok: true, signed_download_url: elsewhere }),
  },
  { name: 'no answer', at: 'download', fault: 'hang' },
  { name: 'sent away', at: 'download', fault: { status: 302, headers: { location: elsewhere } } },
];

const secret = /fake-runtime-token|fake-(?:up|down)load-signature|fake-signature|sig=|:\/\//;
const notSaved = /^The ledger could not be saved in the Actions cache: .+\.$/;
const notRead = /^The ledger could not be read from the Actions cache: .+\.$/;
const isSaving = (at: CacheOperation) => at !== 'look-up' && at !== 'download';

describe('what is wrong with the Actions cache becomes a sentence', () => {
  test.each(saving)('when saving, $at: $name', async ({ at, fault, says }) => {
    await using world = await openCacheWorld();
    world.server.faults[at] = fault;
    const sentence = await world.store().save('sealed', endless);
    expect(sentence).toMatch(notSaved);
    expect(sentence).toMatch(says);
    expect(sentence).not.toMatch(secret);
    expect(await world.leftovers()).toEqual([]);
  });

  test.each(loading)('when loading, $at: $name', async ({ at, fault, says }) => {
    await using world = await openCacheWorld();
    await world.store().save('sealed', endless);
    world.server.faults[at] = fault;
    const loaded = await world.store().load(endless);
    expect(loaded).toEqual({ absent: expect.stringMatching(notRead) });
    expect(loaded).toEqual({ absent: expect.stringMatching(says) });
    expect(loaded).not.toEqual({ absent: expect.stringMatching(secret) });
    expect(await world.leftovers()).toEqual([]);
  });

  test.concurrent.each(lasting)('after some time, $at: $name', async ({ at, fault }) => {
    await using world = await openCacheWorld();
    if (!isSaving(at)) await world.store().save('sealed', endless);
    world.server.faults[at] = fault;
    const store = world.store({ limits: { load: 4_000, save: 4_000 } });
    const loaded = isSaving(at) ? undefined : await store.load(endless);
    const sentence = isSaving(at)
      ? await store.save('sealed', endless)
      : loaded && 'absent' in loaded && loaded.absent;
    expect(sentence).toMatch(isSaving(at) ? notSaved : notRead);
    if (fault === 'hang') expect(sentence).toContain('no answer within 4 s');
    expect(sentence).not.toMatch(secret);
    expect(await world.leftovers()).toEqual([]);
  });

  test.concurrent.each<Omit<Fault, 'at'>>([
    { name: 'a server error', fault: refusal(500, 'ouch'), says: /\(500\).*ouch/ },
    { name: 'a page', fault: answer('<html>'), says: /not valid JSON/ },
  ])('that the client tried again after $name, also if it is stopped then', async (given) => {
    await using world = await openCacheWorld();
    world.server.faults.create = given.fault;
    const signal = abortOnRequest(world, 'create', 2);
    expect(await world.store().save('sealed', signal)).toMatch(given.says);
  });

  test('without secrets that the cache sends back', async () => {
    await using world = await openCacheWorld();
    const { ACTIONS_RUNTIME_TOKEN: token } = world.server.environment;
    world.server.faults['look-up'] = refusal(403, `token ${token}, see https://a.test/?sig=abc`);
    const loaded = await world.store().load(endless);
    expect(loaded).toEqual({ absent: expect.stringContaining('token ***, see (address)') });
  });

  test('of a run that may only read', async () => {
    await using world = await openCacheWorld({ permission: 'read' });
    expect(await world.store().load(endless)).toEqual({ absent: 'none' });
    expect(await world.store().save('sealed', endless)).toContain('cache write denied');
  });

  test('of a run that may not even read', async () => {
    await using world = await openCacheWorld({ permission: 'none' });
    const loaded = await world.store().load(endless);
    expect(loaded).toEqual({ absent: expect.stringContaining('cache read denied') });
  });
});

describe('what is wrong on the machine becomes a sentence', () => {
  test.each([
    ['a plain shell', { ACTIONS_RESULTS_URL: undefined }, /offers no Actions cache/],
    ['no token', { ACTIONS_RUNTIME_TOKEN: undefined }, /offers no Actions cache/],
    ['an Enterprise Server without a cache', { GITHUB_SERVER_URL: 'https://git.test' }, /no cache/],
    ['an address that is none', { GITHUB_SERVER_URL: 'git.test' }, /Invalid URL/],
    ['a runner from before the present cache', { ACTIONS_CACHE_SERVICE_V2: undefined }, /no cache/],
    ['no temporary folder', { RUNNER_TEMP: '/does/not/exist' }, /ENOENT/],
  ])('%s', async (_, changes, says) => {
    await using world = await openCacheWorld();
    const store = world.store({ environment: { ...world.environment, ...changes } });
    expect(await store.load(endless)).toEqual({ absent: expect.stringMatching(says) });
    expect(await store.save('sealed', endless)).toMatch(says);
    expect(world.server.journal.entries).toEqual([]);
  });

  test('Windows, where nothing that is unpacked can be bounded', async () => {
    await using world = await openCacheWorld();
    const store = world.store({ platform: 'win32' });
    expect(await store.load(endless)).toEqual({ absent: expect.stringMatching(/On Windows/) });
    expect(await store.save('sealed', endless)).toMatch(/env-ledger/);
    expect(world.server.journal.entries).toEqual([]);
  });

  test('no tar', async () => {
    await using world = await openCacheWorld();
    const store = world.store({ environment: { ...world.environment, PATH: '' } });
    expect(await store.save('sealed', endless)).toMatch(/\btar\b/);
  });

  test('a script that cannot be run', async () => {
    await using world = await openCacheWorld();
    const store = world.store({ script: join(world.script, '../missing.mjs') });
    expect(await store.load(endless)).toEqual({ absent: expect.stringMatching(notRead) });
    expect(await store.save('sealed', endless)).toMatch(notSaved);
  });

  test('a ledger that is too large', async () => {
    await using world = await openCacheWorld();
    const sentence = await world.store().save('x'.repeat(1024 * 1024 + 1), endless);
    expect(sentence).toContain('too large');
    expect(world.server.journal.entries).toEqual([]);
  });
});
