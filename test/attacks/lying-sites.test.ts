// Attack (secrets): A checked site redirects the runner to another host, or sends an endless answer
// Defense: Redirects on the same host only; 5 MiB and 30 s an answer; no key is sent

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import { type DeclaredCheck, type Expectation, namesCommit } from '../../src/checks/intent.ts';
import { type Commit, sha } from '../../src/contract/commit.ts';
import { addCommit } from '../support/add-commit.ts';
import { makeCertificate, trustCertificate } from '../support/certificate.ts';
import { runDeploy } from '../support/deploy.ts';
import { rememberGood } from '../support/deploy-history.ts';
import { startWorld } from '../support/world.ts';

/** Answers a look at the site; `n` counts those since the deployment was live, and is 0 before. */
type Liar = (response: ServerResponse, n: number, request: IncomingMessage) => void;

const page = '<h1>Hello</h1>';

/** A check of a path, with what it wants beside a good status. */
const check = (path: string, more: Partial<Expectation> = {}): DeclaredCheck => {
  const wanted: Expectation = { method: 'GET', ...more };
  return { ...wanted, at: { path }, namesCommit: namesCommit(wanted), from: 'file' };
};

interface Site {
  /** How it is reached; its port is added. */
  origin?: string;
  host?: string;
  makeServer?: () => Server;
  dialect?: DialectOptions;
  /** How long the checks may take, in milliseconds by the fast clock. */
  timeout?: number;
  /** What the version before says, which is honest. */
  honest?: string;
  /** How a run with a way back ends; absent: a failure is rolled back, and all else is as without. */
  back?: 'left' | 'failed';
}

/** Deploys the second of two commits, and checks a site that lies about it. */
async function deployOnce(
  liar: Liar,
  declared: readonly DeclaredCheck[],
  { origin = 'http://127.0.0.1', host = '127.0.0.1', timeout = 8000, ...site }: Site,
  rollsBack: boolean,
) {
  const { dialect = {}, honest = page, makeServer = createServer } = site;
  await using world = await startWorld({ dialect, timeout: 2 * 60_000 });
  const old = sha(await world.project.head());
  const commit: Commit = rollsBack ? sha(await addCommit(await world.project.gitFolder())) : old;
  const asked: string[] = [];
  let looks = 0;
  const server = makeServer();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    asked.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    const [, live] = world.project.deployments.map(({ status }) => status === 'succeeded');
    const isLive = world.project.deployments[0]?.status === 'succeeded' && live !== true;
    if (isLive) looks += 1;
    if (rollsBack && !isLive) response.end(honest.startsWith('{') ? honest : `${honest} of ${old}`);
    else liar(response, isLive ? looks : 0, request);
  });
  server.listen({ port: 0, host, ipv6Only: true });
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const site = { commit, origin: `${origin}:${port}`, hostname: undefined };
    const checks = { declared, site, timeout };
    const back = rollsBack && { rollsBack, history: rememberGood(old) };
    const report = await runDeploy(world, { checks, commit, ...back });
    expect(asked.join('\n')).not.toContain(world.emulator.key);
    const deployed = world.project.deployments.map((one) => one.commit);
    return { ...report, asked, commit, old, deployed };
  } finally {
    server.close();
    if ('closeAllConnections' in server) (server.closeAllConnections as () => void)();
  }
}

/** Deploys, and checks a site that lies; and does so again with a way back to a version that does not. */
async function deployTo(liar: Liar, declared: readonly DeclaredCheck[], site: Site = {}) {
  const report = await deployOnce(liar, declared, site, false);
  expect(report.deployed).toHaveLength(1);
  const again = await deployOnce(liar, declared, site, true);
  const { commit, old } = again;
  const isBack = report.outcome === 'failed' && site.back === undefined;
  expect(again.outcome).toBe(isBack ? 'rolled-back' : report.outcome);
  expect(again.deployed).toEqual(isBack || site.back === 'failed' ? [commit, old] : [commit]);
  if (isBack) expect(again.error).toContain(`Commit ${old.slice(0, 7)} is live again`);
  if (site.back === 'left') expect(again.error).toContain('Nothing was rolled back');
  if (site.back === 'failed') expect(again.error).toMatch(/Rolling back to commit .* failed/);
  return report;
}

