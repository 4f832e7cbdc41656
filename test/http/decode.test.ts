// Attack (flooding): A compressed body that decodes to gigabytes, or to nothing without end
// Defense: Decoded as it arrives, to the limit of the body; at most 64 MiB enter a decoder, and five decoders are used

import {
  brotliCompressSync,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createProbe } from '../../src/checks/apply.ts';
import { fetchOver } from '../../src/http/fetch.ts';
import { openPool } from '../../src/http/pool.ts';
import { startStub } from '../service/stub.ts';
import { failureOf, openClient } from '../service/support.ts';

type Encode = (bytes: Uint8Array) => Buffer;

const page = `<h1>Grüße</h1>${'x'.repeat(200_000)}`;

/** Each encoding, as a header names it. */
const encodings: readonly (readonly [header: string | string[], encode: Encode])[] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
  ['identity', Buffer.from],
  ['', Buffer.from],
  ['gzip, br', (bytes) => brotliCompressSync(gzipSync(bytes))],
  [['zstd', 'identity, gzip'], (bytes) => gzipSync(zstdCompressSync(bytes))],
  ['utf-8', Buffer.from],
  ['aws-chunked', Buffer.from],
  ['none, gzip', gzipSync],
  ['gzip', (bytes) => Buffer.concat([gzipSync(bytes.subarray(0, 9)), gzipSync(bytes.subarray(9))])],
];

/** A server that answers everything with these bytes. */
const serve = (header: string | string[], bytes: Uint8Array, status = 200) =>
  startStub((response) => {
    response.setHeader('content-encoding', header);
    response.writeHead(status).end(bytes);
  });

/** A page, requested once by a check. */
async function request(url: string, method: 'GET' | 'HEAD' = 'GET') {
  const probe = createProbe('tests/1');
  try {
    const signal = new AbortController().signal;
    return await probe.request({ url: new URL(url), method, follows: true }, signal);
  } finally {
    await probe.close();
  }
}

/** A list, requested of GitHub. */
async function fetchText(url: string) {
  const pool = openPool(new URL(url));
  try {
    return await (await fetchOver(pool)(url, { method: 'GET', headers: {} })).text();
  } finally {
    await pool.close();
  }
}

describe.each(encodings)('a body in %j', (header, encode) => {
  test('is read by a check', async () => {
    await using stub = await serve(header, encode(Buffer.from(page)));
    const answer = await request(stub.url);
    expect(answer).toMatchObject({ status: 200, text: page, truncated: false });
    expect(answer).not.toHaveProperty('undecodable');
  });

  test('is read by the client of the service', async () => {
    await using stub = await serve(header, encode(Buffer.from('\uFEFF[]')));
    await using opened = openClient(stub.url);
    expect(await opened.client.listProjects('all')).toEqual([]);
    expect(stub.received[0]?.headers['accept-encoding']).toBe('identity');
  });

  test('of an error of the service is read', async () => {
    const body = Buffer.from('{"error":{"code":"nope","message":"Größe"}}');
    await using stub = await serve(header, encode(body), 400);
    await using opened = openClient(stub.url);
    const { details } = await failureOf(opened.client.listProjects('all'));
    expect(details).toMatchObject({ status: 400, code: 'nope', detail: 'Größe' });
  });

  test('is read by the client of GitHub', async () => {
    await using stub = await serve(header, encode(Buffer.from(page)));
    expect(await fetchText(stub.url)).toBe(page);
  });

  test.each([
    [200, 'HEAD'],
    [200, 'GET'],
    [204, 'GET'],
    [304, 'GET'],
  ] as const)('that is absent is empty: %s to %s', async (status, method) => {
    await using stub = await serve(header, Buffer.alloc(0), status);
    const answer = await request(stub.url, method);
    expect(answer).toMatchObject({ status, text: '' });
    expect(answer).not.toHaveProperty('undecodable');
  });
});

const packed = gzipSync(page);

