import { type EventEmitter, once } from 'node:events';
import type { Dialect, StreamDialect } from '../dialect.ts';
import type { Deployment, DeploymentEvent } from './deployments.ts';
import { describeEvent, describeText, describeTurnEvent, type Frame } from './event-shapes.ts';
import { EventWriter } from './event-writer.ts';
import type { StreamBody } from './reply.ts';
import type { Turn, TurnEvent } from './turns/turn.ts';
import { untilAborted } from './until-aborted.ts';

/** Something that happens over time and keeps what happened, in order. */
interface Story<Event> {
  readonly events: readonly Event[];
  /** When it ended, or null while it runs. */
  readonly endedAt: number | null;
  /** Emits `change` after each event. */
  readonly changes: EventEmitter;
}

/** A story and how it is told in frames. */
interface Telling<Event> {
  readonly story: Story<Event>;
  describe(event: Event): Iterable<Frame>;
  /** The frame that comes first in a dialect of oversized frames. */
  first(text: string): Frame;
}

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
  const telling: Telling<DeploymentEvent> = {
    story: deployment,
    describe: (event) => [describeEvent(event, deployment, dialect)],
    first: (text) => ({ event: 'log', data: JSON.stringify({ [dialect.stream.logShape]: text }) }),
  };
  return stream(telling, dialect.stream, lastEventId);
}

/** The same of a turn (section "Events": persisted chunks replay for completed turns). */
export function streamTurn(turn: Turn, dialect: Dialect, lastEventId: string | null): StreamBody {
  const telling: Telling<TurnEvent> = {
    story: turn,
    describe: (event) => describeTurnEvent(event, turn, dialect),
    first: (text) => describeText(text, turn, dialect),
  };
  return stream(telling, dialect.stream, lastEventId);
}

function stream<Event>(
  { story, describe, first }: Telling<Event>,
  dialect: StreamDialect,
  lastEventId: string | null,
): StreamBody {
  return async (to, signal) => {
    const writer = new EventWriter(to, dialect, signal);
    await writer.open(first);
    if (dialect.stall) return await untilAborted(signal);
    const from = firstIndex(dialect, lastEventId);
    let left = dialect.dropAfterEvents ?? Number.POSITIVE_INFINITY;
    for await (const next of follow(story, from, dialect.heartbeatMs, signal)) {
      if (next === 'heartbeat') {
        await writer.comment('hb');
        continue;
      }
      await writer.frames(describe(next.event), next.id);
      left -= 1;
      if (left === 0) return dialect.dropBy;
    }
    await writer.close();
    return dialect.closeAtEnd ? 'end' : await untilAborted(signal);
  };
}

function firstIndex({ resume }: StreamDialect, lastEventId: string | null): number {
  const seen = Number.parseInt(lastEventId ?? '', 10);
  return resume && seen > 0 ? seen : 0;
}

/** The events of a story up to its end, with ids that count from 1, and the times for heartbeats. */
async function* follow<Event>(
  story: Story<Event>,
  from: number,
  heartbeatMs: number | null,
  signal: AbortSignal,
): AsyncGenerator<{ event: Event; id: number } | 'heartbeat'> {
  let next = from;
  for (;;) {
    const event = story.events[next];
    if (event !== undefined) {
      next += 1;
      yield { event, id: next };
    } else if (story.endedAt !== null) return;
    else if ((await news(story, heartbeatMs, signal)) === 'heartbeat') yield 'heartbeat';
  }
}

/** Waits for the next event, or for the time of a heartbeat. */
async function news(
  { changes }: Story<unknown>,
  heartbeatMs: number | null,
  signal: AbortSignal,
): Promise<'change' | 'heartbeat'> {
  if (heartbeatMs === null) {
    await once(changes, 'change', { signal });
    return 'change';
  }
  const beat = AbortSignal.timeout(heartbeatMs);
  try {
    await once(changes, 'change', { signal: AbortSignal.any([signal, beat]) });
    return 'change';
  } catch (error) {
    if (signal.aborted || !beat.aborted) throw error;
    return 'heartbeat';
  }
}
