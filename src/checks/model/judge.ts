import { formatDuration } from '../../kernel/text/duration.ts';
import { forFreeText, joinSafe, type SafeText, safe } from '../../kernel/text/safe.ts';
import { own } from './advice.ts';
import { type Check, wantsRedirect } from './check.ts';
import { type Answer, type Clean, headerOf, missIn, quote, showsCommit } from './misses.ts';

/** One look at a page. */
export interface Look {
  isGood: boolean;
  /** True if it surely is not as wanted: 404, 410, or another content. A fault that may pass proves nothing. */
  isAbsent: boolean;
  /** What it answered, in words. */
  says: SafeText;
  /** What somebody can do about that; empty if it is good. */
  advice: SafeText;
  /** How long it took; undefined without an answer. */
  milliseconds?: number;
  /** True if it is as wanted but for its time, so that another try may do. */
  isOnlySlow?: true;
  /** Whether it showed the commit, whatever else it lacked; absent if the check names none. */
  showsCommit?: boolean;
}

/**
 * What an answer, or the lack of one, means.
 *
 * @param now milliseconds since the epoch
 */
export function judge(
  check: Check,
  answer: Answer | { failure: string },
  clean: Clean,
  now: number,
): Look {
  const look = judgeAnswer(check, answer, clean, now);
  const { commit } = check;
  if (commit === undefined) return look;
  const shows = !('failure' in answer) && showsCommit({ answer, check, clean, now }, commit);
  return { ...look, showsCommit: shows };
}

function judgeAnswer(
  check: Check,
  answer: Answer | { failure: string },
  clean: Clean,
  now: number,
): Look {
  if ('failure' in answer) {
    const url = own(check, safe`verify-url`);
    const advice = safe`Is the name of ${url} in DNS, and does it serve a valid certificate?`;
    return { isGood: false, isAbsent: false, says: forFreeText(clean)(answer.failure), advice };
  }
  const { milliseconds, status } = answer;
  const miss = missIn({ answer, check, clean, now });
  if (miss !== undefined) return { isGood: false, milliseconds, ...miss };
  const { maxMs = Number.POSITIVE_INFINITY } = check;
  if (milliseconds > maxMs) {
    return {
      isGood: false,
      isAbsent: false,
      isOnlySlow: true,
      milliseconds,
      says: safe`answered ${status} only after ${formatDuration(milliseconds)}`,
      advice: safe`Make the page faster, or allow it more by max-ms.`,
    };
  }
  const withText = (check.contains ?? '') !== '' && check.from === 'inputs';
  const held = withText ? safe` with the text of verify-contains` : safe``;
  const all = [safe`answered ${status}${held}`];
  if (wantsRedirect(check)) all.push(quote(headerOf(answer, 'location') ?? '', clean));
  return {
    isGood: true,
    isAbsent: false,
    advice: safe``,
    milliseconds,
    says: joinSafe(all, ' to '),
  };
}
