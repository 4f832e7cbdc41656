// Attack (flooding): The cache's service is hostile: endless, deep, redirecting, or with an address on another host
// Defense: A small client for one text: no archive, no process, 1 MiB, a few seconds, no redirect, https or the
// service's own host only, the token for the service only. A failure is a log line, never a failed run
// Attack (flooding): Messages of the cache's service contain commands, colors, tokens or signed addresses
// Defense: Cleaned, redacted, addresses removed

import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  type CacheFaults,
  type CacheServer,
  cacheTroubles,
  startCacheServer,
} from '../../emulator/cache/index.ts';
import type { ActionResult } from '../../emulator/runner.ts';
import { startEnvSync, stored } from '../dist/env-sync-world.ts';
import { startStub, startTcpStub } from '../service/stub.ts';
import { rows } from '../support/exhaustive.ts';

const variables = { A: 'fake value of a', B: 'fake value of b' };
const protocols = ['newer', 'older'] as const;
type Protocol = (typeof protocols)[number];

/** What nobody may read: the token, what lets a run in by its path, and the signatures of addresses. */
const secrets = /fake-runtime-token|fake-run-path-secret|fake-(?:up|down)load-signature|fake-sig/;

/** What a step does whose cache is hostile. */
interface Attacked {
  result: ActionResult;
  log: string;
  cache: CacheServer;
  /** The heads of all requests that were to leave this machine. */
  left: readonly string[];
}

/**
 * Syncs with a cache that does something else; where that concerns an entry, after a sync that saved one. Whatever
 * it is, the step succeeds, the variables are as declared, and what is printed holds no secret.
 */
