import { Buffer } from 'node:buffer';
import { closestMatch } from 'leven';
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
import type { z } from 'zod';
import type { Mistake, Path, Position } from './position.ts';

/** The name of an invalid value: only keys of the schema, never content of the file. */
function subject(path: readonly PropertyKey[]): string {
  const last = path.at(-1);
  if (last === undefined) return 'this';
  return typeof last === 'number' ? `item ${last + 1} of ${String(path.at(-2))}` : String(last);
}

/** The message for each type, and a hint for values that are nearly valid. */
const types: Readonly<Record<string, { must: string; fix: (input: unknown) => string }>> = {
  string: {
    must: 'must be a string',
    fix: (input) => (['number', 'boolean'].includes(typeof input) ? ': write it in quotes' : ''),
  },
  number: {
    must: 'must be a whole number',
    fix: (input) => (typeof input === 'string' && /^\d+$/.test(input) ? ', without quotes' : ''),
  },
  boolean: {
    must: 'must be true or false',
    fix: (input) => (input === 'true' || input === 'false' ? ', without quotes' : ''),
  },
  array: {
    must: 'must be a list',
    fix: () => ': [ … ], or lines that start with "-"',
  },
  record: {
    must: 'must be a mapping',
    fix: () => ' of names',
  },
};

const oneOf = (values: readonly unknown[]) => values.map(String).join(' or ');

/**
 * The message for an issue without its own message in the schema. It never contains a value of the file.
 *
 * @returns undefined to use the schema's message
 */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  const what = subject(issue.path ?? []);
  switch (issue.code) {
    case 'invalid_type': {
      if (issue.input === undefined) return `${what} is missing`;
      const type = types[issue.expected === 'int' ? 'number' : issue.expected];
      return type === undefined ? undefined : `${what} ${type.must}${type.fix(issue.input)}`;
    }
    case 'invalid_value': {
      const near =
        typeof issue.input === 'string' ? suggestion(issue.input, issue.values.map(String)) : '';
      return `${what} must be ${oneOf(issue.values)}${near}`;
    }
    case 'too_small':
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array'
        ? `${what} must not be empty`
        : `${what} is out of range`;
    default:
      return undefined;
  }
};

/** A longer word is not a misspelling of a known one. */
const longest = 40;

/**
 * Suggests a similar known word: one letter in three may differ, four at most.
 *
 * @returns `; did you mean "…"?`, or an empty text. It never contains the given word.
 */
export function suggestion(given: string, known: readonly string[]): string {
  if (given.length > longest) return '';
  const maxDistance = Math.min(4, Math.ceil(given.length / 3));
  const nearest = closestMatch(given.toLowerCase(), known, { maxDistance });
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}

/** A YAML text as a plain value with positions. */
export interface PositionedDocument {
  /** Null if the text is empty or has a syntax error. */
  value: unknown;
  /** The YAML errors. */
  mistakes: readonly Mistake[];
  /** The position of the value at a path, or of its innermost existing parent. */
  positionOf: (path: Path) => Position;
  /** The position of the key at the end of a path. */
  keyPositionOf: (path: Path) => Position;
}

/** The maximum size of a site file, in bytes. */
const maxBytes = 256 * 1024;

/**
 * Reads one document of YAML 1.2 (core schema). Keys are strings. Anchors and aliases are allowed, within limits; merge
 * keys, other tags and further documents are mistakes.
 *
 * @param source the text; a byte order mark is skipped
 */
export function readDocument(source: string): PositionedDocument {
  if (Buffer.byteLength(source) > maxBytes) {
    return unreadable([{ ...start, code: 'SD2002', message: 'the file is larger than 256 KiB' }]);
  }
  const text = source.replace(/^\ufeff/, '');
  const lines = linesOf(text);
  const { contents, errors, warnings } = parseDocument(text, {
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    stringKeys: true,
    // Checked by the reader, because the parser's check takes quadratic time.
    uniqueKeys: false,
    prettyErrors: false,
    // Prints nothing, but still reports several documents.
    logLevel: 'error',
  });
  const syntax = syntaxMistakes([...errors, ...warnings], lines);
  if (syntax.length > 0) return unreadable(syntax);
  const positionAt = (offset: number) => {
    const { line, col: column } = lines.linePos(offset);
    return { line, column };
  };
  const reader = new PlainReader(positionAt);
  const position = contents === null ? start : positionAt(contents.range[0]);
  const root = { value: reader.read(contents, position), position };
  return {
    value: root.value,
    mistakes: reader.mistakes,
    positionOf: (path) => positionAtPath(reader, root, path, 'value'),
    keyPositionOf: (path) => positionAtPath(reader, root, path, 'key'),
  };
}

