/** The longest pause between two polls, in milliseconds. */
const longestPause = 5000;

/**
 * The pause before the next poll, in milliseconds: 0.3 s and 3% of the time that passed, so that an end is seen at
 * most so much later than it came. A thirtieth is kept back for the machine, and jitter only shortens the rest.
 *
 * @param elapsed milliseconds since the deployment was accepted
 * @param random a number from 0 to 1
 */
export function pollPause(elapsed: number, random: number): number {
  return Math.min(longestPause, 300 + 0.03 * elapsed) * (0.97 - 0.07 * random);
}
