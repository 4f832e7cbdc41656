import { EOL } from 'node:os';

/**
 * The commands that a step gives the runner in its log, as GitHub documents them under "Workflow commands". They are
 * written here because masks and the first lines come before the first request: GitHub's package for them can only be
 * loaded as a whole, with an HTTP client that takes longer than the rest of a start. What goes through files is its.
 */

const escapes: Readonly<Record<string, string>> = {
  '%': '%25',
  '\r': '%0D',
  '\n': '%0A',
  ':': '%3A',
  ',': '%2C',
};

const escaped = (text: string, characters: RegExp): string =>
  text.replace(characters, (character) => escapes[character] ?? character);

function issue(command: string, message: string, title = ''): void {
  const properties = title === '' ? '' : ` title=${escaped(title, /[%\r\n:,]/g)}`;
  printLine(`::${command}${properties}::${escaped(message, /[%\r\n]/g)}`);
}

/** Prints a line as it is. */
export function printLine(line: string): void {
  process.stdout.write(line + EOL);
}

/** Has the runner hide a text in all that it shows from now on. */
export const mask = (secret: string): void => issue('add-mask', secret);

/** An annotation of the run. */
export const annotate = (
  level: 'notice' | 'warning' | 'error',
  message: string,
  title?: string,
): void => issue(level, message, title);

/** Begins a part of the log that can be folded away. */
export const startGroup = (title: string): void => issue('group', title);

/** Ends it. */
export const endGroup = (): void => issue('endgroup', '');
