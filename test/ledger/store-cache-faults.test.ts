import { describe, expect, test } from 'vitest';
import { type CacheFault, type CacheOperation, cacheTroubles } from '../../emulator/cache/index.ts';
import { endless, openCacheWorld, operationsOf, protocols } from './store-world.ts';

interface Fault {
  name: string;
  at: CacheOperation;
  fault: CacheFault;
  says: RegExp;
}

const { exists, expired, page, redirectTo, tooMany } = cacheTroubles;

/** An error in the words of either protocol. */
const refusal = (status: number, words: string): CacheFault => ({
  status,
  body: { code: 'x', msg: words, message: words },
});
const away = redirectTo('http://127.0.0.1:1/elsewhere?sig=fake-signature');
const renamed: CacheFault = { status: 200, body: { entry: { url: 'https://a.test/' } } };
const huge: CacheFault = { status: 200, body: { ok: true, junk: 'x'.repeat(100_000) } };

const saving: Fault[] = [
  { name: 'refused', at: 'create', fault: refusal(403, 'not here'), says: / 403: not here\.$/ },
  { name: 'too many', at: 'create', fault: tooMany, says: / 429: too many requests\.$/ },
  { name: 'taken', at: 'create', fault: exists, says: / 409: .*exists\.$/ },
  { name: 'a reset', at: 'create', fault: 'reset', says: /failed: the connection broke/ },
  { name: 'a cut answer', at: 'create', fault: 'cut-body', says: /failed: the connection broke/ },
  { name: 'a page', at: 'create', fault: page, says: /returned an unexpected response/ },
  { name: 'another form', at: 'create', fault: renamed, says: /returned an unexpected response/ },
  {
    name: 'too long an answer',
    at: 'create',
    fault: huge,
    says: /returned an unexpected response/,
  },
  {
    name: 'an endless answer',
    at: 'create',
    fault: 'endless',
    says: /returned an unexpected response/,
  },
  { name: 'sent away', at: 'create', fault: away, says: / 307\.$/ },
  { name: 'a server error', at: 'create', fault: refusal(500, 'ouch'), says: / 500: ouch\.$/ },
  {
    name: 'a reset',
    at: 'upload',
    fault: 'reset',
    says: /the upload failed: the connection broke/,
  },
  { name: 'sent away', at: 'upload', fault: away, says: /the upload returned 307\.$/ },
  { name: 'silently refused', at: 'upload', fault: { status: 403 }, says: /the upload .* 403\.$/ },
  { name: 'refused', at: 'finalize', fault: refusal(404, 'gone'), says: / 404: gone\.$/ },
  { name: 'sent away', at: 'finalize', fault: away, says: / 307\.$/ },
];

const loading: Fault[] = [
  { name: 'refused', at: 'look-up', fault: refusal(403, 'not here'), says: / 403: not here\.$/ },
  { name: 'too many', at: 'look-up', fault: tooMany, says: / 429: too many requests\.$/ },
  { name: 'a reset', at: 'look-up', fault: 'reset', says: /failed: the connection broke/ },
  { name: 'a cut answer', at: 'look-up', fault: 'cut-body', says: /failed: the connection broke/ },
  { name: 'a page', at: 'look-up', fault: page, says: /returned an unexpected response/ },
  { name: 'another form', at: 'look-up', fault: renamed, says: /returned an unexpected response/ },
  {
    name: 'refused in colours',
    at: 'look-up',
    fault: refusal(400, '\u001b[31mnot\u001b[0m\n\u202ehere'),
    says: / 400: not here\.$/,
  },
  {
    name: 'refused with an address',
    at: 'look-up',
    fault: refusal(400, 'see https://a.test/?sig=fake-signature or later'),
    says: / 400: see \(address\) or later\.$/,
  },
  {
    name: 'too long an answer',
    at: 'look-up',
    fault: huge,
    says: /returned an unexpected response/,
  },
  {
    name: 'an endless answer',
    at: 'look-up',
    fault: 'endless',
    says: /returned an unexpected response/,
  },
  { name: 'sent away', at: 'look-up', fault: away, says: / 307\.$/ },
  { name: 'gone', at: 'download', fault: { status: 404 }, says: /the download .* 404\.$/ },
  { name: 'expired', at: 'download', fault: expired, says: / 403: AuthenticationFailed\.$/ },
  { name: 'a server error', at: 'download', fault: { status: 500 }, says: / 500\.$/ },
  { name: 'a reset', at: 'download', fault: 'reset', says: /failed: the connection broke/ },
  { name: 'a cut answer', at: 'download', fault: 'cut-body', says: /failed: the connection broke/ },
  { name: 'an endless one', at: 'download', fault: 'endless', says: /is larger than 1 MiB\.$/ },
  { name: 'sent away', at: 'download', fault: away, says: / 307\.$/ },
  {
    name: 'a large one',
    at: 'download',
    fault: { status: 200, body: 'x'.repeat(1024 * 1024 + 1) },
    says: /is larger than 1 MiB\.$/,
  },
];

const secret =
  /fake-runtime-token|fake-run-path-secret|fake-(?:up|down)load-signature|fake-signature|sig=|:\/\//;
