import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { FaultKind } from '../faults.ts';
import { empty, htmlPage, type Reply, type StreamBody, text } from './reply.ts';

/** A request that a fault is injected into. */
export interface FaultedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Carries the request out and gives the answer that it should get. */
  carryOut(): Promise<Reply>;
  /** Sends an answer. */
  deliver(reply: Reply): Promise<void>;
  /** Aborted when the emulator closes. */
  readonly signal: AbortSignal;
}

type Actions = {
  [Kind in FaultKind['kind']]: (
    fault: Extract<FaultKind, { kind: Kind }>,
    request: FaultedRequest,
  ) => Promise<void>;
};

const actions: Actions = {
  'reset-before': async (_, { response }) => reset(response),
  'reset-after': async (_, { response, carryOut }) => {
    await carryOut();
    reset(response);
  },
  'late-effect': async ({ delayMs, status }, { response, carryOut, deliver, signal }) => {
    if (status === undefined) reset(response);
    else await deliver(empty(status));
    await delay(delayMs, undefined, { signal });
    await carryOut();
  },
  twice: async (_, { carryOut, deliver }) => {
    await carryOut();
    await deliver(await carryOut());
  },
  stall: async ({ effect }, { response, carryOut }) => {
    if (effect) await carryOut();
    if (!response.closed) await once(response, 'close');
  },
  'cut-body': async ({ bytes }, { response, carryOut, deliver }) => {
    const { body, ...reply } = await carryOut();
    if (Buffer.isBuffer(body) || bytes === undefined) cutInHalf(response, { ...reply, body });
    else await deliver({ ...reply, body: cutAfter(bytes, body) });
  },
  'cut-request': async ({ bytes }, { request, response }) => {
    let read = 0;
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      read += chunk.length;
      if (read >= bytes) break;
    }
    reset(response);
  },
  hold: async ({ until }, { carryOut, deliver }) => {
    await until();
    await deliver(await carryOut());
  },
  'not-json': async (_, { carryOut, deliver }) => {
    await carryOut();
    await deliver(text(200, 'text/html', htmlPage('Please sign in')));
  },
  status: async ({ status, headers = {}, body = '', effect }, { carryOut, deliver }) => {
    if (effect) await carryOut();
    await deliver({ status, headers, body: Buffer.from(body), effect });
  },
  'slow-body': async ({ durationMs }, { carryOut, deliver }) => {
    const reply = await carryOut();
    const { body } = reply;
    const slow = Buffer.isBuffer(body) ? drip(body, durationMs) : hesitant(body, durationMs);
    await deliver({ ...reply, body: slow });
  },
  oversized: async ({ bytes }, { carryOut, deliver }) => {
    const { status } = await carryOut();
    await deliver(text(status, 'application/json', `"${'x'.repeat(bytes - 2)}"`));
  },
};

/**
 * Answers a request as a fault has it.
 * @throws what carrying the request out throws, and an AbortError when the emulator closes meanwhile
 */
export async function injectFault<Kind extends FaultKind['kind']>(
  fault: Extract<FaultKind, { kind: Kind }>,
  request: FaultedRequest,
): Promise<void> {
  const action: Actions[Kind] = actions[fault.kind as Kind];
  await action(fault, request);
}

/** Ends the connection with a TCP reset. */
function reset(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

/** Sends half of a body, then ends the connection. */
function cutInHalf(response: ServerResponse, { body, ...reply }: Reply): void {
  const whole = Buffer.isBuffer(body) && body.length > 1 ? body : Buffer.from('{"cut":true}');
  response.writeHead(reply.status, { ...reply.headers, 'content-length': whole.length });
  // Not a reset, which could overtake the half that was sent.
  response.write(whole.subarray(0, whole.length / 2), () => response.destroy());
}

/** A body that breaks off after so many bytes, or at its end. */
function cutAfter(bytes: number, body: StreamBody): StreamBody {
  return async (to, signal) => {
    let left = bytes;
    const cut = new Writable({
      write(chunk: Buffer, _, done) {
        const part = chunk.subarray(0, left);
        left -= part.length;
        to.write(part, (error) => done(error ?? (left > 0 ? null : new Error('cut off'))));
      },
    });
    // It ends with the error above.
    await Promise.allSettled([writeThrough(body, cut, signal)]);
    return 'reset';
  };
}

const pieces = 10;

/** A body that is streamed, with a pause before each piece. */
function hesitant(body: StreamBody, durationMs: number): StreamBody {
  return async (to, signal) => {
    const slow = new Writable({
      write(chunk: Buffer, _, done) {
        const passOn = () => to.write(chunk, (error) => done(error));
        delay(durationMs / pieces, undefined, { signal }).then(passOn, done);
      },
    });
    return await writeThrough(body, slow, signal);
  };
}

/** Writes a body to its end, and waits until all of it has gone on. */
async function writeThrough(body: StreamBody, to: Writable, signal: AbortSignal) {
  const end = await body(to, signal);
  await finished(to.end());
  return end;
}

/** Writes a body in pieces, evenly over the time. */
function drip(body: Buffer, durationMs: number): StreamBody {
  return async (to, signal) => {
    const size = Math.max(1, Math.ceil(body.length / pieces));
    for (let start = 0; start < body.length; start += size) {
      to.write(body.subarray(start, start + size));
      await delay(durationMs / pieces, undefined, { signal });
    }
    return 'end';
  };
}
