import type { Variable } from '../../contract/environment.ts';

/**
 * True if nothing shows that a variable which the service requires ever got a value: it applies to no runtime,
 * or it was never changed since it was created. A value itself can never be seen.
 */
export function hasNoValue({ preview, production, createdAt, updatedAt }: Variable): boolean {
  if (!preview && !production) return true;
  return typeof createdAt === 'string' && createdAt === updatedAt;
}
