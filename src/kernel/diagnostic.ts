import type { Code } from './code.ts';
import { asSentence } from './text/format.ts';
import type { SafeText } from './text/safe.ts';

/** An error or a warning. Text and code are joined where they are shown, by {@link printed}. */
export interface Diagnostic<Text extends string = SafeText> {
  /** Its entry in `docs/troubleshooting.md`. */
  readonly code: Code;
  /** Whole sentences: what went wrong, and what to do. */
  readonly text: Text;
  /** The default branch of the project's repository, if the error is that it has other branches than the one to push to. */
  readonly branch?: SafeText | undefined;
}

/** Makes an error or a warning from a text, which need not end in a period. */
export const diagnose = <Text extends string>(code: Code, text: Text): Diagnostic<Text> => ({
  code,
  text: asSentence(text) as Text,
});

/** The same error or warning with another text. */
export const reword = <Text extends string, Other extends string>(
  { text, ...others }: Diagnostic<Text>,
  change: (text: Text) => Other,
): Diagnostic<Other> => ({ ...others, ...diagnose(others.code, change(text)) });

/** The text, with the code at its end. */
export const printed = <Text extends string>({ code, text }: Diagnostic<Text>): Text =>
  `${text} (${code})` as Text;

/** Several as one, each with its own code; undefined if there are none. */
export const joinDiagnostics = <Text extends string>(
  all: readonly Diagnostic<Text>[],
): Diagnostic<Text> | undefined =>
  all.length === 0
    ? undefined
    : all.reduce((before, { code, text }) => ({
        code,
        text: `${printed(before)} ${text}` as Text,
      }));

/** An error with the diagnostic to show for it. */
export class DiagnosedError extends Error {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic, options?: ErrorOptions) {
    super(printed(diagnostic), options);
    this.diagnostic = diagnostic;
  }
}

/** The message about a required input that is empty. */
export const requiredAndEmpty = 'is required but empty';

/** A mistake in the workflow's inputs, found before anything is sent. Never contains a secret. */
export interface Problem {
  /** The input (or the source, such as an environment variable) that is wrong. */
  input: string;
  code: Code;
  /** What is wrong and what to do. One that begins with "is" is read as a sentence about the input. */
  message: string;
}
