import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openChecks } from '../../src/checks/apply.ts';
import { awaitChecks, type CheckedDomain } from '../../src/checks/await-checks.ts';
import { type DeclaredCheck, type Expectation, namesCommit } from '../../src/checks/intent.ts';
import { unsafeText } from '../../src/kernel/text/safe.ts';
import type { Clock } from '../../src/service/clock.ts';
import type { Host } from '../../src/step/step.ts';
import { userAgent } from '../../src/step/version.ts';
import { fastClock } from '../support/fast-clock.ts';

const check = (path: string, more: Partial<Expectation> = {}): DeclaredCheck => {
  const wanted: Expectation = { method: 'GET', ...more };
  return { ...wanted, at: { path }, namesCommit: namesCommit(wanted), from: 'file' };
};

const host: Host = {
  report: () => undefined,
  drained: () => Promise.resolve(),
  signal: new AbortController().signal,
  clock: fastClock,
  clean: unsafeText,
  cleanLine: unsafeText,
  cleanText: unsafeText,
  random: () => 0.5,
};

/** Runs checks at a page on this machine to their end. */
async function run(
  page: RequestListener,
  declared: readonly DeclaredCheck[],
  timeout: number,
  domain?: CheckedDomain,
  by = host,
) {
  await using server = createServer(page);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const site = {
    commit: 'HEAD',
    origin: `http://127.0.0.1:${port}`,
    hostname: undefined,
  } as const;
  const asked = declared.map(({ at, ...one }) => ({
    ...one,
    at: 'url' in at ? { url: at.url.replace('{port}', String(port)) } : at,
  }));
  await using checks = openChecks({ declared: asked, site, timeout }, by);
  try {
    return await awaitChecks({ host: by, checks, timeout, domain, section: {} });
  } finally {
    server.closeAllConnections();
  }
}

/** What becomes true so many milliseconds from now. */
function after(milliseconds: number): () => boolean {
  const due = fastClock.now() + milliseconds;
  return () => fastClock.now() >= due;
}

describe.concurrent('checks at a domain', () => {
  it('that is verified late have as long for an answer as any other', async () => {
    const isVerified = after(20_000);
    const domain: CheckedDomain = {
      hostname: '127.0.0.1',
      get isVerified() {
        return isVerified();
      },
      isFollowed: true,
    };
    const results = await run(
      async (_, response) => {
        // Longer than a look may take that has little time left.
        await fastClock.sleep(3000, host.signal);
        response.statusCode = isVerified() ? 200 : 404;
        response.end('page');
      },
      [check('/')],
      10_000,
      domain,
    );
    expect(results).toMatchObject([{ passed: true, actual: 'returned 200' }]);
  });
});

it('a page is looked at for the last time when its time is over', async () => {
  let now = 0;
  const clock: Clock = {
    now: () => now,
    sleep: async (milliseconds, signal) => {
      // A look may take a second, and takes no time here; the pauses are shorter.
      if (milliseconds >= 1000) await once(signal, 'abort');
      else now += Math.max(milliseconds, 1);
    },
  };
  const looks: number[] = [];
  const page: RequestListener = (_, response) => {
    looks.push(now);
    response.writeHead(404).end();
  };
  await run(page, [check('/')], 500, undefined, { ...host, clock });
  expect(looks.at(-1)).toBe(500);
});

describe.concurrent('a page', () => {
  it('is told who asks', async () => {
    const agents = new Set<string | undefined>();
    await run(
      ({ headers }, response) => {
        agents.add(headers['user-agent']);
        response.end();
      },
      [check('/')],
      20_000,
    );
    expect([...agents]).toEqual([userAgent]);
  });

  it('that was good twice within a second has not held, however long another takes', async () => {
    const looks = { good: 0, other: 0 };
    const results = await run(
      async ({ url }, response) => {
        if (url === '/good') {
          looks.good += 1;
          return response.writeHead(looks.good > 2 ? 503 : 200).end();
        }
        looks.other += 1;
        await fastClock.sleep(looks.other > 1 ? 2000 : 0, host.signal);
        return response.writeHead(404).end();
      },
      [check('/good'), { ...check('/other'), at: { url: 'http://other.localhost:{port}/other' } }],
      20_000,
      { hostname: 'other.localhost', isVerified: false, isFollowed: false },
    );
    expect(looks.good).toBeGreaterThan(2);
    expect(results).toMatchObject([{ passed: false, actual: 'returned 503' }, { passed: null }]);
  });

  it('that is slow each time is said to be, though there is no time to ask it three times', async () => {
    const results = await run(
      async (_, response) => {
        await fastClock.sleep(12_000, host.signal);
        response.end('page');
      },
      [check('/', { maxMs: 100 })],
      60_000,
    );
    expect(results).toMatchObject([{ passed: false, actual: expect.stringContaining('but took') }]);
  });
});
