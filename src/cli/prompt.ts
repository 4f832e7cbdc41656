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

/** Questions to a person. Lines that were typed ahead answer the next ones. Disposing ends them. */
export interface Questions extends Disposable {
  /**
   * Asks for a line.
   *
   * @param isHidden true if what they type is not shown
   * @returns undefined at the end of the input, at Ctrl-C and if the signal aborts
   */
  ask(question: string, isHidden?: boolean): Promise<string | undefined>;
  /** Shows a line. */
  say(text: string): void;
}

/** Opens questions to a person. Ctrl-C is as if the process got the signal, which the terminal does not send meanwhile. */
export function openQuestions({ input, output }: Person, signal: AbortSignal): Questions {
  // Between questions nothing is shown: what is typed ahead may be the answer to a hidden one.
  let isShown = false;
  let ahead = 0;
  const echo = new Writable({
    write: (chunk, _encoding, done) => {
      if (isShown) output.write(chunk);
      done();
    },
  });
  Object.assign(echo, { columns: Reflect.get(output, 'columns') });
  // Only as a terminal does it keep the system from showing what is typed.
  const lines = createInterface({ input, output: echo, terminal: true, historySize: 0, signal });
  const answers = lines[Symbol.asyncIterator]();
  lines.on('line', () => {
    isShown = false;
    ahead += 1;
  });
  lines.on('SIGINT', () => {
    lines.close();
    process.emit('SIGINT', 'SIGINT');
  });
  return {
    ask: async (question, isHidden = false) => {
      const isAhead = ahead > 0;
      isShown = !isHidden && !isAhead;
      if (isShown) {
        lines.setPrompt(question);
        lines.prompt(true);
      } else output.write(question);
      const { value } = await answers.next();
      ahead -= 1;
      if (isHidden) output.write('\n');
      else if (isAhead) output.write(`${value}\n`);
      return signal.aborted ? undefined : value;
    },
    say: (text) => {
      output.write(`${text}\n`);
    },
    [Symbol.dispose]: () => lines.close(),
  };
}

/** True if a person agrees with `y` or `yes`. */
export async function agrees(questions: Questions, question: string): Promise<boolean> {
  return /^y(es)?$/i.test((await questions.ask(`${question} [y/N] `))?.trim() ?? '');
}

/** Asks a person one question, who agrees with `y` or `yes`. */
export async function prompt(
  person: Person,
  question: string,
  signal: AbortSignal,
): Promise<boolean> {
  using questions = openQuestions(person, signal);
  return await agrees(questions, question);
}
