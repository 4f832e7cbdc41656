import type { SafeText } from '../../kernel/text/safe.ts';

/** The most lines of a build's log that a report keeps. */
export const mostLines = 20;

/** What counts errors and finds none, or only warns. */
const harmless = /\b(0|no) (errors?|failures?|problems?)\b|\bwarn(ing)?\b/i;

/** What names an error, and is no part of a file's name. */
const error = /(error|exception)([\s:[\]()!,]|$)|\bfatal\b|\bpanic(ked)?\b|^\s*[✗✘✖×]/i;

/** What speaks of a failure: it may only follow from an error. */
const failure =
  /\b(failed|failure|fails|cannot|can't|could not|unable to|not found|no such|denied|killed|out of memory|npm err!|exit(ed)?( with)?( code| status)?:? [1-9])/i;

/** What a package manager says of every script that failed. */
const wrapper =
  /^\s*(npm (err(or)?\b|warn)|error: command .* (failed|exited)|error command failed)/i;

/**
 * The line of a build's log that says best why it failed: the first that names an error, else the first that speaks of
 * a failure, else the last that says anything.
 *
 * @returns undefined if no line says anything
 */
export function decisiveLine(lines: readonly SafeText[]): SafeText | undefined {
  const telling = lines.filter((line) => line.trim() !== '');
  const own = telling.filter((line) => !harmless.test(line) && !wrapper.test(line));
  return (
    own.find((line) => error.test(line)) ??
    own.find((line) => failure.test(line)) ??
    telling.find((line) => wrapper.test(line)) ??
    telling.at(-1)
  );
}
