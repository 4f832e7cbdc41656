import type { JsonPlace } from '../deployment/answer.ts';
import { asObject, firstString, type JsonObject } from '../json.ts';

/** Fields that hold a piece of what a turn says; the others may also be words about its status. */
const textFields = ['delta', 'text', 'content'];
const otherTextFields = ['message', 'line', 'log'];

/** Who speaks in a turn beside the one who answers. */
const otherRoles: ReadonlySet<string> = new Set(['user', 'system', 'tool']);

/** The first of the fields that holds a text, white space and all. */
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

/** The text of a list of blocks, some of which may be something else, such as the use of a tool. */
function joinBlocks(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined;
  return content.map(blockText).join('') || undefined;
}

/** True if a place holds somebody else's words, or is a block of a list that is read as a whole. */
function isPassedOver({ object, around, way }: JsonPlace): boolean {
  const isBlock = way.some((key, at) => typeof key === 'number' && way[at - 1] === 'content');
  const roles = [...around, object].map((one) => firstString(one, ['role'])?.toLowerCase() ?? '');
  return isBlock || roles.some((role) => otherRoles.has(role));
}

/**
 * The piece of a turn's text that an event holds, to the character (section "Events": payloads are not shown).
 *
 * @param hasStatus true if the event tells a status, which words in the field `message` then are about
 */
export function textIn(places: readonly JsonPlace[], hasStatus: boolean): string | undefined {
  const fields = hasStatus ? textFields : [...textFields, ...otherTextFields];
  for (const place of places) {
    if (isPassedOver(place)) continue;
    const text = rawText(place.object, fields) ?? joinBlocks(place.object['content']);
    if (text !== undefined) return text;
  }
  return undefined;
}
