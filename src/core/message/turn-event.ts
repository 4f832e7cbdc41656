import { ownerOf, surveyOf, type Target } from '../deployment/answer.ts';
import type { Reading } from '../deployment/status.ts';
import { readEvent, type StreamEvent } from '../deployment/stream-event.ts';
import { asObject, type JsonObject, parseJson } from '../json.ts';

/** A turn as what is followed. */
const turnTarget = (id: string): Target => ({
  id,
  idFields: ['messageId', 'message_id', 'turnId', 'turn_id'],
});

/** Fields that hold a piece of what a turn says; the others may also be words about its status. */
const textFields = ['delta', 'text', 'content'];
const otherTextFields = ['message', 'line', 'log'];

/** The first of the fields that holds a text, white space and all. */
function rawText(object: JsonObject, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const value = object[field];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

function textOf(payload: JsonObject, hasStatus: boolean): string | undefined {
  const fields = hasStatus ? textFields : [...textFields, ...otherTextFields];
  for (const { object } of surveyOf(payload).places) {
    const text = rawText(object, fields);
    if (text !== undefined) return text;
  }
  return undefined;
}

function isForeign(payload: JsonObject, target: Target): boolean {
  const owners = surveyOf(payload).places.map(({ object }) => ownerOf(object, target));
  return owners.includes('foreign') && !owners.includes('ours');
}

/**
 * Reads one event of a turn's stream (section "Events": kinds and payloads are not shown). Its status is read as
 * a deployment's is; its text is taken to the character, because pieces of it are put together again.
 *
 * @param name the event's name, empty if it has none
 * @param known reads a status word
 */
export function readTurnEvent(
  name: string,
  data: string,
  messageId: string,
  known: (word: string) => Reading,
): StreamEvent {
  const target = turnTarget(messageId);
  const { observed } = readEvent(name, data, target, known);
  const seen = observed === undefined ? {} : { observed };
  const json = parseJson(data);
  const payload = asObject(json);
  if (payload !== undefined) {
    if (isForeign(payload, target)) return {};
    const text = textOf(payload, observed !== undefined);
    return text === undefined ? seen : { ...seen, text };
  }
  const text = typeof json === 'string' ? json : data;
  const isText = observed === undefined && text !== '' && text.trim() !== '[DONE]';
  return isText ? { text } : seen;
}