const start: Position = { line: 1, column: 1 };

const unreadable = (mistakes: readonly Mistake[]): PositionedDocument => ({
  value: null,
  mistakes,
  positionOf: () => start,
  keyPositionOf: () => start,
});

/** The starts of a text's lines. The parser's own count is wrong after some errors. */
function linesOf(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1);
  return lines;
}

/** The position of the key or value at the end of a path, as far as the path exists. */
function positionAtPath(
  reader: PlainReader,
  root: { value: unknown; position: Position },
  path: Path,
  end: 'key' | 'value',
): Position {
  let { position, value: container } = root;
  for (const [index, step] of path.entries()) {
    const spot = reader.entryPositionOf(container, step);
    if (spot === undefined) return position;
    position = index === path.length - 1 ? spot[end] : spot.value;
    container = Reflect.get(Object(container), step);
  }
  return position;
}

/** The positions of a mapping's key and value. For a list item, both are the same. */
interface EntryPosition {
  key: Position;
  value: Position;
}

/** The most nodes that all aliases may expand to. */
const maxAliasedNodes = 10_000;

/**
 * Converts parsed nodes to plain values and records their positions. A mapping has no prototype, so that `__proto__` and
 * `constructor` are ordinary names. An alias has the same object as its anchor.
 *
 * Custom because the library's own conversion drops positions and stops at the first error.
 */
class PlainReader {
  /** The mistakes in keys and aliases, unordered. */
  readonly mistakes: Mistake[] = [];
  readonly #positionAt: (offset: number) => Position;
  readonly #positions = new WeakMap<object, ReadonlyMap<PropertyKey, EntryPosition>>();
  readonly #anchors = new Map<string, { value: unknown; size: number }>();
  /** The number of nodes, including expanded aliases. */
  #size = 0;
  #aliased = 0;

  /** @param positionAt returns the position of an offset in the text */
  constructor(positionAt: (offset: number) => Position) {
    this.#positionAt = positionAt;
  }

  /** The position of an entry of a mapping or list that this reader returned. */
  entryPositionOf(container: unknown, key: PropertyKey): EntryPosition | undefined {
    const isContainer = typeof container === 'object' && container !== null;
    return isContainer ? this.#positions.get(container)?.get(key) : undefined;
  }

  /**
   * The value of a node; undefined for a mistake (see {@link PlainReader.mistakes}).
   *
   * @param node a node, or null for no value
   * @param outside the position of its parent
   */
  read(node: unknown, outside: Position): unknown {
    const position = this.#positionOf(node) ?? outside;
    if (isAlias(node)) return this.#fromAlias(node, position);
    const before = this.#size;
    this.#size += 1;
    const value = this.#fromContent(node, position);
    const anchor = isNode(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, { value, size: this.#size - before });
    return value;
  }

  #fromContent(node: unknown, position: Position): unknown {
    if (isMap(node)) return this.#fromPairs(node.items, position);
    if (isSeq(node)) return this.#fromItems(node.items, position);
    return isScalar(node) ? node.value : null;
  }

  #fromAlias({ source }: Alias, position: Position): unknown {
    const anchored = this.#anchors.get(source);
    if (anchored === undefined) {
      const message =
        'a text that starts with * needs quotes; an alias needs an earlier anchor (&)';
      this.mistakes.push({ ...position, code: 'SD2008', message });
      return undefined;
    }
    this.#size += anchored.size;
    this.#aliased += anchored.size;
    if (this.#aliased <= maxAliasedNodes) return anchored.value;
    this.mistakes.push({
      ...position,
      code: 'SD2008',
      message: 'aliases (*) expand to too many values: write them out',
    });
    return undefined;
  }

  #fromItems(items: readonly unknown[], outside: Position): unknown {
    const positions = items.map((item) => this.#positionOf(item) ?? outside);
    const list = items.map((item) => this.read(item, outside));
    this.#positions.set(
      list,
      new Map(positions.map((position, index) => [index, { key: position, value: position }])),
    );
    return list;
  }

