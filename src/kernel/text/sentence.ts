import { type SafeText, unsafeText } from './safe.ts';

/** A text as a sentence, which ends in one period or in its own punctuation. */
export const sentence = (text: SafeText): SafeText => unsafeText(asSentence(text));

/** The same for a text that is not safe to show yet. */
export function asSentence(text: string): string {
  const words = text.trimEnd();
  return /[!?…]$|[.!?…]\)$/.test(words) ? words : `${withoutStops(words)}.`;
}

/** A regular expression would take quadratic time. */
function withoutStops(text: string): string {
  let end = text.length;
  while (text[end - 1] === '.') end -= 1;
  return text.slice(0, end);
}