async function attack(protocol: Protocol, faults: CacheFaults): Promise<Attacked> {
  await using cache = await startCacheServer({ protocol });
  await using world = await startEnvSync();
  const left: string[] = [];
  await using proxy = await startTcpStub((socket) => {
    socket.once('data', (bytes) => {
      left.push(bytes.toString());
      socket.end('HTTP/1.1 403 Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    });
  });
  const proxies = { http_proxy: proxy.url, https_proxy: proxy.url, no_proxy: '' };
  const options = { inputs: { 'env-ledger': 'cache' }, env: { ...proxies, ...cache.environment } };
  if (faults.download !== undefined) await world.run({ ...variables, A: 'fake old' }, options);
  Object.assign(cache.faults, faults);
  const result = await world.run(variables, options);
  const log = result.log.join('\n');
  expect(result.outputs).toMatchObject({ outcome: 'synced', error: '' });
  expect(stored(world.project)).toEqual(variables);
  expect(result.annotations).toEqual([]);
  expect(result.raw.stdout).not.toMatch(secrets);
  expect(result.raw.stderr).toBe('');
  return { result, log, cache, left };
}

/** An answer of the service that gives an address, for either protocol and either way. */
const giving = (address: unknown) => ({
  status: 200,
  body: {
    ok: true,
    signed_upload_url: address,
    signed_download_url: address,
    matched_key: 'x',
    archiveLocation: address,
    cacheKey: 'x',
  },
});

const text = (body: string | Buffer, headers = {}) => ({ status: 200, headers, body });

/** The same code of both cuts: its words reach the log, if any do. */
const refusal = (words: string) => ({
  status: 400,
  body: { code: 'x', msg: words, message: words, error: words },
});

describe.concurrent.each(protocols)('a hostile cache of the %s protocol', (protocol) => {
  /** Some of a kind by the newer protocol, the edges among them; by the older one, whose answers the same code judges, the first. */
  const tried = <Row>(all: readonly Row[], some = 2): Row[] =>
    rows(all, protocol === 'newer' ? some : 1);

  it.each(
    tried(
      [
        ['another scheme', 'file:///etc/hostname?sig=fake-sig'],
        ['a scheme that holds its content', 'data:text/plain,x?sig=fake-sig'],
        [
          'the machine that describes this one',
          'http://169.254.169.254/latest/meta-data/?sig=fake-sig',
        ],
        ['the same by name', 'http://metadata.google.internal/?sig=fake-sig'],
        ['a neighbour', 'http://[fe80::1]/?sig=fake-sig'],
        ['a host that only begins alike', 'http://127.0.0.1.example/?sig=fake-sig'],
        ['a host behind a name that is ours', 'http://127.0.0.1@elsewhere.example/?sig=fake-sig'],
        ['no host', '/account/container/1?sig=fake-sig'],
        ['nothing', 'fake-sig'],
      ],
      6,
    ),
  )('that gives the address of %s is asked nothing more', async (_, address) => {
    const { log, left } = await attack(protocol, { 'look-up': giving(address) });
    expect(log).toContain('the cache returned an unusable URL');
    expect(left).toEqual([]);
  });

  it.each(
    tried(
      [
        ['an object', giving({ toString: 'fake-sig' })],
        ['a list that never closes', text('['.repeat(60_000))],
        ['a list of lists', text(`${'['.repeat(30_000)}${']'.repeat(30_000)}`)],
        ['a number', text('1')],
        ['a page', cacheTroubles.page],
        ['ten megabytes', text(JSON.stringify({ ok: false, junk: 'x'.repeat(10_000_000) }))],
        ['another form', text('{"found":{"url":"https://elsewhere.example/fake-sig"}}')],
      ],
      4,
    ),
  )('that answers with %s is told of, in a sentence', async (_, answer) => {
    const { log, left } = await attack(protocol, { 'look-up': answer });
    expect(log).toMatch(
      /Could not read the ledger from the Actions cache: .* returned an unexpected response/,
    );
    expect(left).toEqual([]);
  });

  it('that sends the content elsewhere, by https, gets no token carried there', async () => {
    const address = 'https://elsewhere.example/x?sig=fake-sig';
    const { left, log } = await attack(protocol, {
      'look-up': giving(address),
      ...(protocol === 'newer' ? { create: giving(address) } : {}),
    });
    expect(log).toContain('the download failed');
    expect(left.length).toBeGreaterThan(0);
    for (const head of left) {
      expect(head).toMatch(/^CONNECT elsewhere\.example:443 /);
      expect(head).not.toMatch(secrets);
    }
  });

  it.each(tried(['look-up', 'download', 'create', 'upload', 'finalize'] as const))(
    'that redirects a %s has nothing carried on',
    async (operation) => {
      await using elsewhere = await startStub((response) => response.end('{"ok":true}'));
      const { log } = await attack(protocol, {
        [operation]: cacheTroubles.redirectTo(`${elsewhere.url}/?sig=fake-sig`),
      });
      expect(log).toContain('returned 307.');
      expect(elsewhere.received).toEqual([]);
    },
  );

  it.each(tried(['look-up', 'download', 'create'] as const))(
    'that answers a %s without end is left',
    async (operation) => {
      const { cache, log } = await attack(protocol, { [operation]: 'endless' });
      expect(log).toMatch(/is larger than 1 MiB\.|returned an unexpected response/);
      // What a machine holds of a connection between two programs is some megabytes.
      expect(cache.bytesSent).toBeLessThan(32 * 1024 * 1024);
    },
  );

  it.each(
    tried([
      ['look-up', 'hang'],
      ['download', 'stall'],
    ] as const),
  )('that goes silent in a %s (%s) is waited for 5 s', async (operation, fault) => {
    const { log } = await attack(protocol, { [operation]: fault });
    expect(log).toContain(
      'Could not read the ledger from the Actions cache: no response within 5s.',
    );
  });

  // The wait is the same code for both protocols.
  it.runIf(protocol === 'newer')(
    'that goes silent at the end of the step is waited for 10 s',
    async () => {
      const { log } = await attack(protocol, { finalize: 'hang' });
      expect(log).toContain(
        'Could not save the ledger to the Actions cache: no response within 10s.',
      );
    },
  );

  it.each(
    tried([
      ['text', Buffer.from('no ledger')],
      ['nothing', Buffer.alloc(0)],
      ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00, 0x80])],
      ['an archive', gzipSync('no ledger')],
    ]),
  )('that holds %s in place of the ledger: it is replaced', async (_, content) => {
    const { log, cache } = await attack(protocol, { download: [text(content)] });
    expect(log).toContain('The ledger cannot be used: it is not a ledger.');
    expect(cache.entries.filter(({ complete }) => complete)).toHaveLength(2);
  });

  it.each(
    tried([
      ['a command', '::error::forged\n::set-output name=x::y\n##[error]forged'],
      ['colours', '\u001b[31mred\u001b[0m \u202e forged'],
    ]),
  )('whose words hold %s has them shown, and nothing else', async (_, words) => {
    const { log, result } = await attack(protocol, { 'look-up': refusal(words) });
    expect(log).toMatch(/returned 400: .*(?:forged)/);
    expect(result.raw.stdout).not.toMatch(/^::(?:error|set-output)|##\[error|\p{Cc}\[|\u202e/mu);
  });

  it.each(tried(['look-up', 'create', 'finalize'] as const))(
    'that sends back at a %s what this run holds has it hidden',
    async (operation) => {
      const coded = Buffer.from('fake-runtime-token').toString('base64');
      // The way in by a path is the older service's; a signature is known from when it was given.
      const path = protocol === 'older' ? '/fake-run-path-secret/' : '/x/';
      const isSigned = protocol === 'newer' && operation === 'finalize';
      const signature = isSigned ? 'fake-upload-signature' : 'x';
      const words = `fake-runtime-token ${coded} ${path} ${signature} https://a.test/?sig=fake-sig`;
      const { log, result } = await attack(protocol, { [operation]: refusal(words) });
      expect(log).toMatch(/returned 400: \*\*\* \*\*\* \S+ \S+ \(address\)\./);
      expect(result.raw.stdout).not.toContain(coded);
    },
  );
});
