import { limits, surelyTooLong } from '../../contract/limits.ts';

/** The characters of a variable's name. */
export const namePattern = /^[^\s=\p{Cc}\p{Cf}]+$/u;

/** What is wrong with the name of a variable (section "Limits"): its characters, its length, or both. */
export function nameFaults(name: string): ('characters' | 'length')[] {
  return [
    ...(namePattern.test(name) ? [] : (['characters'] as const)),
    ...(surelyTooLong(name, limits.variableName.max) ? (['length'] as const) : []),
  ];
}
