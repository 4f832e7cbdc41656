import { createParser } from 'eventsource-parser';
import { collecting } from '../http/collecting.ts';

/** The largest event that is kept, in characters. */
const maxEvent = 1024 * 1024;

/** The longest id that is kept, in UTF-16 units: a longer one counts as none. */
const longestId = 256;

/** One server-sent event (section "Events"). */
export interface ServerEvent {
  /** The event's name; empty if it has none. */
  name: string;
  data: string;
  /** The stream's last event id, to resume after. */
  lastEventId: string;
}

/** What a stream says beside its events. */
export interface StreamListener {
  /** The server asks to wait so many milliseconds before connecting again. */
  onRetry(milliseconds: number): void;
  /** An event of more than a million characters was passed over. */
  onOversized(): void;
}

/** The blank line that ends an event. */
const blankLine = /\r\n\r\n|\n\n|\r\r/;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** True if a blank line ends at a byte. */
function endsBlankLine(bytes: Uint8Array, at: number): boolean {
  const before = bytes[at - 1];
  if (bytes[at] === carriageReturn) return before === carriageReturn;
  if (bytes[at] !== lineFeed) return false;
  const isPair = before === carriageReturn && bytes[at - 3] === carriageReturn;
  return before === lineFeed || (isPair && bytes[at - 2] === lineFeed);
}

/**
 * Cuts bytes after each blank line. They become strings one by one: of a whole chunk, hundreds of events would be kept
 * until the last of them was taken, and live through the collections of garbage meanwhile.
 */
function* afterBlankLines(bytes: Uint8Array): Generator<Uint8Array> {
  let from = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (!endsBlankLine(bytes, at)) continue;
    yield bytes.subarray(from, at + 1);
    from = at + 1;
  }
  yield bytes.subarray(from);
}

/** Finds the end of an event that is passed over, in whatever pieces it arrives. */
class Skipper {
  #tail = '';
  #active = false;

  begin(lastPiece: string): void {
    this.#active = !blankLine.test(lastPiece.slice(-4));
    this.#tail = lastPiece.slice(-3);
  }

  /** Gives what follows the event in a piece; empty while it goes on. */
  rest(piece: string): string {
    if (!this.#active) return piece;
    const joined = this.#tail + piece;
    const end = blankLine.exec(joined);
    this.#active = end === null;
    this.#tail = joined.slice(-3);
    return end === null ? '' : joined.slice(end.index + end[0].length);
  }
}

/** How many bytes of a line are held back until its end comes. */
const maxHeld = maxEvent;

/**
 * Hands bytes on up to the last end of a line, and holds the rest back, so that a long line becomes one string at once
 * and not as many as it has pieces, and their join. One that is too long is handed on in pieces. What was given is
 * overwritten when more is asked for.
 */
async function* inWholeLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const held = Buffer.alloc(maxHeld);
  let size = 0;
  const hold = (bytes: Uint8Array) => {
    held.set(bytes, size);
    size += bytes.length;
  };
  const take = () => {
    const taken = held.subarray(0, size);
    size = 0;
    return taken;
  };
  let isTooLong = false;
  for await (const chunk of body) {
    const end = 1 + Math.max(chunk.lastIndexOf(lineFeed), chunk.lastIndexOf(carriageReturn));
    const [ended, rest] = [chunk.subarray(0, end), chunk.subarray(end)];
    if (end > 0) {
      isTooLong = false;
      if (size + end > maxHeld) yield take();
      if (size === 0) yield ended;
      else {
        hold(ended);
        yield take();
      }
    }
    isTooLong ||= size + rest.length > maxHeld;
    if (isTooLong) {
      if (size > 0) yield take();
      yield rest;
    } else hold(rest);
  }
}

/**
 * Reads server-sent events from a body, in whatever pieces it arrives. Memory is bounded by one event.
 *
 * @param lastEventId the id from which the stream was resumed; empty at first
 */
export async function* readEvents(
  body: AsyncIterable<Uint8Array>,
  lastEventId: string,
  listener: StreamListener,
): AsyncGenerator<ServerEvent> {
  let id = lastEventId;
  let oversized = false;
  let arrived: ServerEvent[] = [];
  const parser = createParser({
    maxBufferSize: maxEvent,
    onId: (value) => {
      id = value.length > longestId ? '' : value;
    },
    onRetry: (milliseconds) => listener.onRetry(milliseconds),
    onEvent: ({ event, data }) => arrived.push({ name: event ?? '', data, lastEventId: id }),
    onError: ({ type }) => {
      oversized ||= type === 'max-buffer-size-exceeded';
    },
  });
  const decoder = new TextDecoder();
  const skipper = new Skipper();
  for await (const lines of inWholeLines(collecting(body))) {
    for (const bytes of afterBlankLines(lines)) {
      const piece = skipper.rest(decoder.decode(bytes, { stream: true }));
      parser.feed(piece);
      if (oversized) {
        oversized = false;
        parser.reset();
        skipper.begin(piece);
        listener.onOversized();
      }
      yield* arrived;
      arrived = [];
    }
  }
}
