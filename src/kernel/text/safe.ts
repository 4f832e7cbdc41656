import type { Sha } from '../../contract/commit.ts';
import { clean } from './clean.ts';

declare const brand: unique symbol;

/**
 * Text that may be shown: printable and free of secrets. Others' words become it by `createSanitize` alone, ours by
 * {@link safe}; where it is shown, it is escaped for that place.
 */
export type SafeText = string & { readonly [brand]: true };

/** Makes outside text printable and free of secrets: an id, a name, an address, a status that a table has. */
export interface Sanitize {
  /** @param isCut true if it may have been cut before, and then ends in the mark of `cut` */
  (text: string, isCut?: boolean): SafeText;
  /** The same for free text; absent: it needs no other. To be had by {@link forFreeText}. */
  readonly freeText?: Sanitize;
}

/** What makes free text of others (errors, logs, texts of turns) fit to be shown: free of plain literals, too. */
export const forFreeText = (sanitize: Sanitize): Sanitize => sanitize.freeText ?? sanitize;

/** Words of our own, with texts among them that may be shown: a template without the tag gives a mere string. */
export function safe(
  words: TemplateStringsArray,
  ...parts: readonly (SafeText | Sha | number)[]
): SafeText {
  return String.raw({ raw: words }, ...parts) as SafeText;
}

/** Texts that may be shown as one. */
export function joinSafe(parts: readonly SafeText[], separator: string): SafeText {
  return parts.join(separator) as SafeText;
}

/** The beginning of a text that may be shown, of at most `max` characters. */
export function shorten(text: SafeText, max: number): SafeText {
  return clean(text, max) as SafeText;
}

/**
 * What may be shown as it is, although the compiler cannot know it: a word of a table of ours, an input that was
 * checked, a piece of a text that may be shown. Never what others wrote.
 */
export function unsafeText(text: string): SafeText {
  return text as SafeText;
}
