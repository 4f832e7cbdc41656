import type { Code } from './code.ts';

/** What is wrong with an input that must be given. */
export const requiredAndEmpty = 'is required, and empty';

/** Something wrong with what the workflow gave, found before anything is sent. Never holds a secret. */
export interface Problem {
  /** The input (or the source, such as an environment variable) that is wrong. */
  input: string;
  code: Code;
  /** What is wrong with it and what to do. */
  message: string;
}
