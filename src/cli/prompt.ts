import { createInterface } from 'node:readline';
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
  // As a terminal, it keeps the system from showing what is typed; without an output, it doesn't show it either.
  const lines = createInterface({ input, terminal: isHidden, historySize: 0, signal });
  const answers = lines[Symbol.asyncIterator]();
  // Only now: the answer may follow at once.
  output.write(question);
  const { value } = await answers.next();
  lines.close();
  if (isHidden) output.write('\n');
  return signal.aborted ? undefined : value;
}

/** Asks a person, who agrees with `y` or `yes`; everything else is a no. */
export async function prompt(
  person: Person,
  question: string,
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await ask(person, `${question} [y/N] `, signal);
  return /^y(es)?$/i.test(answer?.trim() ?? '');
}
