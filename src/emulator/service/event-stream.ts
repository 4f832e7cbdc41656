import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Dialect, StreamDialect } from '../dialect.ts';
import type { Deployment, DeploymentEvent } from './deployments.ts';
import { describeEvent, type Frame } from './event-shapes.ts';
import type { StreamBody } from './reply.ts';

/**
 * The events of a deployment as server-sent events in the dialect's shape: those that happened, then those
 * that happen.
 * @param lastEventId the id of the last event that the client saw, or null
 */
export function streamDeployment(
  deployment: Deployment,
  dialect: Dialect,
  lastEventId: string | null,
): StreamBody {
  return async (to, signal) => {
    const { stream } = dialect;
    const pen = new Pen(to, stream, signal);
    await pen.open();
    if (stream.stall) return await silence(signal);
    const from = firstIndex(stream, lastEventId);
    let left = stream.dropAfterEvents ?? Number.POSITIVE_INFINITY;
    for await (const next of follow(deployment, from, stream.heartbeatMs, signal)) {
      if (next === 'heartbeat') {
        await pen.comment('hb');
        continue;
      }
      await pen.frame(describeEvent(next.event, deployment, dialect), next.id);
      left -= 1;
      if (left === 0) return stream.dropBy;
    }
    if (stream.endWithDone) await pen.frame({ event: null, data: '[DONE]' }, null);
    return stream.closeAtEnd ? 'end' : await silence(signal);
  };
}

function firstIndex({ resume }: StreamDialect, lastEventId: string | null): number {
  const seen = Number.parseInt(lastEventId ?? '', 10);
  return resume && seen > 0 ? seen : 0;
}

/** The events of a deployment up to its end, with ids that count from 1, and the times for heartbeats. */
async function* follow(
  deployment: Deployment,
  from: number,
  heartbeatMs: number | null,
  signal: AbortSignal,
): AsyncGenerator<{ event: DeploymentEvent; id: number } | 'heartbeat'> {
  let next = from;
  for (;;) {
    const event = deployment.events[next];
    if (event) {
      next += 1;
      yield { event, id: next };
    } else if (deployment.endedAt !== null) return;
    else if ((await news(deployment, heartbeatMs, signal)) === 'heartbeat') yield 'heartbeat';
  }
}

/** Waits for the deployment's next event, or for the time of a heartbeat. */
async function news(
  deployment: Deployment,
  heartbeatMs: number | null,
  signal: AbortSignal,
): Promise<'change' | 'heartbeat'> {
  if (heartbeatMs === null) {
    await once(deployment.changes, 'change', { signal });
    return 'change';
  }
  const beat = AbortSignal.timeout(heartbeatMs);
  try {
    await once(deployment.changes, 'change', { signal: AbortSignal.any([signal, beat]) });
    return 'change';
  } catch (error) {
    if (signal.aborted || !beat.aborted) throw error;
    return 'heartbeat';
  }
}

/** Keeps a connection open and says nothing. @throws an AbortError when the client is gone */
async function silence(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  await once(signal, 'abort');
  throw signal.reason;
}

/** Writes frames in the dialect's bytes. */
class Pen {
  readonly #signal: AbortSignal;
  readonly #to: Writable;
  readonly #stream: StreamDialect;

  constructor(to: Writable, stream: StreamDialect, signal: AbortSignal) {
    this.#to = to;
    this.#stream = stream;
    this.#signal = signal;
  }

  /** What comes before the first event. */
  async open(): Promise<void> {
    const { bom, retryMs, oversizedFrameBytes, logShape } = this.#stream;
    if (bom) await this.#write('\uFEFF');
    if (retryMs !== null) await this.#lines([`retry: ${retryMs}`]);
    if (oversizedFrameBytes === null) return;
    const data = JSON.stringify({ [logShape]: 'x'.repeat(oversizedFrameBytes) });
    await this.frame({ event: 'log', data }, null);
  }

  async comment(text: string): Promise<void> {
    await this.#lines([`: ${text}`]);
  }

  async frame({ event, data }: Frame, id: number | null): Promise<void> {
    const { comments } = this.#stream;
    await this.#lines([
      ...(comments ? [': a comment'] : []),
      ...(id === null ? [] : [`id: ${id}`]),
      ...(event === null ? [] : [`event: ${event}`]),
      ...data.split(/\r\n|\r|\n/).map((line) => `data: ${line}`),
    ]);
  }

  async #lines(lines: readonly string[]): Promise<void> {
    const end = this.#stream.crlf ? '\r\n' : '\n';
    await this.#write([...lines, '', ''].join(end));
  }

  async #write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    const size = this.#stream.splitBytes ?? bytes.length;
    for (let start = 0; start < bytes.length; start += size) {
      const more = this.#to.write(bytes.subarray(start, start + size));
      if (!more) await once(this.#to, 'drain', { signal: this.#signal });
      else if (size < bytes.length) await nextTurn(undefined, { signal: this.#signal });
    }
  }
}
