import { describe, expect, test } from 'vitest';
import type { StepEnvironment } from '../../platform.ts';
import { cacheStore } from '../store/cache.ts';
import { cacheOfferOf } from './exchange.ts';

const results = 'https://results.example/';
const cache = 'https://cache.example/run/';

/** A step on a runner that offers everything. */
const github: StepEnvironment = {
  GITHUB_SERVER_URL: 'https://github.com',
  ACTIONS_CACHE_SERVICE_V2: 'True',
  ACTIONS_RESULTS_URL: results,
  ACTIONS_CACHE_URL: cache,
  ACTIONS_RUNTIME_TOKEN: 'fake-token',
};

const newer = { protocol: 'newer', address: new URL(results), token: 'fake-token' };
const older = { protocol: 'older', address: new URL(cache), token: 'fake-token' };

describe('the cache that a step is offered', () => {
  test.each<[string, StepEnvironment, object]>([
    ['GitHub', {}, newer],
    ['no name of the server', { GITHUB_SERVER_URL: undefined }, newer],
    ['data residency', { GITHUB_SERVER_URL: 'https://octo.ghe.com' }, newer],
    ['a local world', { GITHUB_SERVER_URL: 'http://github.localhost:3000' }, newer],
    ['an Enterprise Server', { GITHUB_SERVER_URL: 'https://git.example' }, older],
    ['a name that only begins alike', { GITHUB_SERVER_URL: 'https://github.com.example' }, older],
    ['a name that only ends alike', { GITHUB_SERVER_URL: 'https://notgithub.com' }, older],
    ['a server without a name', { GITHUB_SERVER_URL: 'https://' }, older],
    ['act', { ACTIONS_CACHE_SERVICE_V2: undefined }, older],
    ['a runner that says no', { ACTIONS_CACHE_SERVICE_V2: '' }, older],
    [
      'an address without its slash',
      { ACTIONS_CACHE_SERVICE_V2: '', ACTIONS_CACHE_URL: 'https://cache.example/run' },
      older,
    ],
    [
      'act without a token',
      { ACTIONS_CACHE_SERVICE_V2: '', ACTIONS_RUNTIME_TOKEN: undefined },
      { ...older, token: '' },
    ],
  ])('is that of %s', (_, changes, offer) => {
    expect(cacheOfferOf({ ...github, ...changes })).toEqual({
      ...offer,
      mayRead: true,
      mayWrite: true,
    });
  });

  const none: [string, StepEnvironment][] = [
    ['a plain shell', {}],
    ['GitHub without a token', { ...github, ACTIONS_RUNTIME_TOKEN: '' }],
    ['GitHub without an address', { ...github, ACTIONS_RESULTS_URL: '' }],
    [
      'an Enterprise Server without a cache',
      { ...github, GITHUB_SERVER_URL: 'https://git.example', ACTIONS_CACHE_URL: undefined },
    ],
    ['an address of another kind', { ...github, ACTIONS_RESULTS_URL: 'file:///etc/' }],
    ['an address that is none', { ...github, ACTIONS_RESULTS_URL: 'results.example' }],
  ];

  test.each(none)('is none in %s, and one sentence says so', async (_, environment) => {
    expect(cacheOfferOf(environment)).toBeUndefined();
    const store = cacheStore({ environment, userAgent: 'tests/1', parts: ['p'], runId: '1' });
    const { signal } = new AbortController();
    const sentence = 'This runner has no Actions cache.';
    expect(await store.load(signal)).toEqual({ absent: sentence });
    expect(await store.save('sealed', signal)).toBe(sentence);
  });

  test.each([
    ['none', false, false],
    ['read', true, false],
    ['write', true, true],
    ['write-only', false, true],
    [' Read ', true, false],
    ['', true, true],
    ['a word of next year', true, true],
    ['constructor', true, true],
  ])('may be read and written as the mode "%s" says', (mode, mayRead, mayWrite) => {
    const offer = cacheOfferOf({ ...github, ACTIONS_CACHE_MODE: mode });
    expect(offer).toMatchObject({ mayRead, mayWrite });
  });

  test('is not asked for what its mode forbids', async () => {
    const environment = { ...github, ACTIONS_RESULTS_URL: 'http://127.0.0.1:1/' };
    const store = cacheStore({
      environment: { ...environment, ACTIONS_CACHE_MODE: 'none' },
      userAgent: 'tests/1',
      parts: ['p'],
      runId: '1',
    });
    const { signal } = new AbortController();
    const absent = 'This run may not read the Actions cache (ACTIONS_CACHE_MODE).';
    expect(await store.load(signal)).toEqual({ absent });
    expect(await store.save('sealed', signal)).toBe(
      'This run may not write to the Actions cache (ACTIONS_CACHE_MODE).',
    );
  });
});
