import { type SafeText, safe } from '../../core/text/safe.ts';
import { ServiceError } from '../../service/errors.ts';
import type { WriteAttempt } from './sync.ts';

/** What two failures have in common if they are the same, but for the variable and the request that they are about. */
function kindOf(error: unknown): string | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  const { operation, fault, status, code, detail, isLost } = error.details;
  return JSON.stringify([operation.name, fault, status, code, detail, isLost]);
}

/** Tells a failure in full once, and of the variables that fail alike only that they do, with the request's id. */
export function createFailureTeller(): (attempt: WriteAttempt) => WriteAttempt {
  const firstOf = new Map<string, SafeText>();
  return (attempt) => {
    const { result, error } = attempt;
    const kind = result.outcome === 'failed' ? kindOf(error) : undefined;
    if (kind === undefined) return attempt;
    const first = firstOf.get(kind);
    if (first === undefined) {
      firstOf.set(kind, result.name);
      return attempt;
    }
    const { requestId } = error instanceof ServiceError ? error.details : {};
    const id = requestId === undefined ? safe`` : safe` (request id ${requestId})`;
    return { ...attempt, result: { ...result, reason: safe`the same as ${first}${id}` } };
  };
}
