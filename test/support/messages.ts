import { readFileSync } from 'node:fs';
import { readEntries } from '../../scripts/troubleshooting.ts';

/** The entries of docs/troubleshooting.md. */
export const entries = readEntries(readFileSync('docs/troubleshooting.md', 'utf8'));

const codes: ReadonlySet<string> = new Set(entries.map(({ code }) => code));

/** GitHub cuts an annotation there. */
const longest = 4096;

const libraries =
  /UND_ERR_|Invalid input|expected \w+, received|ZodError|HttpError|FetchError|fatal: |SIGINT|SIGTERM|\[object |\bundefined\b|connect ECONN|getaddrinfo|fetch failed/;

/** The most words of an error or a warning before its code. */
const mostWords = 35;

/** Where a message continues with text from outside, without quotation marks. */
const outside = [
  'Build error',
  'provisioning failed',
  'The deployment failed',
  'The service reported',
  'The service reported the status "failed" for the message',
  'Git',
  'It returned \\d{3}',
  '\\(GitHub returned \\d{3}\\)',
  'rejected the push to \\S+',
].join('|');

/** Texts from outside without quotation marks. */
const quotations: readonly RegExp[] = [
  // Without a request's id, nobody can tell where the service's text ends and the advice begins.
  /(?<=returned \d{3}: )(?:.*?(?= \(request id )|.*$)/g,
  new RegExp(`(?<=(?:${outside}): ).*?(?=\\. [A-Z1-9]|$)`, 'g'),
];

/** A message without its code, in which each text from outside that has no quotation marks is one character. */
const withoutOutside = (message: string): string =>
  quotations.reduce(
    (text, pattern) => text.replace(pattern, '…'),
    message.replace(/ \(SD\d{4}\)$/, ''),
  );

/** How many words a message has before its code. What it quotes, and a list of names, counts as one. */
export const countWords = (message: string): number =>
  withoutOutside(message)
    .replaceAll(/"[^"]*"|(?:[\w.-]+, ){2,}[\w.-]+(?: and \d+ more)?/g, '…')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}…]/u.test(word)).length;

/** A message that lists several mistakes, each with its own code. */
const isList = (message: string): boolean => (message.match(/\(SD\d{4}\)/g) ?? []).length > 1;

/** What no error or warning may be, whatever it is about: each with what is wrong with it. */
const rules: readonly (readonly [string, (message: string) => boolean])[] = [
  ['has no code at its end', (message) => !codes.has(/ \((SD\d{4})\)$/.exec(message)?.[1] ?? '')],
  ['has two codes at its end', (message) => /\(SD\d{4}\)[. ]*\(SD\d{4}\)$/.test(message)],
  ['does not end as a sentence', (message) => !/[.!?…]\)? \(SD\d{4}\)$/.test(message)],
  ['has two full stops', (message) => /(?<![./])\.\.(?![./])/.test(message)],
  ['goes on in small letters after a full stop', (message) => /(?:^|\. )could not /.test(message)],
  ['has words of a library', (message) => libraries.test(message)],
  ['is longer than an annotation', (message) => message.length > longest],
  ['has too many words', (message) => !isList(message) && countWords(message) > mostWords],
];

/**
 * Holds a message that a run told against what every error and every warning must be.
 *
 * @throws Error that says what is wrong with it
 */
export function checkMessage(message: string): void {
  const wrong = rules.filter(([, isBroken]) => isBroken(message)).map(([what]) => what);
  if (wrong.length > 0) throw new Error(`A message ${wrong.join(', and ')}: ${message}`);
}

/** The same for each error and warning of a step's output, as the runner reads it. @throws Error */
export function checkLog(stdout: string): void {
  for (const line of stdout.split('\n')) {
    const [, data] = /^::(?:error|warning)(?: [^:]*)?::(.*)$/.exec(line) ?? [];
    if (data !== undefined) checkMessage(data.replaceAll('%0A', '\n').replaceAll('%25', '%'));
  }
}
