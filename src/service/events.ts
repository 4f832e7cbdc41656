import { createParser } from 'eventsource-parser';

/** The largest event that is kept, in characters. */
const maxEvent = 1024 * 1024;

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
      id = value;
    },
    onRetry: (milliseconds) => listener.onRetry(milliseconds),
    onEvent: ({ event, data }) => arrived.push({ name: event ?? '', data, lastEventId: id }),
    onError: ({ type }) => {
      oversized ||= type === 'max-buffer-size-exceeded';
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* arrived;
    arrived = [];
    if (oversized) {
      oversized = false;
      parser.reset();
      listener.onOversized();
    }
  }
}
