import { isDeepStrictEqual } from 'node:util';
import { isMap, isNode, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { asObject } from '../kernel/json.ts';
import { readDocument } from '../site-file/document.ts';
import type { Path } from '../site-file/position.ts';

/**
 * Adds an entry to a mapping of lines, and that mapping to its parent if it is missing or empty. Every other byte stays.
 *
 * @param path the path of the new entry
 * @param value a plain scalar, or an empty mapping
 * @param after the key behind which a missing mapping is put; by default the last one
 * @returns the new text; undefined if it can't be added so, or something else would change, too
 */
export function addEntry(
  text: string,
  path: Path,
  value: string | Record<string, never>,
  after?: string,
): string | undefined {
  const document = parse(text);
  const [parent, name] = path.slice(-2).map(String);
  const entry = `${name}: ${typeof value === 'string' ? value : '{}'}`;
  const map = document.getIn(path.slice(0, -1));
  const outer = document.getIn(path.slice(0, -2));
  let added = insertLines(text, text.length, [`${parent}:`, `  ${entry}`]);
  if (isBlock(map)) {
    added = insertLines(text, endOf(map), [`${indentOf(text, map)}${entry}`]);
  } else if (isBlock(outer)) {
    const indent = indentOf(text, outer);
    const present = pairAt(outer, parent);
    const place = pairAt(outer, after) ?? outer.items.at(-1);
    const inner = isBlock(place?.value) ? indentOf(text, place.value) : `${indent}  `;
    const lines = [`${indent}${parent}:`, `${inner}${entry}`];
    added =
      present === undefined
        ? insertLines(text, endOf(place?.value) || endOf(place?.key), lines)
        : insertLines(text, endOf(present.key), lines.slice(1));
  }
  return isOnlyChange(text, added, path, value) ? added : undefined;
}

/**
 * Adds an item to a text that is a list by its lines or commas. Every other byte stays.
 *
 * @returns the new text; undefined if it can't be added so, or something else would change, too
 */
export function addItem(text: string, path: Path, item: string): string | undefined {
  const scalar = parse(text).getIn(path, true);
  if (!isScalar<string>(scalar)) return undefined;
  const { value, type } = scalar;
  const end = endOf(scalar);
  let offset = type === 'PLAIN' ? end : end - 1;
  let added = `${text.slice(0, offset)}, ${item}${text.slice(offset)}`;
  let list = `${value}, ${item}`;
  if (type === 'BLOCK_LITERAL') {
    offset = value.trimEnd().length;
    const lines = text.slice(0, end).trimEnd();
    const [indent = ''] = /[^\S\n]*(?=\S[^\n]*$)/.exec(lines) ?? [];
    added = insertLines(text, end, [`${indent}${item}`]);
    list = `${value.slice(0, offset)}\n${item}${value.slice(offset)}`;
  }
  return isOnlyChange(text, added, path, list) ? added : undefined;
}

const parse = (text: string) => parseDocument(text, { schema: 'core', logLevel: 'error' });

/** A mapping of lines, with at least one. */
const isBlock = (node: unknown): node is YAMLMap =>
  isMap(node) && node.flow !== true && node.items.length > 0;

const pairAt = (map: YAMLMap, name: string | undefined): Pair | undefined =>
  map.items.find(({ key }) => isScalar(key) && key.value === name);

const endOf = (node: unknown): number => (isNode(node) && node.range?.[1]) || 0;

/** The indentation of the keys of a mapping, the dash of a list counted. */
function indentOf(text: string, map: YAMLMap): string {
  const [start = 0] = map.range ?? [];
  return ' '.repeat(start - (text.lastIndexOf('\n', start - 1) + 1));
}

/** Inserts lines below the one in which the content before an offset ends. */
function insertLines(text: string, offset: number, lines: readonly string[]): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lineEnd = text.indexOf('\n', text.slice(0, offset).trimEnd().length);
  if (lineEnd === -1) return [text, ...lines].join(eol);
  const added = lines.map((line) => `${line}${eol}`).join('');
  return `${text.slice(0, lineEnd + 1)}${added}${text.slice(lineEnd + 1)}`;
}

/** True if two texts are valid, and mean the same but for what is at a path in the second one: this value. */
function isOnlyChange(before: string, after: string, path: Path, value: unknown): boolean {
  const [old, now] = [readDocument(before), readDocument(after)];
  if (old.mistakes.length + now.mistakes.length > 0) return false;
  return isDeepStrictEqual(withValue(plain(old.value), path, value), plain(now.value));
}

/** A value without what aliases share. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function withValue(container: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(container)) {
    return container.with(Number(key), withValue(container[Number(key)], rest, value));
  }
  const object = asObject(container);
  return { ...object, [key]: withValue(object?.[String(key)], rest, value) };
}
