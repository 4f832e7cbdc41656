import { type SafeText, safe } from '../kernel/text/safe.ts';

/** A number of things in words. */
export const countOf = (count: number, one: SafeText): SafeText =>
  count === 1 ? safe`1 ${one}` : safe`${count} ${one}s`;
