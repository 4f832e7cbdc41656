import { type SafeText, safe, trusted } from './safe.ts';

/** A text as a sentence, which ends in one full stop or in its own mark. */
export function sentence(text: SafeText): SafeText {
  const words = text.trimEnd();
  return /[!?…]$/.test(words) ? trusted(words) : safe`${trusted(withoutStops(words))}.`;
}

/** Looks from the end: a pattern would try each run of full stops before it. */
function withoutStops(text: string): string {
  let end = text.length;
  while (text[end - 1] === '.') end -= 1;
  return text.slice(0, end);
}
