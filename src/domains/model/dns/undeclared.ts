import type { Undeclared } from '../../../kernel/change.ts';
import { type SafeText, safe } from '../../../kernel/text/safe.ts';

const words: Readonly<Record<Undeclared, SafeText>> = {
  unknown: safe`nothing shows that an earlier version of this file made it`,
  'unknown-text': safe`nothing shows that an earlier version of this file made it, and no tag such as v=spf1 shows that both are for the same thing`,
  'other-text': safe`an earlier version of this file made it with another text: it was changed elsewhere, or the service gave its id to another record`,
};

/** Why a record does not count as one that the file declared, in words. */
export function describeUndeclared(why: Undeclared | undefined): SafeText {
  return words[why ?? 'unknown'];
}
