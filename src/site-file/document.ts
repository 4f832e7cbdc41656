import { Buffer } from 'node:buffer';
import {
  type Alias,
  type ErrorCode,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseDocument,
  type YAMLError,
} from 'yaml';
import type { Mistake, Path, Position } from './position.ts';

/** The largest site file that is read, in bytes. */
const maxBytes = 256 * 1024;

/** A YAML text as a plain value that knows its positions. */
export interface PositionedDocument {
  /** Null if the text is empty or has a mistake of syntax. */
  value: unknown;
  /** What is wrong with it as YAML. */
  mistakes: readonly Mistake[];
  /** Where the value at a path stands, or else the innermost thing on the way to it that is there. */
  positionOf: (path: Path) => Position;
  /** The same for the key at the end of the path. */
  keyPlaceOf: (path: Path) => Position;
}

/** The document as a whole. */
interface Root {
  value: unknown;
  place: Position;
}

const start: Position = { line: 1, column: 1 };

const refused = (mistakes: readonly Mistake[]): PositionedDocument => ({
  value: null,
  mistakes,
  positionOf: () => start,
  keyPlaceOf: () => start,
});

/** Where the lines of a text start. The parser could tell, but it loses count after some errors. */
function linesOf(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1);
  return lines;
}

/** The position of the key or value at the end of a path, which is followed as far as it goes. */
function follow(reader: PlainReader, root: Root, path: Path, end: 'key' | 'value'): Position {
  let { place, value: container } = root;
  for (const [index, step] of path.entries()) {
    const spot = reader.entryPositionOf(container, step);
    if (spot === undefined) return place;
    place = index === path.length - 1 ? spot[end] : spot.value;
    container = Reflect.get(Object(container), step);
  }
  return place;
}

/**
 * Reads one document of YAML 1.2 (core schema). Keys are texts. Anchors and aliases are read, within bounds;
 * merge keys, other tags, and further documents are mistakes.
 *
 * @param source the text; a byte order mark is skipped
 */
export function readDocument(source: string): PositionedDocument {
  if (Buffer.byteLength(source) > maxBytes) {
    return refused([{ ...start, code: 'SD2002', message: 'the file is larger than 256 KiB' }]);
  }
  const text = source.replace(/^\ufeff/, '');
  const lines = linesOf(text);
  const { contents, errors, warnings } = parseDocument(text, {
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    stringKeys: true,
    // Checked by the reader: here it would take time that grows with the square of their number.
    uniqueKeys: false,
    prettyErrors: false,
    // Of the levels that print nothing, the one that still tells of several documents.
    logLevel: 'error',
  });
  const syntax = syntaxMistakes([...errors, ...warnings], lines);
  if (syntax.length > 0) return refused(syntax);
  const positionAt = (offset: number) => {
    const { line, col: column } = lines.linePos(offset);
    return { line, column };
  };
  const reader = new PlainReader(positionAt);
  const place = contents === null ? start : positionAt(contents.range[0]);
  const root = { value: reader.read(contents, place), place };
  return {
    value: root.value,
    mistakes: reader.mistakes,
    positionOf: (path) => follow(reader, root, path, 'value'),
    keyPlaceOf: (path) => follow(reader, root, path, 'key'),
  };
}

/** Where a mapping's key stands, and where its value does. For an item of a list, both are the same. */
export interface EntryPosition {
  key: Position;
  value: Position;
}

/** How many nodes aliases may stand for in all, so that a small file cannot mean a huge one. */
const maxAliasedNodes = 10_000;

/**
 * Turns parsed nodes into plain values, and keeps the position of each. A mapping has no prototype, so that
 * `__proto__` and `constructor` are names like others. An alias gives the very object that its anchor gave.
 *
 * Written here because the library's own conversion forgets positions, and ends at the first mistake.
 */
export class PlainReader {
  /** What is wrong with keys and aliases, in no order. */
  readonly mistakes: Mistake[] = [];
  readonly #positionAt: (offset: number) => Position;
  readonly #positions = new WeakMap<object, ReadonlyMap<PropertyKey, EntryPosition>>();
  readonly #anchors = new Map<string, { value: unknown; size: number }>();
  /** How many nodes were read, those that aliases stand for included. */
  #size = 0;
  #aliased = 0;

  /** @param positionAt gives the position of an offset in the text */
  constructor(positionAt: (offset: number) => Position) {
    this.#positionAt = positionAt;
  }

  /** Where a key or an item of a mapping or list that this reader gave stands. */
  entryPositionOf(container: unknown, key: PropertyKey): EntryPosition | undefined {
    const isContainer = typeof container === 'object' && container !== null;
    return isContainer ? this.#positions.get(container)?.get(key) : undefined;
  }