describe.each([
  ['in an unknown encoding', 'compress', packed, 'has the unknown content-encoding "compress"'],
  ['in an encoding that hides another', 'gzip, foo', packed, 'unknown content-encoding "foo"'],
  ['in many encodings', Array(4000).fill('br').join(), packed, 'unknown content-encoding "br,br,'],
  ['that is not encoded', 'gzip', Buffer.from(page), 'is not valid gzip'],
  ['that is encoded otherwise', 'br', packed, 'is not valid br'],
  ['that is no zlib', 'deflate', Buffer.from(page), 'is not valid deflate'],
  ['that is no zstd', 'zstd', packed, 'is not valid zstd'],
  ['of cut gzip', 'gzip', packed.subarray(0, -9), 'is not valid gzip'],
  ['of cut deflate', 'deflate', deflateSync(page).subarray(0, -9), 'is not valid deflate'],
  ['of cut br', 'br', brotliCompressSync(page).subarray(0, -3), 'is not valid br'],
  ['of cut zstd', 'zstd', zstdCompressSync(page).subarray(0, -3), 'is not valid zstd'],
])('a body %s', (_name, header, bytes, says) => {
  test('is said to be so by a check', async () => {
    await using stub = await serve(header, bytes);
    expect(await request(stub.url)).toMatchObject({
      status: 200,
      text: '',
      undecodable: expect.stringContaining(says),
    });
  });

  test('is said to be so by the client of the service, which does not repeat the request', async () => {
    await using stub = await serve(header, bytes);
    await using opened = openClient(stub.url);
    const error = await failureOf(opened.client.listProjects('all'));
    expect(error).toMatchObject({ fault: 'body' });
    expect(error.message).toContain(says);
    expect(stub.received).toHaveLength(1);
  });

  test('is an error of the client of GitHub', async () => {
    await using stub = await serve(header, bytes);
    await expect(fetchText(stub.url)).rejects.toThrow(says);
  });
});

test('no more than five encodings are decoded, so that they take no memory, and the name is cut', async () => {
  const encode = (count: number) =>
    Array.from({ length: count }).reduce<Buffer>((bytes) => gzipSync(bytes), Buffer.from('page'));
  await using five = await serve(Array(5).fill('gzip').join(), encode(5));
  expect(await request(five.url)).toMatchObject({ text: 'page' });
  await using six = await serve(Array(6).fill('gzip').join(), encode(6));
  expect(await request(six.url)).toMatchObject({ undecodable: expect.stringContaining('unknown') });
  await using long = await serve('x'.repeat(9000), packed);
  const answer = await request(long.url);
  expect('undecodable' in answer && answer.undecodable?.length).toBeLessThan(150);
});

test('a connection that breaks is not taken for a body that cannot be decoded', async () => {
  await using stub = await startStub((response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length });
    response.write(packed.subarray(0, 99), () => response.destroy());
  });
  expect(await request(stub.url)).toEqual({
    failure: expect.stringMatching(/^the connection broke/),
  });
});

/** 256 MiB of nothing. */
function bomb(encode: Encode): Buffer {
  const part = encode(Buffer.alloc(16 * 1024 * 1024));
  return Buffer.concat(Array.from({ length: 16 }, () => part));
}

test.each<[header: string, bytes: () => Buffer]>([
  ['gzip', () => bomb(gzipSync)],
  ['zstd', () => bomb(zstdCompressSync)],
  ['br', () => brotliCompressSync(Buffer.alloc(16 * 1024 * 1024))],
  ['deflate', () => deflateSync(Buffer.alloc(16 * 1024 * 1024))],
  ['gzip, gzip', () => gzipSync(bomb(gzipSync))],
])('a bomb of %s is read to the bound', async (header, bytes) => {
  await using stub = await serve(header, bytes());
  const answer = await request(stub.url);
  expect(answer).toMatchObject({ truncated: true });
  expect('text' in answer && answer.text.length).toBe(5 * 1024 * 1024);
  await using opened = openClient(stub.url);
  const error = await failureOf(opened.client.listProjects('all'));
  expect(error.message).toContain('the response is larger than 10 MiB');
  await stub.idle();
});

