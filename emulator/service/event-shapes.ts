import type { Dialect } from '../dialect.ts';
import type { Deployment, DeploymentEvent } from './deployments.ts';
import type { Turn, TurnEvent } from './turns/turn.ts';

/** One server-sent event: its name, if it has one, and its data. */
export interface Frame {
  readonly event: string | null;
  readonly data: string;
  /** More frames tell the same happening, and the last of them carries its id. */
  readonly continued?: boolean;
}

/** The most bytes of a turn's filler in one event. */
const fillerPiece = 16 * 1024;

/** An event of a deployment in the dialect's shape. */
export function describeEvent(event: DeploymentEvent, { id }: Deployment, dialect: Dialect): Frame {
  switch (event.kind) {
    case 'status':
      return describeStatus('deployment', id, event.status, dialect);
    case 'log':
      return frame(nameOf('log', dialect), { type: 'log', [dialect.stream.logShape]: event.line });
    case 'step':
      return describeStep(event.name, dialect);
  }
}

/** The frames of an event of a turn in the dialect's shape, each made when it is asked for. */
export function* describeTurnEvent(
  event: TurnEvent,
  turn: Turn,
  dialect: Dialect,
): Generator<Frame, void> {
  switch (event.kind) {
    case 'status':
      yield describeStatus('message', turn.id, event.status, dialect);
      break;
    case 'text':
      yield describeText(event.text, turn, dialect);
      break;
    case 'step':
      yield describeStep(event.name, dialect);
      break;
    case 'filler':
      yield* describeFiller(event.bytes, turn, dialect);
  }
}

/** A piece of a turn's text in the dialect's shape. */
export function describeText(text: string, { id }: Turn, dialect: Dialect): Frame {
  const { textShape, stream } = dialect;
  const piece = { [textShape]: text };
  if (stream.shape === 'nested') return frame('chunk', { message: { messageId: id, ...piece } });
  if (stream.shape === 'typed') return frame(null, { type: 'message.chunk', data: piece });
  return frame(nameOf('chunk', dialect), { type: 'chunk', ...piece });
}

function* describeFiller(bytes: number, turn: Turn, dialect: Dialect): Generator<Frame, void> {
  const whole = { ...describeText('x'.repeat(fillerPiece), turn, dialect), continued: true };
  let left = bytes;
  for (; left > fillerPiece; left -= fillerPiece) yield whole;
  yield describeText('x'.repeat(left), turn, dialect);
}

function describeStatus(
  noun: 'deployment' | 'message',
  id: string,
  status: string,
  { stream, hostileText }: Dialect,
): Frame {
  const message = hostileText === null ? {} : { message: hostileText };
  const data = { [`${noun}Id`]: id, status, ...message };
  switch (stream.shape) {
    case 'json':
      return frame('status', data);
    case 'data-only':
      return frame(null, data);
    case 'name-only':
      return { event: status, data: hostileText ?? `The ${noun} is ${status}.` };
    case 'nested':
      return frame(noun, { [noun]: data });
    case 'typed':
      return frame(null, { type: `${noun}.status`, data });
  }
}

function describeStep(name: string, dialect: Dialect): Frame {
  return frame(nameOf('step', dialect), { type: 'step', name, status: 'completed' });
}

/** An event's name, if the dialect names its events. */
function nameOf(name: string, { stream }: Dialect): string | null {
  return stream.shape === 'data-only' || stream.shape === 'typed' ? null : name;
}

function frame(event: string | null, data: object): Frame {
  return { event, data: JSON.stringify(data) };
}
