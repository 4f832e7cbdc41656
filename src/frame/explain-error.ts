import { adviceFor } from '../kernel/advice.ts';
import { type Coded, coded } from '../kernel/catalogue/coded.ts';
import { safe } from '../kernel/text/safe.ts';
import type { Sanitize } from '../kernel/text/sanitize.ts';
import { sentence } from '../kernel/text/sentence.ts';
import { ServiceError } from '../service/errors.ts';
import { EarlyEnd, RunAborted } from './host.ts';

/**
 * An error in one line: what happened, and what to do.
 *
 * @param clean makes the message of an error that nobody foresaw printable and free of secrets
 */
export function explainError(error: unknown, clean: Sanitize): Coded {
  if (error instanceof ServiceError) {
    const { code, advice } = adviceFor(error);
    return coded(code, safe`${sentence(error.message)} ${advice}`);
  }
  if (error instanceof RunAborted || error instanceof EarlyEnd) return error.message;
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return coded('SD9003', safe`Unexpected, and a fault of this action: ${clean(words)}`);
}
