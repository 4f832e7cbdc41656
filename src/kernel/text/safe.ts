import type { Sha } from '../../contract/commit.ts';
import { clean } from './clean.ts';

declare const brand: unique symbol;

/**
 * Text that may be shown: printable and free of secrets. Outside text becomes it only by `createSanitize`, our own by
 * {@link safe}; it is escaped where it is shown.
 */
export type SafeText = string & { readonly [brand]: true };

/** Makes outside text printable and free of secrets: an id, a name, an address, a known status. */
export interface Sanitize {
  /** @param isCut true if it may have been cut before, so that it ends in the mark of `cut` */
  (text: string, isCut?: boolean): SafeText;
  /** The same for free text; absent: the same function. Use {@link forFreeText}. */
  readonly freeText?: Sanitize;
}

/** The function for free text of others (errors, logs, texts of turns), which also removes plain literals. */
export const forFreeText = (sanitize: Sanitize): Sanitize => sanitize.freeText ?? sanitize;

/** Our own text with safe parts; a template without the tag gives a plain string. */
export function safe(
  words: TemplateStringsArray,
  ...parts: readonly (SafeText | Sha | number)[]
): SafeText {
  return String.raw({ raw: words }, ...parts) as SafeText;
}

export function joinSafe(parts: readonly SafeText[], separator: string): SafeText {
  return parts.join(separator) as SafeText;
}

/** Cuts a text to at most `max` characters. */
export function shorten(text: SafeText, max: number): SafeText {
  return clean(text, max) as SafeText;
}

/**
 * Marks text as safe that the compiler can't know to be: a constant, a validated input, a part of a safe text. Never
 * outside text.
 */
export function unsafeText(text: string): SafeText {
  return text as SafeText;
}
