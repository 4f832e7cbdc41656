import { createParser } from 'eventsource-parser';
import { collecting } from '../http/body.ts';

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

/** Receives what a stream sends besides events. */
export interface StreamListener {
  /** The server requests this delay before reconnecting, in milliseconds. */
  onRetry(milliseconds: number): void;
  /** An event of more than a million characters was skipped. */
  onOversized(): void;
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
 * Splits bytes after each blank line, so that events become strings one by one: parsed as a whole chunk, hundreds of
 * them would stay in memory until the last was read.
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

/** Finds the end of a skipped event, in whatever pieces it arrives. */
class Skipper {
  #tail = '';
  #active = false;

  begin(lastPiece: string): void {
    this.#active = !blankLine.test(lastPiece.slice(-4));
    this.#tail = lastPiece.slice(-3);
  }

  /** The part of a piece after the skipped event; empty until it ends. */
  rest(piece: string): string {
    if (!this.#active) return piece;
    const joined = this.#tail + piece;
    const end = blankLine.exec(joined);
    this.#active = end === null;
    this.#tail = joined.slice(-3);
    return end === null ? '' : joined.slice(end.index + end[0].length);
  }
}

/** How many bytes of an unfinished line are buffered. */
const maxBuffered = maxEvent;

/**
 * Yields bytes up to the last end of a line and buffers the rest, so that a long line becomes one string instead of one
 * per piece. A line that is too long is yielded in pieces. The buffer is reused: what was yielded is overwritten.
 */
async function* inWholeLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const buffered = Buffer.alloc(maxBuffered);
  let size = 0;
  const buffer = (bytes: Uint8Array) => {
    buffered.set(bytes, size);
    size += bytes.length;
  };
  const flush = () => {
    const flushed = buffered.subarray(0, size);
    size = 0;
    return flushed;
  };
  let isTooLong = false;
  for await (const chunk of body) {
    const end = 1 + Math.max(chunk.lastIndexOf(lineFeed), chunk.lastIndexOf(carriageReturn));
    const [ended, rest] = [chunk.subarray(0, end), chunk.subarray(end)];
    if (end > 0) {
      isTooLong = false;
      if (size + end > maxBuffered) yield flush();
      if (size === 0) yield ended;
      else {
        buffer(ended);
        yield flush();
      }
    }
    isTooLong ||= size + rest.length > maxBuffered;
    if (isTooLong) {
      if (size > 0) yield flush();
      yield rest;
    } else buffer(rest);
  }
}
