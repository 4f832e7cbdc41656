// Attack (git): The git server fills memory or disk
// Defense: One allocation of git is at most 256 MB, its address space 2 GiB (Linux), each file 2 GiB (Linux, macOS);
// remains of a failed try are removed
// Attack (git): The server sends the runner to another host for part of a pack (`packfile-uris`)
// Defense: git uses protocol version 0 with the project, which has no such section

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { address, filesOf, type GitWorld, startGitWorld } from './support.ts';

/** A line of git's protocol: its length in hex, and what it says. */
const line = (said: string | Buffer): Buffer => {
  const data = Buffer.from(said);
  const length = (data.length + 4).toString(16).padStart(4, '0');
  return Buffer.concat([Buffer.from(length), data]);
};
const flush = Buffer.from('0000');
const delimiter = Buffer.from('0001');

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A server on this machine, and what it was asked for. */
async function listen(answer: Answer) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response, await text(request));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    url: `http://127.0.0.1:${port}/site.git`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const send = (response: ServerResponse, kind: string, ...parts: Buffer[]): void => {
  response.setHeader('content-type', `application/x-git-upload-pack-${kind}`);
  response.end(Buffer.concat(parts));
};

/** An object as it lies in a pack: its kind and its length, and then its content, compressed. */
function packed(length: number, content: Buffer): Buffer {
  const bytes = [];
  let rest = Math.floor(length / 16);
  bytes.push((1 << 4) | (length % 16) | (rest > 0 ? 0x80 : 0));
  while (rest > 0) {
    const next = Math.floor(rest / 128);
    bytes.push((rest % 128) | (next > 0 ? 0x80 : 0));
    rest = next;
  }
  return Buffer.concat([Buffer.from(bytes), deflateSync(content)]);
}

function packOf(object: Buffer): Buffer {
  const head = Buffer.concat([Buffer.from('PACK'), Buffer.from([0, 0, 0, 2, 0, 0, 0, 1])]);
  const pack = Buffer.concat([head, object]);
  return Buffer.concat([pack, createHash('sha1').update(pack).digest()]);
}

const head = 'd'.repeat(40);

/** Pushes a commit to a project whose repository is at this address. */
const pushTo = async (world: GitWorld, url: string) => {
  const environment = { ...process.env, no_proxy: '127.0.0.1' };
  return await world.pushCommit(world.first, { project: { address: address(url) }, environment });
};

/** Tells of one branch, by the protocol's first version. */
const advertise = (response: ServerResponse): void =>
  send(
    response,
    'advertisement',
    line('# service=git-upload-pack\n'),
    flush,
    line(`${head} refs/heads/main\0side-band-64k allow-tip-sha1-in-want shallow filter\n`),
    flush,
  );

describe.concurrent("the project's git server", () => {
  test('cannot have the runner ask another host for a part of the pack', async () => {
    await using world = await startGitWorld();
    await using other = await listen((_, response) => void response.end());
    await using server = await listen((request, response, body) => {
      if (request.method === 'GET') {
        const abilities = ['version 2\n', 'ls-refs\n', 'fetch=shallow filter\n'];
        const said = abilities.map((one) => line(one));
        const service = line('# service=git-upload-pack\n');
        send(response, 'advertisement', service, flush, ...said, flush);
      } else if (body.includes('command=ls-refs')) {
        send(response, 'result', line(`${head} refs/heads/main\n`), flush);
      } else {
        const uri = `${'e'.repeat(40)} ${other.url.replace('/site.git', '/pack')}\n`;
        const pack = packOf(packed(1, Buffer.from('x')));
        const sections = [line('packfile-uris\n'), line(uri), delimiter, line('packfile\n')];
        send(response, 'result', ...sections, line(Buffer.concat([Buffer.of(1), pack])), flush);
      }
    });
    await expect(pushTo(world, server.url)).rejects.toThrow();
    expect(other.asked).toEqual([]);
    expect(await world.leftovers()).toEqual([]);
  });

  test('cannot fill the memory by one commit that unpacks to more than all of it', async () => {
    await using world = await startGitWorld();
    const bomb = deflateSync(Buffer.alloc(1024));
    await using server = await listen((request, response) => {
      if (request.method === 'GET') return advertise(response);
      const pack = packOf(packed(900 * 1024 * 1024, bomb));
      send(response, 'result', line('NAK\n'), line(Buffer.concat([Buffer.of(1), pack])), flush);
    });
    await expect(pushTo(world, server.url)).rejects.toMatchObject({
      trouble: { kind: 'project', fault: 'too-much' },
      message: expect.stringMatching(/sent more data than the limit/),
    });
    expect(server.asked.filter((one) => one.startsWith('POST'))).toHaveLength(1);
  });

  test('leaves nothing of a pack that breaks off for the next try', async () => {
    await using world = await startGitWorld();
    const left: string[][] = [];
    await using server = await listen(async (request, response) => {
      if (request.method === 'GET') return advertise(response);
      left.push((await filesOf(world.temp)).filter((name) => name.includes('tmp_')));
      const pack = packOf(packed(5, Buffer.from('12345'))).subarray(0, 20);
      send(response, 'result', line('NAK\n'), line(Buffer.concat([Buffer.of(1), pack])), flush);
    });
    await expect(pushTo(world, server.url)).rejects.toMatchObject({
      trouble: { kind: 'project', fault: 'cut-off' },
    });
    expect(left).toEqual([[], [], [], []]);
  });
});
