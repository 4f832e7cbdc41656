import { type SafeText, safe } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';

/** What two failures have in common if they are the same, but for what they are about and the request. */
function kindOf(error: unknown): string | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  const { operation, fault, status, code, detail, isLost } = error.details;
  return JSON.stringify([operation.name, fault, status, code, detail, isLost]);
}

/** Says of a failure that it is the same as an earlier one, with the request's id; undefined of the first. */
export type SameAs = (name: SafeText, error: unknown) => SafeText | undefined;

/** Makes what tells a failure in full once, and of what fails alike only that it does. */
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
    return safe`the same as ${first}${id}`;
  };
}
