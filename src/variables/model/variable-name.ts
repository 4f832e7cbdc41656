import { limits, surelyTooLong } from '../../contract/limits.ts';

/** The characters of a variable's name. */
export const namePattern = /^[^\s=\p{Cc}\p{Cf}]+$/u;

/** What is wrong with the name of a variable (section "Limits"): its characters, its length, or both. */
export function nameFaults(name: string): ('characters' | 'length')[] {
  const isLong = surelyTooLong(name, limits.variableName.max);
  const faults = [!namePattern.test(name) && 'characters', isLong && 'length'] as const;
  return faults.filter((fault) => fault !== false);
}
