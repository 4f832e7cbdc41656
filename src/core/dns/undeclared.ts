import type { Undeclared } from '../change.ts';
import { type SafeText, safe } from '../text/safe.ts';

const words: Readonly<Record<Undeclared, SafeText>> = {
  unknown: safe`the ledger does not hold its id`,
  'unknown-text': safe`the ledger does not hold its id, and no tag such as v=spf1 shows that both are for the same thing`,
  'other-text': safe`the ledger holds its id for another text: it was changed elsewhere, or the service gave the id to another record`,
};

/** Why a record does not count as one that the file declared, in words. */
export function describeUndeclared(why: Undeclared | undefined): SafeText {
  return words[why ?? 'unknown'];
}
