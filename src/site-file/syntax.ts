import type { ErrorCode, LineCounter, YAMLError } from 'yaml';
import type { Mistake } from './position.ts';

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
