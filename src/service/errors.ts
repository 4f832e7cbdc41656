import type { Operation } from '../contract/operations.ts';
import type { NetworkFault } from '../http/faults.ts';
import { joinSafe, type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';

/**
 * What went wrong with a request to the service.
 *
 * - `invalid`: the request breaks a limit that the interface states; nothing was sent
 * - `connect`: no connection could be opened; nothing was sent
 * - `broken`: the connection broke, so the request may have arrived
 * - `timeout`: a phase took too long, so the request may have arrived
 * - `answer`: the service answered with an error status
 * - `body`: the service answered 2xx with a body that cannot be used
 * - `unproven`: the service answered 2xx, or its answer was lost, and nothing shows that it was carried out
 */
export type Fault = NetworkFault | 'answer' | 'body' | 'unproven';

/** What a request that failed may have done on the other side: surely nothing; or it was done, says the service. */
export type Effect = 'none' | 'unknown' | 'done';

/** What is known of a failure, beside its message. */
export interface ServiceErrorDetails {
  fault: Fault;
  operation: Operation;
  /** Method and path, without the base URL. */
  request: SafeText;
  status?: number;
  /** The service's own code for the error. */
  code?: SafeText;
  /** The service's own words, or what speaks against it; cut. */
  detail?: SafeText;
  requestId?: SafeText;
  /** Milliseconds that the service asked to wait: a wish, of any size. See {@link ServiceError.pauseAfter}. */
  retryAfter?: number;
  /** Of what is unproven: true if no answer came. */
  isLost?: boolean;
  /** An earlier try of the same request that may have arrived. */
  earlier?: ServiceError;
  /** Of the request to deploy: the commit was pushed by this step, or is what is there already. */
  brought?: 'pushed' | 'there';
  cause?: unknown;
}

const effects: Readonly<Record<Exclude<Fault, 'answer' | 'unproven'>, Effect>> = {
  invalid: 'none',
  connect: 'none',
  broken: 'unknown',
  timeout: 'unknown',
  body: 'done',
};

function describe(details: ServiceErrorDetails): SafeText {
  const { fault, operation, request, status, code = safe``, detail = safe``, requestId } = details;
  const name = unsafeText(operation.name);
  if (fault === 'unproven') {
    const answer = details.isLost
      ? safe`the answer was lost`
      : safe`the service answered with success`;
    return safe`Could not ${name}: ${answer}, and ${detail}`;
  }
  const answered = status === undefined ? safe`` : safe` answered ${status}`;
  const said = joinSafe(
    [code, detail].filter((part) => part !== ''),
    ': ',
  );
  const id = requestId === undefined ? safe`` : safe` (request id ${requestId})`;
  return safe`Could not ${name}: ${request}${answered}${said === '' ? safe`` : safe`: ${said}`}${id}`;
}

/** Every failure of the service's client is one of these, except that the run's signal aborted. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  declare readonly message: SafeText;
  readonly details: ServiceErrorDetails;

  constructor(details: ServiceErrorDetails) {
    super(describe(details), { cause: details.cause });
    this.details = details;
  }

  get fault(): Fault {
    return this.details.fault;
  }

  get status(): number | undefined {
    return this.details.status;
  }

  /** What this try may have done. A 5xx may come from a proxy after the service took the request. */
  get effect(): Effect {
    const { fault, status = 0, isLost = false } = this.details;
    if (fault === 'unproven') return isLost ? 'unknown' : 'done';
    if (fault !== 'answer') return effects[fault];
    return status === 408 || status >= 500 ? 'unknown' : 'none';
  }

  /** True unless it is certain that no try of the request had an effect. */
  get mayHaveArrived(): boolean {
    return this.effect !== 'none' || this.details.earlier !== undefined;
  }

  /**
   * The pause before the next request, in milliseconds: what the service asked for, but never less than our own. A
   * caller waits no longer than its signal allows.
   */
  pauseAfter(ordinary: number): number {
    return Math.max(ordinary, this.details.retryAfter ?? 0);
  }
}

/** True unless an error tells that a request had no effect: one that the run's end cut off may have had one. */
export const mayHaveArrived = (error: unknown): boolean =>
  !(error instanceof ServiceError) || error.mayHaveArrived;

/**
 * The error of a write that the service answered with success, while nothing shows that it was carried out.
 *
 * @param why what speaks against it
 */
export function unproven(operation: Operation, why: SafeText): ServiceError {
  return new ServiceError({ fault: 'unproven', operation, request: safe``, detail: why });
}

/**
 * The error of a write that may have been carried out, where the look that would show it failed: the look's own error
 * says nothing of the write. What surely had no effect stays as it is.
 */
export function unseen(write: ServiceError, look: ServiceError): ServiceError {
  if (!write.mayHaveArrived) return write;
  const { fault, effect, details } = write;
  const known = fault === 'unproven' ? safe`${details.detail ?? safe``}; ` : safe``;
  const detail = safe`${known}whether it was done cannot be seen: ${look.message}`;
  const isLost = effect !== 'done';
  return new ServiceError({ ...details, fault: 'unproven', detail, isLost });
}
