import { Buffer } from 'node:buffer';
import { LineCounter, parseDocument } from 'yaml';
import { PlainReader } from './plain.ts';
import type { Mistake, Path, Position } from './position.ts';
import { syntaxMistakes } from './syntax.ts';

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
