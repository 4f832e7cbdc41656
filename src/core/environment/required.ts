import type { Variable } from '../../contract/environment.ts';
import { isUntouched } from './fresh.ts';

/**
 * True if nothing shows that a variable which the service requires ever got a value: it applies to no runtime,
 * or it was never changed since it was created. A value itself can never be seen.
 */
export function hasNoValue(variable: Variable): boolean {
  if (!variable.preview && !variable.production) return true;
  return isUntouched(variable);
}
