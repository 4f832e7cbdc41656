/** The limits of nesting and of the number of lists and objects: each takes far more memory than its two characters. */
const most = { depth: 64, nodes: 250_000 };

/** Of the characters below it JSON allows only white space outside strings. */
const blank = 32;
const white: ReadonlySet<number> = new Set(['\t', '\n', '\r'].map((one) => one.charCodeAt(0)));

const [quote, backslash] = ['"', '\\'].map((character) => character.charCodeAt(0));
const opening: ReadonlySet<number> = new Set(['[', '{'].map((one) => one.charCodeAt(0)));
const closing: ReadonlySet<number> = new Set([']', '}'].map((one) => one.charCodeAt(0)));

/** The index of the quote that ends the string which begins at an index of a text; its length if there is none. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) {
    at += text.charCodeAt(at) === backslash ? 2 : 1;
  }
  return at;
}

/**
 * True if a JSON text has too many or too deeply nested lists and objects. To be checked before parsing, because the
 * result may take a hundred times the memory of the text. False for what is certainly not JSON, such as terminal colors.
 */
export function isExcessive(text: string): boolean {
  let depth = 0;
  let nodes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < blank && !white.has(unit)) return false;
    if (unit === quote) at = endOfString(text, at);
    else if (opening.has(unit)) {
      depth += 1;
      nodes += 1;
      if (depth > most.depth || nodes > most.nodes) return true;
    } else if (closing.has(unit)) depth -= 1;
  }
  return false;
}
