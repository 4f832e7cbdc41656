import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  type YAMLMap,
} from 'yaml';

/** A YAML text and its document, whose nodes have their offsets in the text. */
export interface ParsedText {
  /** Without a byte order mark. */
  text: string;
  document: Document.Parsed;
}

/** Parses a YAML text without a byte order mark. What is wrong with it is in the document's `errors`. */
export const parseText = (text: string): ParsedText => ({
  text,
  document: parseDocument(text, {
    schema: 'core',
    merge: false,
    prettyErrors: false,
    logLevel: 'error',
  }),
});

/** What an entry is to be: its value, and its name within the mappings that are created for it. */
interface NewEntry {
  names: readonly [string, ...string[]];
  /** An expression, or an empty mapping. */
  value: string | Record<string, never>;
}

/**
 * Adds an entry to a mapping. Everything else keeps its bytes, comments and anchors too.
 *
 * @param after the entry that it follows; the last one by default
 * @returns the new text; undefined if this mapping can't be edited without a change of something else
 */
export function addEntry(
  { text, document }: ParsedText,
  map: YAMLMap,
  entry: NewEntry,
  after?: Pair,
): string | undefined {
  const inserted = map.flow
    ? insertInFlow(text, map, entry)
    : insertInBlock(text, map, entry, after);
  const { names, value } = entry;
  const [name, ...inner] = names;
  const nested = inner.reduceRight<unknown>((content, key) => ({ [key]: content }), value);
  const index = after === undefined || map.flow ? map.items.length - 1 : map.items.indexOf(after);
  const present = map.items.find(({ key }) => isScalar(key) && key.value === name);
  if (present === undefined) map.items.splice(index + 1, 0, document.createPair(name, nested));
  else if (isEmpty(present)) present.value = document.createNode(nested);
  else return undefined;
  return checked(document, inserted);
}

/**
 * Adds an item to a text that is a list by its lines or commas. Everything else keeps its bytes.
 *
 * @returns the new text; undefined if this one can't be edited without a change of something else
 */
export function addItem(
  { text, document }: ParsedText,
  scalar: Scalar<string>,
  item: string,
): string | undefined {
  const [start = 0, end = 0] = scalar.range ?? [];
  const { value, type } = scalar;
  if (type !== 'BLOCK_LITERAL') {
    scalar.value = `${value}, ${item}`;
    const offset = type === 'PLAIN' ? end : end - 1;
    return checked(document, `${text.slice(0, offset)}, ${item}${text.slice(offset)}`);
  }
  const items = value.trimEnd();
  scalar.value = `${items}\n${item}${value.slice(items.length)}`;
  const [, indent = ''] = /^[^\n]*\n\s*?([^\S\r\n]*)\S/.exec(text.slice(start, end)) ?? [];
  return checked(document, insertLine(text, end, [`${indent}${item}`]));
}

/** The new text, if it means what the document does now. */
function checked(document: Document, text: string): string | undefined {
  const after = parseText(text).document;
  if (after.errors.length > 0) return undefined;
  const [wanted, found] = [document, after].map((one) =>
    JSON.stringify(one.toJS({ maxAliasCount })),
  );
  return wanted === found ? text : undefined;
}

/** More than any workflow has; the library's own default is 100. */
const maxAliasCount = 10_000;

/** True of an entry with nothing behind its colon. */
const isEmpty = ({ value }: Pair): boolean =>
  value === null || (isScalar(value) && value.value === null && value.source === '');

/** Inserts lines below the one in which the content before an offset ends, with the line break of that one. */
function insertLine(text: string, before: number, lines: readonly string[]): string {
  const end = text.slice(0, before).trimEnd().length;
  const lineEnd = text.indexOf('\n', end);
  const eol = /\r?\n/.exec(text.slice(end))?.[0] ?? /\r?\n/.exec(text)?.[0] ?? '\n';
  if (lineEnd === -1) return `${text}${lines.map((line) => `${eol}${line}`).join('')}`;
  const added = lines.map((line) => `${line}${eol}`).join('');
  return `${text.slice(0, lineEnd + 1)}${added}${text.slice(lineEnd + 1)}`;
}

function insertInBlock(
  text: string,
  map: YAMLMap,
  { names, value }: NewEntry,
  after = map.items.at(-1),
): string {
  const column = columnOf(text, map);
  const step = stepOf(text, map, column);
  const content = typeof value === 'string' ? value : '{}';
  const lines = names.map((name, index) => {
    const indent = ' '.repeat(column + index * step);
    return `${indent}${name}:${index === names.length - 1 ? ` ${content}` : ''}`;
  });
  const present = map.items.find(({ key }) => isScalar(key) && key.value === names[0]);
  if (present !== undefined) return insertLine(text, endOf(present.key), lines.slice(1));
  return insertLine(text, after === undefined ? 0 : endOfPair(after), lines);
}

function insertInFlow(text: string, map: YAMLMap, { names, value }: NewEntry): string {
  const content = typeof value === 'string' ? JSON.stringify(value) : '{}';
  const [name, ...inner] = names;
  const nested = inner.reduceRight((rest, key) => `{ ${key}: ${rest} }`, content);
  const last = map.items.at(-1);
  const offset = last === undefined ? (map.range?.[0] ?? 0) + 1 : endOfPair(last);
  const added = last === undefined ? ` ${name}: ${nested} ` : `, ${name}: ${nested}`;
  return `${text.slice(0, offset)}${added}${text.slice(offset)}`;
}

/** The column in which the keys of a mapping are, from 0. */
function columnOf(text: string, map: YAMLMap): number {
  const first = map.items[0]?.key;
  const [start = 0] = (isNode(first) && first.range) || [];
  return start - (text.lastIndexOf('\n', start - 1) + 1);
}

/** By how many columns the file indents what is in an entry of a mapping. */
function stepOf(text: string, map: YAMLMap, column: number): number {
  const inner = map.items.find(
    ({ value }) => isMap(value) && !value.flow && value.items.length > 0,
  );
  return isMap(inner?.value) ? columnOf(text, inner.value) - column : 2;
}

const endOfPair = (pair: Pair): number => (isEmpty(pair) ? endOf(pair.key) : endOf(pair.value));

/** Where the content of a node ends: of a block of lines, its last one. */
function endOf(node: unknown): number {
  if (isMap(node) && !node.flow && node.items.length > 0) {
    const last = node.items.at(-1);
    return last === undefined ? 0 : endOfPair(last);
  }
  if (isSeq(node) && !node.flow && node.items.length > 0) return endOf(node.items.at(-1));
  return (isNode(node) && node.range?.[1]) || 0;
}

/** The node that a value is, or that it is an alias of. */
export const resolved = (value: unknown, document: Document): Node | undefined => {
  if (isAlias(value)) return value.resolve(document);
  return isNode(value) ? value : undefined;
};
