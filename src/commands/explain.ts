import { adviceFor } from '../core/advice.ts';
import { GitFailure } from '../core/git/failure.ts';
import { ServiceError } from '../service/errors.ts';
import { EarlyEnd, RunAborted } from './host.ts';

/**
 * An error in one line: what happened, and what to do. The client has cleaned what came from outside.
 *
 * @param clean makes the message of an error that nobody foresaw printable and free of secrets
 */
export function explain(error: unknown, clean: (text: string) => string): string {
  if (error instanceof ServiceError) return `${error.message}. ${adviceFor(error)}`;
  const isOurs = [RunAborted, EarlyEnd, GitFailure].some((kind) => error instanceof kind);
  if (isOurs && error instanceof Error) return error.message;
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `unexpected, and a fault of this action: ${clean(words)}`;
}
