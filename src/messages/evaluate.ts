import {
  type FollowedTarget,
  findStatusObject,
  isWrapped,
  kindsIn,
  type NestedObject,
  readEvent,
  type StreamEvent,
  statusIn,
  surveyOf,
} from '../follow/model/evaluate.ts';
import { foldStatus, type StatusReading } from '../follow/model/status.ts';
import { asObject, firstString, type JsonObject, parseJson } from '../kernel/json.ts';

/** Fields that contain a piece of a turn's text; the others may also contain text about its status. */
const textFields = ['delta', 'text', 'content'];
const otherTextFields = ['message', 'line', 'log'];

/**
 * Reads one event of a turn's stream (section "Events": kinds and payloads are not specified). Statuses are read like a
 * deployment's, except those of tools; the text is exact, because its pieces are joined again.
 *
 * @param name the event's name, or empty
 */
export function readTurnEvent(
  name: string,
  data: string,
  messageId: string,
  known: (word: string) => StatusReading,
): StreamEvent {
  const idFields = ['messageId', 'message_id', 'turnId', 'turn_id'];
  const target: FollowedTarget = { id: messageId, idFields };
  const json = parseJson(data);
  const { observed } = readEvent(name, data, target, known, json);
  const payload = asObject(json);
  if (payload !== undefined) return readPayload(name, payload, target, observed);
  if (idleKinds.has(foldStatus(name))) return {};
  if (observed !== undefined) return { observed: decideCertainty(observed, [name], []) };
  const text = typeof json === 'string' ? json : data;
  return text === '' || text.trim() === '[DONE]' ? {} : { text };
}

function readPayload(
  name: string,
  payload: JsonObject,
  target: FollowedTarget,
  observed: StreamEvent['observed'],
): StreamEvent {
  const survey = surveyOf(payload);
  const { objects } = survey;
  const nested = findStatusObject(survey, target);
  const wrapped = objects.filter(isWrapped).map(({ object }) => object);
  const chain = nested === undefined ? wrapped : [...nested.around, nested.object];
  const kinds = [name, ...chain.flatMap(kindsIn)];
  const isIdle = kinds.some((kind) => idleKinds.has(foldStatus(kind)));
  if (isIdle && observed?.certainty !== 'status') return {};
  const decided = observed && decideCertainty(observed, kinds, chain);
  if (isIdle || isForeign(objects, target.id)) return { observed: decided };
  const hasStatus = objects.some(({ object }) => statusIn(object) !== undefined);
  return { observed: decided, text: textIn(objects, hasStatus || observed !== undefined) };
}

/** True if the event belongs to another message. A plain `id` may be the event's, and a turn's id is unknown. */
function isForeign(objects: readonly NestedObject[], messageId: string): boolean {
  const ids = objects.flatMap(
    ({ object }) => firstString(object, ['messageId', 'message_id'])?.toLowerCase() ?? [],
  );
  return ids.length > 0 && !ids.includes(messageId.toLowerCase());
}

function decideCertainty(
  observed: NonNullable<StreamEvent['observed']>,
  kinds: readonly string[],
  chain: readonly JsonObject[],
): NonNullable<StreamEvent['observed']> {
  const isPart = kinds.some((kind) => partKinds.test(kind)) || chain.some(marksPart);
  return isPart ? { ...observed, certainty: 'part' } : observed;
}

/** Kinds of events about parts of a turn, whose end is not the turn's. */
const partKinds = /tool|function|call|command|step|reasoning|thinking/i;

/** Fields that mark a status as that of a part. */
const partFields = /^(tool|function|command)(_?(name|call|use|call_?id|use_?id|id))?$/i;

const marksPart = (object: JsonObject): boolean =>
  Object.entries(object).some(([field, value]) => value !== null && partFields.test(field));

/** Kinds of events that only keep a connection open, in normalized spelling. */
const idleKinds: ReadonlySet<string> = new Set(['ping', 'heartbeat', 'keepalive']);

/**
 * The exact piece of a turn's text in an event (section "Events": payloads are not specified).
 *
 * @param hasStatus true if the event contains a status, which the field `message` is then about
 */
function textIn(objects: readonly NestedObject[], hasStatus: boolean): string | undefined {
  const fields = hasStatus ? textFields : [...textFields, ...otherTextFields];
  for (const nested of objects) {
    if (isSkipped(nested)) continue;
    const text = rawText(nested.object, fields) ?? joinBlocks(nested.object['content']);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The roles in a turn other than the assistant's. */
const otherRoles: ReadonlySet<string> = new Set(['user', 'system', 'tool']);

/** The first non-empty text among the fields, with its whitespace. */
function rawText(object: JsonObject, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const value = object[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

function blockText(block: unknown): string {
  if (typeof block === 'string') return block;
  const object = asObject(block);
  const isText = /text/i.test(firstString(object, ['type']) ?? 'text');
  return object !== undefined && isText ? (rawText(object, ['text']) ?? '') : '';
}

/** The text of a list of blocks; other blocks, such as tool use, are skipped. */
function joinBlocks(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined;
  return content.map(blockText).join('') || undefined;
}

/** True if an object contains text of another role, or is a block of a list that is read as a whole. */
function isSkipped({ object, around, path }: NestedObject): boolean {
  const isBlock = path.some((key, at) => typeof key === 'number' && path[at - 1] === 'content');
  const roles = [...around, object].map((one) => firstString(one, ['role'])?.toLowerCase() ?? '');
  return isBlock || roles.some((role) => otherRoles.has(role));
}
