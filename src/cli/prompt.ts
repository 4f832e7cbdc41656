import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A person at a terminal. */
export interface Person {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/** Asks a person, who agrees with `y` or `yes`; the end of the input, Ctrl-C and the signal are a no. */
export async function prompt(
  { input, output }: Person,
  question: string,
  signal: AbortSignal,
): Promise<boolean> {
  const lines = createInterface({ input, output, signal });
  const closed = once(lines, 'close').then(() => '');
  lines.on('SIGINT', () => lines.close());
  const answered = new Promise<string>((resolve) => lines.question(`${question} [y/N] `, resolve));
  const answer = await Promise.race([answered, closed]);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
