import type { Variable } from '../../contract/environment.ts';

/** True if nobody has written a variable since it was created, as far as its times show. */
export const isUntouched = ({ createdAt, updatedAt }: Variable): boolean =>
  typeof createdAt === 'string' && createdAt === updatedAt;

/**
 * True if a variable that this run created seems to have been written more than once: it was touched, and in this
 * service new ones are not, and have another version. Its own times prove nothing: they may differ from the start.
 *
 * @param known all variables of the environment that were seen
 */
export function seemsWrittenOver(created: Variable, known: readonly Variable[]): boolean {
  const untouched = known.filter(isUntouched);
  if (isUntouched(created) || untouched.length === 0) return false;
  return untouched.every(({ version }) => version !== created.version);
}
