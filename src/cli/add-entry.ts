import { isDeepStrictEqual } from 'node:util';
import { Document, isMap, isNode, parseDocument, type YAMLMap } from 'yaml';
import { readDocument } from '../site-file/document.ts';
import type { Path } from '../site-file/position.ts';

/**
 * Adds an entry to a mapping of lines, and that mapping to its parent if it is missing or empty. Every other byte stays.
 *
 * @param path the path of the new entry
 * @param value a plain scalar, or an empty mapping
 * @returns the new text; undefined if it can't be added so, or something else would change, too
 */
export function addEntry(
  text: string,
  path: Path,
  value: string | Record<string, never>,
): string | undefined {
  const document = parseDocument(text, { schema: 'core', logLevel: 'error' });
  const [parent, name] = path.slice(-2).map(String);
  const entry = `${name}: ${typeof value === 'string' ? value : '{}'}`;
  const map = document.getIn(path.slice(0, -1));
  const outer = document.getIn(path.slice(0, -2));
  const indent = isBlock(outer) ? indentOf(text, outer) : '';
  const lines = [`${indent}${parent}:`, `${indent}  ${entry}`];
  const { key } = (isBlock(outer) && outer.items.find((one) => String(one.key) === parent)) || {};
  let added: string;
  if (isBlock(map)) added = insertLines(text, endOf(map), [`${indentOf(text, map)}${entry}`]);
  else if (map) return undefined;
  else if (key) added = insertLines(text, endOf(key), lines.slice(1));
  else added = insertLines(text, isBlock(outer) ? endOf(outer) : text.length, lines);
  return isOnlyChange(text, added, path, value) ? added : undefined;
}

/** A mapping of lines, with at least one. */
const isBlock = (node: unknown): node is YAMLMap =>
  isMap(node) && node.flow !== true && node.items.length > 0;

const endOf = (node: unknown): number => (isNode(node) && node.range?.[1]) || 0;

/** The indentation of the keys of a mapping, the dash of a list counted. */
function indentOf(text: string, map: YAMLMap): string {
  const [start = 0] = map.range ?? [];
  return ' '.repeat(start - (text.lastIndexOf('\n', start - 1) + 1));
}

/** Inserts lines below the one in which the content before an offset ends. */
function insertLines(text: string, offset: number, lines: readonly string[]): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const start = text.indexOf('\n', text.slice(0, offset).trimEnd().length) + 1;
  if (start === 0 && text !== '') return [text, ...lines].join(eol);
  const added = lines.map((line) => `${line}${eol}`).join('');
  return `${text.slice(0, start)}${added}${text.slice(start)}`;
}

/** True if two texts are valid, and mean the same but for what is at a path in the second one: this value. */
function isOnlyChange(before: string, after: string, path: Path, value: unknown): boolean {
  const [old, now] = [readDocument(before), readDocument(after)];
  if (old.mistakes.length + now.mistakes.length > 0) return false;
  const expected = new Document(plain(old.value) ?? {});
  const parent = path.slice(0, -1);
  // The library adds nothing to an empty value.
  if (expected.getIn(parent) === null) expected.deleteIn(parent);
  expected.setIn(path, value);
  return isDeepStrictEqual(expected.toJS(), plain(now.value));
}

/** A value without what aliases share. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
