import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Surroundings } from './surroundings.ts';

/** A person at a terminal. */
export interface Person {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/** The person at a terminal; undefined without one, and in a CI, which may give its jobs a terminal at which nobody is. */
export function personAt({ environment, stdin, stdout }: Surroundings): Person | undefined {
  const isAtTerminal = stdin.isTTY && stdout.isTTY && (environment['CI'] ?? '') === '';
  return isAtTerminal ? { input: stdin, output: stdout } : undefined;
}

/**
 * Asks a person for a line.
 *
 * @param isHidden true if what they type is not shown
 * @returns undefined at the end of the input, at Ctrl-C and if the signal aborts
 */
export async function ask(
  { input, output }: Person,
  question: string,
  signal: AbortSignal,
  isHidden = false,
): Promise<string | undefined> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // Only as a terminal does it keep the system from showing what is typed.
  const lines = isHidden
    ? createInterface({ input, output: nowhere, terminal: true, signal })
    : createInterface({ input, output, signal });
  if (isHidden) output.write(question);
  const closed = once(lines, 'close').then(() => undefined);
  lines.on('SIGINT', () => lines.close());
  const answered = new Promise<string>((resolve) => lines.question(question, resolve));
  const answer = await Promise.race([answered, closed]);
  lines.close();
  if (isHidden) output.write('\n');
  return answer;
}

/** Asks a person, who agrees with `y` or `yes`; the end of the input, Ctrl-C and the signal are a no. */
export async function prompt(
  person: Person,
  question: string,
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await ask(person, `${question} [y/N] `, signal);
  return /^y(es)?$/i.test(answer?.trim() ?? '');
}
