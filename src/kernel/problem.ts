import type { Code } from './code.ts';

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