  /**
   * The value of a node; of what is wrong (see {@link PlainReader.mistakes}), undefined.
   *
   * @param node a node, or null where nothing stands
   * @param outside the position of what holds it
   */
  read(node: unknown, outside: Position): unknown {
    const place = this.#positionOf(node) ?? outside;
    if (isAlias(node)) return this.#fromAlias(node, place);
    const before = this.#size;
    this.#size += 1;
    const value = this.#fromContent(node, place);
    const anchor = isNode(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, { value, size: this.#size - before });
    return value;
  }

  #fromContent(node: unknown, place: Position): unknown {
    if (isMap(node)) return this.#fromPairs(node.items, place);
    if (isSeq(node)) return this.#fromItems(node.items, place);
    return isScalar(node) ? node.value : null;
  }

  #fromAlias({ source }: Alias, place: Position): unknown {
    const anchored = this.#anchors.get(source);
    if (anchored === undefined) {
      const message =
        'a text that starts with * must stand in quotes; an alias needs an anchor (&)';
      this.mistakes.push({ ...place, code: 'SD2008', message: `${message} of its name before it` });
      return undefined;
    }
    this.#size += anchored.size;
    this.#aliased += anchored.size;
    if (this.#aliased <= maxAliasedNodes) return anchored.value;
    this.mistakes.push({
      ...place,
      code: 'SD2008',
      message: 'aliases (*) stand for too much: write it out',
    });
    return undefined;
  }

  #fromItems(items: readonly unknown[], outside: Position): unknown {
    const places = items.map((item) => this.#positionOf(item) ?? outside);
    const list = items.map((item) => this.read(item, outside));
    this.#positions.set(
      list,
      new Map(places.map((place, index) => [index, { key: place, value: place }])),
    );
    return list;
  }

  #fromPairs(pairs: readonly Pair[], outside: Position): unknown {
    const mapping: Record<string, unknown> = Object.create(null);
    const positions = new Map<string, EntryPosition>();
    for (const { key, value } of pairs) {
      const name = isScalar(key) ? String(key.value) : '';
      const place = this.#positionOf(key) ?? outside;
      const content = this.read(value, place);
      const message = this.#objection(name, positions.get(name));
      if (message !== undefined) {
        this.mistakes.push({ ...place, code: 'SD2008', message });
      } else {
        mapping[name] = content;
        positions.set(name, { key: place, value: this.#positionOf(value) ?? place });
      }
    }
    this.#positions.set(mapping, positions);
    return mapping;
  }

  #objection(name: string, earlier: EntryPosition | undefined): string | undefined {
    if (name === '<<') return 'merge keys (<<) are not read: write out what it would bring';
    if (earlier === undefined) return undefined;
    return `this key stands in line ${earlier.key.line} already: keep one of them`;
  }

  #positionOf(node: unknown): Position | undefined {
    return isNode(node) && node.range ? this.#positionAt(node.range[0]) : undefined;
  }
}

/** What to say for each error of the YAML parser. Its own messages are not used: they may quote a value. */
const messages: Readonly<Partial<Record<ErrorCode, string>>> = {
  ALIAS_PROPS: 'an alias (*) takes no anchor and no tag',
  BAD_ALIAS: 'a text that starts with * or & must stand in quotes',
  BAD_DIRECTIVE: 'this directive is unknown: leave out the line that starts with %',
  BAD_DQ_ESCAPE: 'this backslash starts no known escape: write \\\\, or use single quotes',
  BAD_INDENT:
    'the indentation is wrong, or a ] or } is missing before this: what belongs together starts in the same column',
  BAD_PROP_ORDER: 'an anchor or tag must follow the "?" or ":" here',
  BAD_SCALAR_START: 'a text that starts with this character must stand in quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'a mapping or list cannot start here: start it on a new line, or put a text that holds ": " in quotes',
  BLOCK_IN_FLOW: 'what stands inside [ ] or { } must be written with [ ] and { } too',
  KEY_OVER_1024_CHARS: 'this key is longer than 1024 characters',
  MISSING_CHAR: 'a closing quote, ] or }, a comma, or the "-" of a list is missing',
  MULTILINE_IMPLICIT_KEY: 'a key must stand on one line with its ":"; is a ":" missing?',
  MULTIPLE_ANCHORS: 'only one anchor (&) can stand here',
  MULTIPLE_DOCS: 'the file must be one document: remove what starts here',
  MULTIPLE_TAGS: 'only one tag (!) can stand here',
  NON_STRING_KEY: 'a key must be a plain text',
  RESOURCE_EXHAUSTION: 'lists or mappings are nested too deep',
  TAB_AS_INDENT: 'a tab cannot indent: use spaces',
  TAG_RESOLVE_FAILED: 'this tag (!) is not read: leave it out',
  UNEXPECTED_TOKEN:
    'this does not belong here: is a quote, a comma or a line break missing before it?',
};

/** After such an error the parser takes every word up to the end of the text for another. */
const isStray = ({ message }: YAMLError) => message.includes('in YAML stream');

/** Errors without those that only follow from others. */
function causes(errors: readonly YAMLError[]): YAMLError[] {
  const tooDeep = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (tooDeep !== undefined) return [tooDeep];
  const firstStray = errors.find(isStray);
  return errors.filter((error) => error === firstStray || !isStray(error));
}

/** The parser's errors as mistakes. Of the errors of one line, only the first is told. */
export function syntaxMistakes(errors: readonly YAMLError[], lines: LineCounter): Mistake[] {
  const byLine = new Map<number, Mistake>();
  for (const { code, pos } of causes(errors).toSorted((a, b) => a.pos[0] - b.pos[0])) {
    const { line, col: column } = lines.linePos(pos[0]);
    const message = messages[code] ?? 'this is not valid YAML';
    if (!byLine.has(line)) byLine.set(line, { line, column, code: 'SD2002', message });
  }
  return [...byLine.values()];
}
