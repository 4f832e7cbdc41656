import type { Outcome } from '../../../src/kernel/outcome.ts';
import { decode } from '../../support/report/decode.ts';

/** What a step says of one write. */
export interface RepeatDetector {
  outcome: Outcome;
  /** Whether it says that the write is done. */
  claim: 'done' | 'left alone' | 'in doubt' | 'not done';
  /** The lines of its log, with the error. */
  log: string;
  /** What stands in the summary. */
  summary: string;
}

/** What is so in the service. */
export interface IsSo {
  /** How often that which was asked for stands: 0, 1, or more. */
  stands: number;
}

const good: ReadonlySet<Outcome> = new Set(['succeeded', 'synced', 'cleaned-up']);

/** Sentences that name somebody else as a fact: nobody else is at work. */
function blames(text: string): boolean {
  const sentences = text.split(/[.:;\n]/);
  return sentences.some(
    (one) =>
      /somebody else|outside this action/.test(one) &&
      !/\bor\b|\bmay\b|cannot be known|not confirmed/.test(one),
  );
}

const speaksOfTwo = /twice|more than one|two of|two variables|sent again|[2-9] (times|variables)/;
const speaksOfDoubt =
  /\bmay\b|\bmaybe\b|probably|whether|likely|cannot be known|can't confirm|not confirmed|\bor by\b/;

/**
 * What a step says that is not so. One rule for every write and every answer:
 *
 * - what it says is done stands;
 * - a run that ended well says that it is done, and it is; or that it was left alone, as the policy has it;
 * - of what it says could not be done and what stands nevertheless, it says that it may be so;
 * - what stands twice is never passed over, neither in the log nor in the summary;
 * - somebody else is not blamed while nobody else is there.
 */
export function untruths(said: RepeatDetector, { stands }: IsSo): string[] {
  const { outcome, claim, log } = said;
  const summary = decode(said.summary);
  const isGood = good.has(outcome);
  const both = `${log}\n${summary}`;
  const isOpen = speaksOfDoubt.test(both) || speaksOfTwo.test(both);
  const rules: readonly (readonly [boolean, string])[] = [
    [claim === 'done' && stands === 0, 'says that it is done, and it is not'],
    [isGood && stands === 0, `ends as ${outcome}, and it is not done`],
    [
      isGood && claim !== 'done' && claim !== 'left alone',
      `ends as ${outcome}, and does not say that it is done`,
    ],
    [claim !== 'done' && stands > 0 && !isOpen, 'fails, and does not say that it may be done'],
    [stands > 1 && !speaksOfTwo.test(log), 'made it twice, and the log is silent'],
    [stands > 1 && !speaksOfTwo.test(summary), 'made it twice, and the summary is silent'],
    [blames(both), 'blames somebody else'],
  ];
  return rules.filter(([isUntrue]) => isUntrue).map(([, words]) => words);
}
