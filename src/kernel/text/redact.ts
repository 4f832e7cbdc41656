import { printable } from './clean.ts';
import type { OwnMarks } from './cut.ts';
import { createNeedles, findNeedles, type Needles, type Span, shortestNeedle } from './needles.ts';
import { readingsOf } from './notations.ts';

/** Replaces every secret in a text, however it is encoded there. */
export interface Redact {
  /** @param own which of the text's marks of a cut are ours; none, if it is not said */
  (text: string, own?: OwnMarks): string;
  /** The same for free text of others, where plain literals are replaced too; absent: there are none. */
  readonly freeText?: Redact;
}

const placeholder = '***';

const everyday = /^(true|false|null|none)$/i;

/** A text that is too short cannot be hidden: the gaps that its masks tear would show what it is. */
const isWorthHiding = (text: string): boolean =>
  text.length >= shortestNeedle && !everyday.test(text);

/**
 * The parts of secrets that are to be hidden: each as a whole, and each of its lines. Left out are parts of
 * fewer than four characters and everyday words such as `true`: masked, they would hide the log around
 * them and be easy to guess.
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

/** The spans of a text in which a needle is read, in whatever way it is written there, as they start. */
function spansIn(needles: Needles, text: string, own: OwnMarks): Span[] {
  const spans: Span[] = [];
  for (const reading of readingsOf(text)) {
    for (const { start, end } of findNeedles(needles, reading.text, own)) {
      spans.push({ start: reading.placeOf(start), end: reading.placeOf(end) });
    }
  }
  return spans.sort((a, b) => a.start - b.start);
}

/** Replaces spans of a text, in the order in which they start; those that overlap or touch count as one. */
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
 * Makes the redactor for a run. It covers the parts of each secret (see {@link secretParts}), also where they
 * overlap: as they are, as one line (see `printable`), in the ways of writing that `readingsOf` reads, in base64
 * and in hexadecimal. Where a text was cut by us (see `OwnMarks`), it covers what could be the beginning of one, too.
 * A text is read once in each way, whatever the number of secrets.
 */
export function createRedact(secrets: Iterable<string>): Redact {
  const encoded = secretParts(secrets);
  const texts = new Set<string>();
  for (const part of encoded) {
    // What looks like an escape in a secret is read as one where the rest of the text is escaped.
    const read = Array.from(readingsOf(part), ({ text }) => text);
    for (const text of [...read, printable(part)]) if (isWorthHiding(text)) texts.add(text);
  }
  const needles = createNeedles({ texts: [...texts], encoded });
  return (text, own = 'none') => replaceSpans(text, spansIn(needles, text, own));
}

/** A shorter literal of the workflow stands in too many texts by chance. */
const shortestLiteral = 8;

/**
 * Makes the redactor for a run whose workflow wrote values out. They may be anything, an everyday word or a secret that
 * GitHub filled in, so that they are taken out of free text of others, and out of nothing else.
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
