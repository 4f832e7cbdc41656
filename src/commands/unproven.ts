import { ServiceError } from '../service/errors.ts';

/** Thrown where a write may have been carried out, and nothing shows that it was. */
export class Unproven extends Error {
  override readonly name = 'Unproven';

  /**
   * @param operation in words, such as "replace the variable"
   * @param why what speaks against it, clean
   * @param answer what came of the request
   */
  constructor(operation: string, why: string, answer = 'the service answered with success') {
    super(`could not ${operation}: ${answer}, and ${why}`);
  }
}

/** Why nobody can tell whether a write was carried out: the look after it failed. */
export const unseen = (look: ServiceError): string =>
  `whether it was done cannot be seen: ${look.message}`;

/**
 * What stands after a write that did not clearly succeed, and a look after it that failed: the write's own error,
 * which says that it may be done. The look's would say nothing of it.
 */
export function afterFailedLook(
  write: ServiceError | Unproven,
  look: ServiceError,
): ServiceError | Unproven {
  if (!(write instanceof ServiceError) || !write.mayHaveArrived) return write;
  const answer = write.fault === 'body' ? undefined : 'the answer was lost';
  return new Unproven(write.details.operation, unseen(look), answer);
}
