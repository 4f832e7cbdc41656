import { type SafeText, unsafeText } from './safe.ts';

/** A text as a sentence, which ends in one full stop or in its own mark. */
export const sentence = (text: SafeText): SafeText => unsafeText(asSentence(text));

/** The same of a text that may not be shown yet. */
export function asSentence(text: string): string {
  const words = text.trimEnd();
  return /[!?…]$|[.!?…]\)$/.test(words) ? words : `${withoutStops(words)}.`;
}

/** Looks from the end: a pattern would try each run of full stops before it. */
function withoutStops(text: string): string {
  let end = text.length;
  while (text[end - 1] === '.') end -= 1;
  return text.slice(0, end);
}
