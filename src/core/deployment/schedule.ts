/** The longest pause between two polls, in milliseconds. */
const longestPause = 5000;

/**
 * The pause before the next poll, in milliseconds: half a second, and a twentieth of the time that passed,
 * so that an end is seen at most 5% of the elapsed time plus 0.5 s after it came. A twentieth is kept back for
 * the request itself, and jitter only shortens the rest.
 *
 * @param elapsed milliseconds since the deployment was accepted
 * @param random a number from 0 to 1
 */
export function pollPause(elapsed: number, random: number): number {
  return Math.min(longestPause, 500 + elapsed / 20) * (0.95 - 0.1 * random);
}
