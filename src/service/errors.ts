import type { NetworkFault } from '../http/faults.ts';

/**
 * What went wrong with a request to the service.
 *
 * - `invalid`: the request breaks a limit that the interface states; nothing was sent
 * - `connect`: no connection could be opened; nothing was sent
 * - `broken`: the connection broke, so the request may have arrived
 * - `timeout`: a phase took too long, so the request may have arrived
 * - `answer`: the service answered with an error status
 * - `body`: the service answered 2xx with a body that cannot be used
 */
export type Fault = NetworkFault | 'answer' | 'body';

/** What is known of a failure, beside its message. */
export interface ServiceErrorDetails {
  fault: Fault;
  /** The operation in words, such as "create the deployment". */
  operation: string;
  /** Method and path, without the base URL. */
  request: string;
  status?: number;
  /** The service's own code for the error. */
  code?: string;
  /** The service's own words, cleaned and cut. */
  detail?: string;
  requestId?: string;
  /** Milliseconds that the service asked to wait: a wish, of any size. See {@link ServiceError.pauseAfter}. */
  retryAfter?: number;
  /** An earlier try of the same request that may have arrived. */
  earlier?: ServiceError;
  cause?: unknown;
}

function describe(details: ServiceErrorDetails): string {
  const { operation, request, status, code, detail, requestId } = details;
  const answered = status === undefined ? '' : ` answered ${status}`;
  const said = [code, detail].filter((part) => part !== undefined && part !== '').join(': ');
  const id = requestId === undefined ? '' : ` (request id ${requestId})`;
  return `could not ${operation}: ${request}${answered}${said === '' ? '' : `: ${said}`}${id}`;
}

/** Every failure of the service's client is one of these, except that the run's signal aborted. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
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

  /**
   * The pause before the next request, in milliseconds: what the service asked for, but never less than our own. A
   * caller waits no longer than its signal allows.
   */
  pauseAfter(ordinary: number): number {
    return Math.max(ordinary, this.details.retryAfter ?? 0);
  }

  /** True unless it is certain that the request had no effect. */
  get mayHaveArrived(): boolean {
    if (this.fault === 'invalid' || this.surelyNotApplied) return false;
    return this.fault !== 'answer' || this.status === 408 || (this.status ?? 0) >= 500;
  }

  /** True if the request surely had no effect and may be sent again as it is. */
  get surelyNotApplied(): boolean {
    return this.fault === 'connect' || this.status === 429;
  }
}
