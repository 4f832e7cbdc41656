import { type SafeText, safe } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';

/** A key that two failures share if only their subjects and requests differ. */
function kindOf(error: unknown): string | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  const { operation, fault, status, code, detail, isLost } = error.details;
  return JSON.stringify([operation.name, fault, status, code, detail, isLost]);
}

/** Refers to the first failure of the same kind, with the request's id; undefined for the first. */
export type SameAs = (name: SafeText, error: unknown) => SafeText | undefined;

/** Makes the function by which repeated failures are described in full only once. */
export function createSameAs(): SameAs {
  const firstOf = new Map<string, SafeText>();
  return (name, error) => {
    const kind = kindOf(error);
    if (kind === undefined) return undefined;
    const first = firstOf.get(kind);
    if (first === undefined) {
      firstOf.set(kind, name);
      return undefined;
    }
    const { requestId } = error instanceof ServiceError ? error.details : {};
    const id = requestId === undefined ? safe`` : safe` (request id ${requestId})`;
    return safe`same error as ${first}${id}`;
  };
}
