/** How a step, or the job so far, stands. */
export type Conclusion = 'success' | 'failure' | 'cancelled';

const functions: Record<string, (job: Conclusion) => boolean> = {
  'always()': () => true,
  'success()': (job) => job === 'success',
  'failure()': (job) => job === 'failure',
  'cancelled()': (job) => job === 'cancelled',
  '!cancelled()': (job) => job !== 'cancelled',
};

/**
 * Tells whether a step with this `pre-if` or `post-if` runs.
 * @throws Error for a condition other than one status function.
 */
export function holds(condition: string, job: Conclusion): boolean {
  const bare = condition.replace(/^\s*\$\{\{(.*)\}\}\s*$/s, '$1').replaceAll(/\s/g, '');
  const test = functions[bare];
  if (test === undefined) throw new Error(`The condition ${condition} is not supported`);
  return test(job);
}
