import { type Coded, reword } from '../kernel/catalogue/coded.ts';
import { shorten } from '../kernel/text/safe.ts';
import { plain } from './markdown.ts';

/** The most characters of a message that a comment or a summary shows; output and annotation have it all. */
const longestMessage = 1500;

/** An error, or why a plan would not be applied, as a quotation; none if there is none. */
export function quoteMessage(message: Coded | undefined): string[] {
  if (message === undefined) return [];
  return [`> ${plain(reword(message, (text) => shorten(text, longestMessage)))}`];
}
