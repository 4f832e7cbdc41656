import { adviceFor } from '../core/advice.ts';
import { type SafeText, safe } from '../core/text/safe.ts';
import type { Sanitize } from '../core/text/sanitize.ts';
import { ServiceError } from '../service/errors.ts';
import { EarlyEnd, RunAborted } from './host.ts';

/**
 * An error in one line: what happened, and what to do.
 *
 * @param clean makes the message of an error that nobody foresaw printable and free of secrets
 */
export function explain(error: unknown, clean: Sanitize): SafeText {
  if (error instanceof ServiceError) return safe`${error.message}. ${adviceFor(error)}`;
  if (error instanceof RunAborted || error instanceof EarlyEnd) return error.message;
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return safe`unexpected, and a fault of this action: ${clean(words)}`;
}