test('a bomb that decodes to nothing ends, too', async () => {
  const nothing = gzipSync('');
  const inner = Buffer.alloc(nothing.length * 4_000_000);
  for (let at = 0; at < inner.length; at += nothing.length) inner.set(nothing, at);
  await using stub = await serve('gzip, gzip', gzipSync(inner));
  expect(await request(stub.url)).toMatchObject({
    undecodable: 'the response is too long to be decoded',
  });
});

test('events of a compressed stream arrive one by one', async () => {
  const seen = Promise.withResolvers<void>();
  await using stub = await startStub(async (response) => {
    const gzip = createGzip();
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
    gzip.pipe(response);
    gzip.write('data: one\n\n');
    gzip.flush();
    await seen.promise;
    gzip.end('data: two\n\n');
  });
  await using opened = openClient(stub.url);
  const events = await opened.client.openEvents({
    operation: 'follow',
    path: '/',
    signal: opened.run.signal,
    lastEventId: '',
    listener: { onRetry: () => undefined, onOversized: () => undefined },
  });
  const data: string[] = [];
  for await (const event of events) {
    data.push(event.data);
    seen.resolve();
  }
  expect(data).toEqual(['one', 'two']);
});

const latin = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

test.each<[contentType: string, bytes: Buffer]>([
  ['text/html; charset=iso-8859-1', latin('Größe')],
  ['text/html; a=b;Charset="Windows-1252"', latin('Größe')],
  ['text/html; charset=utf-16le', utf16('Größe')],
  ['text/html', utf16('\ufeffGröße')],
  ['text/html; charset=utf-8', utf16('\ufeffGröße').swap16()],
  ['text/html; charset=iso-8859-1', Buffer.from('\ufeffGröße')],
  ['text/html; charset=nonsense', Buffer.from('Größe')],
  ['text/html; charset=', Buffer.from('Größe')],
])('a page is read in its charset: %s', async (contentType, bytes) => {
  await using stub = await startStub((response) => {
    response.setHeader('content-type', contentType).end(bytes);
  });
  expect(await request(stub.url)).toMatchObject({ text: 'Größe' });
});

test.each<[start: string, contentType: string, text: string]>([
  ['<meta charset="iso-8859-1">', 'text/html', 'Größe'],
  ['<META charset=ISO-8859-1 />', 'text/html', 'Größe'],
  ['<meta http-equiv="Content-Type" content="text/html; charset=latin1">', 'text/html', 'Größe'],
  ["<?xml version='1.0' encoding='iso-8859-1'?>", 'application/xml', 'Größe'],
  ['<meta charset="iso-8859-1">', 'text/html; charset=utf-8', 'Gr\u{fffd}\u{fffd}e'],
  ['<meta charset="utf-16">', 'text/html', 'Gr\u{fffd}\u{fffd}e'],
  [`${' '.repeat(1024)}<meta charset="iso-8859-1">`, 'text/html', 'Gr\u{fffd}\u{fffd}e'],
])('a page is read in the charset that its start names: %s', async (start, contentType, text) => {
  await using stub = await startStub((response) => {
    response.setHeader('content-type', contentType).end(latin(`${start}Größe`));
  });
  expect(await request(stub.url)).toMatchObject({ text: `${start}${text}` });
});

test.each<[text: string, contentType: string]>([
  ['{ "page": "<meta charset=iso-8859-1>", "size": "Größe" }', 'application/json'],
  ["write('<meta charset=iso-8859-1>Größe')", 'text/javascript'],
  ['<!-- <meta charset=iso-8859-1> -->Größe', 'text/html'],
])('markup in other text, or in a comment, names no charset: %s', async (text, contentType) => {
  await using stub = await startStub((response) => {
    response.setHeader('content-type', contentType).end(text);
  });
  expect(await request(stub.url)).toMatchObject({ text });
});