const notSaved = /^Could not save the ledger to the Actions cache: .+\.$/;
const notRead = /^Could not read the ledger from the Actions cache: .+\.$/;

describe.each(protocols)(
  'what is wrong with a cache of the %s protocol is a sentence',
  (protocol) => {
    test.each(saving)('when saving, $at: $name', async ({ at, fault, says }) => {
      await using world = await openCacheWorld({ protocol });
      world.server.faults[at] = fault;
      const sentence = await world.store().save('sealed', endless);
      expect(sentence).toMatch(notSaved);
      expect(sentence).toMatch(says);
      expect(sentence).not.toMatch(secret);
    });

    test.each(loading)('when loading, $at: $name', async ({ at, fault, says }) => {
      await using world = await openCacheWorld({ protocol });
      await world.store().save('sealed', endless);
      world.server.faults[at] = fault;
      const loaded = await world.store().load(endless);
      const sentence = 'absent' in loaded ? loaded.absent : 'it was loaded';
      expect(sentence).toMatch(notRead);
      expect(sentence).toMatch(says);
      expect(sentence).not.toMatch(secret);
    });

    test('of a run that may only read', async () => {
      await using world = await openCacheWorld({ protocol, permission: 'read' });
      expect(await world.store().load(endless)).toEqual({ absent: 'none' });
      expect(await world.store().save('sealed', endless)).toContain(': cache write denied: ');
      expect(operationsOf(world)).toEqual(['look-up', 'create']);
    });

    test('of a run that may not even read', async () => {
      await using world = await openCacheWorld({ protocol, permission: 'none' });
      const absent = expect.stringContaining(' 403: cache read denied: no readable scope.');
      expect(await world.store().load(endless)).toEqual({ absent });
    });

    test('of a token that is not the right one', async () => {
      await using world = await openCacheWorld({ protocol });
      const environment = {
        ...world.server.environment,
        ACTIONS_RUNTIME_TOKEN: 'fake-other-token',
      };
      const absent = expect.stringContaining(' 401: the token is not valid.');
      expect(await world.store({ environment }).load(endless)).toEqual({ absent });
    });

    test('of a server that is gone', async () => {
      const world = await openCacheWorld({ protocol });
      await world[Symbol.asyncDispose]();
      const absent = expect.stringMatching(/failed: no connection: .*ECONNREFUSED/);
      expect(await world.store().load(endless)).toEqual({ absent });
      expect(await world.store().save('sealed', endless)).toContain('ECONNREFUSED');
    });

    test('of a ledger that is too large', async () => {
      await using world = await openCacheWorld({ protocol });
      const sentence = await world.store().save('x'.repeat(1024 * 1024 + 1), endless);
      expect(sentence).toBe('The ledger is larger than 1 MiB.');
      expect(world.server.journal.entries).toEqual([]);
    });
  },
);

describe.each(protocols)('a second try with a cache of the %s protocol', (protocol) => {
  const loads = ['look-up', 'download'] as const;
  const saves = ['create', 'upload', 'finalize'] as const;

  test.each(loads)('loads what a passing fault of the %s kept back', async (at) => {
    await using world = await openCacheWorld({ protocol });
    await world.store().save('sealed', endless);
    for (const fault of ['reset', 'cut-body', { status: 503 }, { status: 500 }] as const) {
      world.server.faults[at] = [fault];
      expect(await world.store().load(endless)).toEqual({ text: 'sealed' });
    }
  });

  test.each(saves)(
    'saves what a passing fault of the %s kept back, under another key',
    async (at) => {
      await using world = await openCacheWorld({ protocol });
      for (const fault of ['reset', { status: 502 }, exists] as const) {
        world.server.faults[at] = [fault];
        expect(await world.store().save('sealed', endless)).toBeUndefined();
      }
      expect(world.server.entries.filter(({ complete }) => complete)).toHaveLength(3);
    },
  );

  test('gets a fresh address if one has expired', async () => {
    await using world = await openCacheWorld({ protocol });
    world.server.faults.upload = protocol === 'newer' ? [expired] : [];
    expect(await world.store().save('sealed', endless)).toBeUndefined();
    world.server.faults.download = [expired];
    expect(await world.store().load(endless)).toEqual({ text: 'sealed' });
  });

  test.each([
    ['a limit', tooMany],
    ['a refusal', refusal(403, 'no')],
    ['an unknown form', page],
    ['a redirect', away],
  ])('is not made after %s', async (_, fault) => {
    await using world = await openCacheWorld({ protocol });
    world.server.faults['look-up'] = fault;
    await world.store().load(endless);
    expect(operationsOf(world)).toEqual(['look-up']);
  });

  test('is the last', async () => {
    await using world = await openCacheWorld({ protocol });
    world.server.faults['look-up'] = 'reset';
    await world.store().load(endless);
    expect(operationsOf(world)).toEqual(['look-up', 'look-up']);
  });

  test('that comes to no end tells what the first met', async () => {
    await using world = await openCacheWorld({ protocol });
    world.server.faults['look-up'] = [{ status: 503 }, 'hang'];
    const store = world.store({ times: { load: 1_000, save: 30_000, pause: 0 } });
    const absent = expect.stringContaining('returned 503');
    expect(await store.load(endless)).toEqual({ absent });
  });
});