/** What became of each check. */
const held = ({ checks = [] }: Awaited<ReturnType<typeof deployTo>>) =>
  checks.map((one) => one.passed);

/** A failed check makes the run fail, and its error names what was seen. */
function expectFailed(report: Awaited<ReturnType<typeof deployTo>>, seen: RegExp) {
  expect(report).toMatchObject({ outcome: 'failed', release: { stage: 'succeeded' } });
  expect(report.error).toMatch(seen);
  expect(report.error).toMatch(/\(SD5004\)$/);
  expect(held(report)).toContain(false);
  expect(report.site).toBeUndefined();
}

describe.concurrent('a site', () => {
  it('that is honest succeeds', async () => {
    const report = await deployTo((response) => response.end(page), [check('/')]);
    expect(report).toMatchObject({ outcome: 'succeeded', checks: [{ passed: true }] });
    expect(report.site).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('that is good on the first look only fails', async () => {
    const report = await deployTo(
      (response, n) => response.writeHead(n === 1 ? 200 : 503).end(page),
      [check('/')],
    );
    expectFailed(report, /returned 503, expected 2xx/);
  });

  it('that answers both ways in turn fails, and is said to', async () => {
    const report = await deployTo(
      (response, n) => response.writeHead(n % 2 === 0 ? 503 : 200).end(page),
      [check('/')],
    );
    expectFailed(
      report,
      /returned 503|returned 200, but not twice in a row \(before that: returned 503/,
    );
  });

  it('that is bad on one path fails by that path alone', async () => {
    const report = await deployTo(
      (response, _, { url }) => response.writeHead(url === '/deep' ? 404 : 200).end(page),
      [check('/'), check('/deep'), check('/also')],
    );
    expectFailed(
      report,
      /^1 of 3 checks failed \(tried for 8s\)\. GET http:[^ ]+\/deep returned 404, expected 2xx/,
    );
    expect(held(report)).toEqual([true, false, true]);
    expect(report.error).not.toContain('/also');
  });

  it('that shows the old page from a cache fails', async () => {
    const report = await deployTo(
      (response) => response.end(`${page} of ${'0'.repeat(40)}`),
      [check('/', { contains: 'of {sha}' })],
    );
    expectFailed(report, /the page does not contain "of/);
    expect(report.error).toContain(`does not contain "of ${report.commit}"`);
  });

  it('that answers 200 with an error text fails', async () => {
    const report = await deployTo(
      (response) => response.end('Internal Error'),
      [check('/', { lacks: 'Error' })],
    );
    expectFailed(report, /returned 200, but the page contains "Error"/);
  });

  it('that compresses what it may is asked not to', async () => {
    const liar: Liar = (response, _, { headers: { 'accept-encoding': accepted } }) => {
      if (accepted === 'identity') return response.end(page);
      return response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(page));
    };
    const report = await deployTo(liar, [check('/', { contains: 'Hello' })]);
    expect(report).toMatchObject({ outcome: 'succeeded', checks: [{ passed: true }] });
  });

  it('that redirects to itself for ever fails, and is said to', async () => {
    const report = await deployTo(
      (response) => response.writeHead(302, { location: '/' }).end(),
      [check('/')],
    );
    expectFailed(
      report,
      /returned 302 at \/ after 5 redirects, a redirect to "\/", expected 2xx\. The host keeps redirecting/,
    );
  });

  it('that shows a login page instead is told where it ended, without its token', async () => {
    const liar: Liar = (response, _, { url = '' }) => {
      if (url.startsWith('/login')) return response.end(page);
      return response.writeHead(302, { location: '/login?token=fake-token' }).end();
    };
    const report = await deployTo(liar, [check('/', { contains: 'Hello' })]);
    expect(report).toMatchObject({
      outcome: 'succeeded',
      checks: [
        {
          passed: true,
          actual: 'returned 200 at /login?… after a redirect',
          explains: 'returned 200 at /login?… after a redirect, with "Hello"',
        },
      ],
    });
    expect(JSON.stringify(report.checks)).not.toContain('fake-token');
  });

  it.each([
    ['always', 1000, 'failed', 20_000],
    ['but for one look in three', 3, 'succeeded', 60_000],
  ])('that is slow, %s', async (_, every, outcome, timeout) => {
    let looks = 0;
    const liar: Liar = async (response) => {
      looks += 1;
      if (looks % every !== 0) await sleep(400);
      response.end(page);
    };
    const report = await deployTo(liar, [check('/', { maxMs: 300 })], { timeout });
    expect(report.outcome).toBe(outcome);
    if (outcome === 'failed') expectFailed(report, /returned 200, but took/);
  });

  it('that redirects to another host fails, and that is not asked', async () => {
    let strangers = 0;
    await using other = createServer((_request, response) => {
      strangers += 1;
      response.end(page);
    });
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const { port } = other.address() as AddressInfo;
    const location = `http://127.0.0.1:${port}/`;
    const report = await deployTo(
      (response) => response.writeHead(302, { location }).end(page),
      [check('/', { contains: 'Hello' })],
    );
    expectFailed(report, /returned 302, a redirect to "http:/);
    expect(strangers).toBe(0);
  });

  it.each([
    ['holds what it shows first', { contains: 'Hello' }, 'succeeded'],
    ['cannot be searched for what it lacks', { lacks: 'Error' }, 'failed'],
    ['cannot be searched to its end', { contains: 'the end' }, 'failed'],
    ['is no JSON', { json: [['a', 1]] }, 'failed'],
  ] as const)('of 10 GB %s', async (_, more, outcome) => {
    const liar: Liar = (response) => {
      response.writeHead(200, { 'content-length': 10_000_000_000 });
      response.write(page);
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(100_000)));
      };
      response.on('drain', pour);
      pour();
    };
    const honest = 'json' in more ? '{ "a": 1 }' : `${page} to the end`;
    const report = await deployTo(liar, [check('/', more)], { timeout: 3000, honest });
    expect(report.outcome).toBe(outcome);
    if (outcome === 'failed') expectFailed(report, /5 MiB/);
  });

  it('that never ends fails', async () => {
    const liar: Liar = (response) => {
      response.write(page);
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    };
    const report = await deployTo(liar, [check('/', { contains: 'Hello' })]);
    expectFailed(report, /no complete response within/);
  });

  it('that answers by IPv6 only succeeds', async () => {
    const report = await deployTo((response) => response.end(page), [check('/')], {
      origin: 'http://[::1]',
      host: '::1',
    });
    expect(report).toMatchObject({ outcome: 'succeeded', checks: [{ passed: true }] });
  });

  it('that lies where nothing else confirms the deployment leaves it unconfirmed', async () => {
    const report = await deployTo(
      (response, n) => response.writeHead(n === 1 ? 200 : 404).end(page),
      [check('/')],
      { dialect: { offers: 'neither' } },
    );
    expect(report.outcome).toBe('unconfirmed');
    expect(held(report)).not.toContain(false);
  });
});

describe('a certificate', () => {
  const good: Liar = (response) => response.end(page);
  const wanting = [check('/', { certificateDays: 14 })];

  it.each([
    ['that has expired', -1, /the certificate has expired/, 'left'],
    ['that ends too soon', 10, /with a certificate that expires in (9|10) days/, 'failed'],
    ['that is good', 30, undefined, undefined],
  ] as const)('%s', async (_, days, seen, back) => {
    const certificate = await makeCertificate(days);
    using _trusted = trustCertificate(certificate);
    const makeServer = () => createSecureServer(certificate);
    const report = await deployTo(good, wanting, {
      origin: 'https://site.localhost',
      makeServer,
      ...(back && { back }),
    });
    if (seen === undefined) expect(report.outcome).toBe('succeeded');
    else expectFailed(report, seen);
  });

  it('that nobody vouches for', async () => {
    const certificate = await makeCertificate(30);
    const report = await deployTo(good, [check('/')], {
      origin: 'https://site.localhost',
      makeServer: () => createSecureServer(certificate),
      back: 'left',
    });
    expectFailed(report, /the certificate is not trusted/);
  });
});