  #fromPairs(pairs: readonly Pair[], outside: Position): unknown {
    const mapping: Record<string, unknown> = Object.create(null);
    const positions = new Map<string, EntryPosition>();
    for (const { key, value } of pairs) {
      const name = isScalar(key) ? String(key.value) : '';
      const position = this.#positionOf(key) ?? outside;
      const content = this.read(value, position);
      const message = this.#objection(name, positions.get(name));
      if (message !== undefined) {
        this.mistakes.push({ ...position, code: 'SD2008', message });
      } else {
        mapping[name] = content;
        positions.set(name, { key: position, value: this.#positionOf(value) ?? position });
      }
    }
    this.#positions.set(mapping, positions);
    return mapping;
  }

  #objection(name: string, earlier: EntryPosition | undefined): string | undefined {
    if (name === '<<') return 'merge keys (<<) are not supported: write out the keys';
    if (earlier === undefined) return undefined;
    return `duplicate key, already in line ${earlier.key.line}: keep one`;
  }

  #positionOf(node: unknown): Position | undefined {
    return isNode(node) && node.range ? this.#positionAt(node.range[0]) : undefined;
  }
}

/** The messages for errors of the YAML parser, whose own messages may quote a value. */
const messages: Readonly<Partial<Record<ErrorCode, string>>> = {
  ALIAS_PROPS: "an alias (*) can't have an anchor or a tag",
  BAD_ALIAS: 'a text that starts with * or & needs quotes',
  BAD_DIRECTIVE: 'unknown directive: remove the line that starts with %',
  BAD_DQ_ESCAPE: 'unknown escape: write \\\\, or use single quotes',
  BAD_INDENT:
    'wrong indentation, or a missing ] or } before this: entries of the same level start in the same column',
  BAD_PROP_ORDER: 'an anchor or tag must follow the "?" or ":" here',
  BAD_SCALAR_START: 'a text that starts with this character needs quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'a mapping or list can\'t start here: start it on a new line, or put a text that contains ": " in quotes',
  BLOCK_IN_FLOW: 'inside [ ] or { }, use [ ] and { } for lists and mappings too',
  KEY_OVER_1024_CHARS: 'this key is longer than 1024 characters',
  MISSING_CHAR: 'a closing quote, ] or }, a comma, or the "-" of a list is missing',
  MULTILINE_IMPLICIT_KEY: 'a key and its ":" must be on one line; is a ":" missing?',
  MULTIPLE_ANCHORS: 'only one anchor (&) is allowed here',
  MULTIPLE_DOCS: 'the file must be a single document: remove the part that starts here',
  MULTIPLE_TAGS: 'only one tag (!) is allowed here',
  NON_STRING_KEY: 'a key must be a string',
  RESOURCE_EXHAUSTION: 'lists or mappings are nested too deeply',
  TAB_AS_INDENT: 'indentation with a tab: use spaces',
  TAG_RESOLVE_FAILED: 'tags (!) are not supported: remove this one',
  UNEXPECTED_TOKEN: 'unexpected text: is a quote, a comma or a line break missing before it?',
};

/** After such an error, the parser reports every following word as another one. */
const isStray = ({ message }: YAMLError) => message.includes('in YAML stream');

/** Errors without consequential ones. */
function causes(errors: readonly YAMLError[]): YAMLError[] {
  const tooDeep = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (tooDeep !== undefined) return [tooDeep];
  const firstStray = errors.find(isStray);
  return errors.filter((error) => error === firstStray || !isStray(error));
}

/** The parser's errors as mistakes, one for each line. */
export function syntaxMistakes(errors: readonly YAMLError[], lines: LineCounter): Mistake[] {
  const byLine = new Map<number, Mistake>();
  for (const { code, pos } of causes(errors).toSorted((a, b) => a.pos[0] - b.pos[0])) {
    const { line, col: column } = lines.linePos(pos[0]);
    const message = messages[code] ?? 'this is not valid YAML';
    if (!byLine.has(line)) byLine.set(line, { line, column, code: 'SD2002', message });
  }
  return [...byLine.values()];
}
