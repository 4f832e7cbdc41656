/** The longest pause between two polls, in milliseconds. */
const longestPause = 5000;

/**
 * The pause before the next poll, in milliseconds: 0.3 s and 3% of the elapsed time, which limits how late an end is
 * found. A thirtieth is reserved for the machine, and jitter only shortens the rest.
 *
 * @param elapsed milliseconds since the deployment was accepted
 * @param random a number from 0 to 1
 */
export function pollPause(elapsed: number, random: number): number {
  return Math.min(longestPause, 300 + 0.03 * elapsed) * (0.97 - 0.07 * random);
}
