import { printable } from './clean.ts';
import type { OwnMarks } from './cut.ts';
import { createNeedles, findNeedles, type Needles, type Span, shortestNeedle } from './needles.ts';
import { readingsOf } from './notations.ts';

/** Replaces every secret in a text, however it is encoded there. */
export interface Redact {
  /** @param own which of the text's cut marks are ours; by default none */
  (text: string, own?: OwnMarks): string;
  /** The same for free text of others, where plain literals are replaced, too; absent: there are none. */
  readonly freeText?: Redact;
}

const placeholder = '***';

const everyday = /^(true|false|null|none)$/i;

/** A text that is too short can't be hidden: the gaps left by its masks would reveal it. */
const isWorthHiding = (text: string): boolean =>
  text.length >= shortestNeedle && !everyday.test(text);

/**
 * The parts of secrets to hide: each as a whole, and each of its lines. Excluded are parts of fewer than four characters
 * and everyday words such as `true`: masking them would garble the log, and they would be easy to guess.
 */
export function secretParts(secrets: Iterable<string>): string[] {
  const parts = new Set<string>();
  for (const secret of secrets) {
    const lines = secret.split(/\r\n|\r|\n/).map((line) => line.trim());
    for (const part of [secret, secret.trim(), ...lines])
      if (isWorthHiding(part.trim())) parts.add(part);
  }
  return [...parts];
}

/** The spans of a text that contain a needle in any notation, in the order of their starts. */
function spansIn(needles: Needles, text: string, own: OwnMarks): Span[] {
  const spans: Span[] = [];
  for (const reading of readingsOf(text)) {
    for (const { start, end } of findNeedles(needles, reading.text, own)) {
      spans.push({ start: reading.placeOf(start), end: reading.placeOf(end) });
    }
  }
  return spans.sort((a, b) => a.start - b.start);
}

/** Replaces spans of a text, sorted by their starts; overlapping or adjacent ones count as one. */
function replaceSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const merged: Span[] = [];
  for (const place of spans) {
    const last = merged.at(-1);
    if (last !== undefined && place.start <= last.end) last.end = Math.max(last.end, place.end);
    else merged.push(place);
  }
  let from = 0;
  let result = '';
  for (const { start, end } of merged) {
    result += text.slice(from, start) + placeholder;
    from = end;
  }
  return result + text.slice(from);
}

/**
 * Makes the redactor for a run. It hides the parts of each secret (see {@link secretParts}), also where they overlap: as
 * they are, as one line (see `printable`), in the notations that `readingsOf` reads, in base64 and in hexadecimal. Where
 * we cut a text (see `OwnMarks`), it also hides what may be the beginning of one. A text is read once per notation,
 * however many secrets there are.
 */
export function createRedact(secrets: Iterable<string>): Redact {
  const encoded = secretParts(secrets);
  const texts = new Set<string>();
  for (const part of encoded) {
    // What looks like an escape in a secret is decoded where the text around it is escaped.
    const read = Array.from(readingsOf(part), ({ text }) => text);
    for (const text of [...read, printable(part)]) if (isWorthHiding(text)) texts.add(text);
  }
  const needles = createNeedles({ texts: [...texts], encoded });
  return (text, own = 'none') => replaceSpans(text, spansIn(needles, text, own));
}

/** A shorter literal of the workflow occurs in too many texts by chance. */
const shortestLiteral = 8;

/**
 * Makes the redactor for a run whose workflow contains literal values. They may be an everyday word or a secret that
 * GitHub filled in, so they are hidden in free text of others and nowhere else.
 */
export function createRedactWithLiterals(
  secrets: readonly string[],
  literals: readonly string[],
): Redact {
  const redact = createRedact(secrets);
  const hidden = literals.filter((literal) => literal.length >= shortestLiteral);
  if (hidden.length === 0) return redact;
  return Object.assign((...given: Parameters<Redact>) => redact(...given), {
    freeText: createRedact([...secrets, ...hidden]),
  });
}
