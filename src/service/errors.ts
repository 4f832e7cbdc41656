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
 * - `answer`: the service returned an error status
 * - `body`: the service returned 2xx with an unusable body
 * - `unproven`: the service returned 2xx, or its response was lost, and nothing shows that the request took effect
 */
export type Fault = NetworkFault | 'answer' | 'body' | 'unproven';

/** The effect of a failed request: certainly none, unknown, or done according to the service. */
export type Effect = 'none' | 'unknown' | 'done';

export interface ServiceErrorDetails {
  fault: Fault;
  operation: Operation;
  /** Method and path, without the base URL. */
  request: SafeText;
  status?: number;
  /** The service's own code for the error. */
  code?: SafeText;
  /** The service's own message, or why the request is unproven; cut. */
  detail?: SafeText;
  requestId?: SafeText;
  /** Milliseconds to wait, as the service requests; of any size. See {@link ServiceError.pauseAfter}. */
  retryAfter?: number;
  /** Of an unproven request: true if no response came. */
  isLost?: boolean;
  /** An earlier attempt of the same request that may have arrived. */
  earlier?: ServiceError;
  /** Of the request to deploy: the commit was pushed by this step, or is in the project's repository already. */
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
      ? safe`the response was lost, and`
      : safe`the service reported success, but`;
    return safe`Could not ${name}: ${answer} ${detail}`;
  }
  const returned = status === undefined ? safe`` : safe` returned ${status}`;
  const said = joinSafe(
    [code, detail].filter((part) => part !== ''),
    ': ',
  );
  const id = requestId === undefined ? safe`` : safe` (request id ${requestId})`;
  return safe`Could not ${name}: ${request}${returned}${said === '' ? safe`` : safe`: ${said}`}${id}`;
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

  /** The effect of this attempt. A 5xx may come from a proxy after the service accepted the request. */
  get effect(): Effect {
    const { fault, status = 0, isLost = false } = this.details;
    if (fault === 'unproven') return isLost ? 'unknown' : 'done';
    if (fault !== 'answer') return effects[fault];
    return status === 408 || status >= 500 ? 'unknown' : 'none';
  }

  /** False only if no attempt of the request can have had an effect. */
  get mayHaveArrived(): boolean {
    return this.effect !== 'none' || this.details.earlier !== undefined;
  }

  /**
   * The pause before the next request, in milliseconds: what the service requested, but never less than `ordinary`.
   */
  pauseAfter(ordinary: number): number {
    return Math.max(ordinary, this.details.retryAfter ?? 0);
  }
}

/** False only if an error shows that a request had no effect: one aborted by the run's end may have had one. */
export const mayHaveArrived = (error: unknown): boolean =>
  !(error instanceof ServiceError) || error.mayHaveArrived;

/**
 * The error of a write that the service reported as a success, while nothing shows that it took effect.
 *
 * @param why the evidence against it, as the end of a sentence
 */
export function unproven(operation: Operation, why: SafeText): ServiceError {
  return new ServiceError({ fault: 'unproven', operation, request: safe``, detail: why });
}

/**
 * The error of a write that may have taken effect, where the read that would show it failed. A write that certainly
 * had no effect keeps its own error.
 */
export function unseen(write: ServiceError, look: ServiceError): ServiceError {
  if (!write.mayHaveArrived) return write;
  const { fault, effect, details } = write;
  const known = fault === 'unproven' ? safe`${details.detail ?? safe``}; ` : safe``;
  const detail = safe`${known}the result could not be checked: ${look.message}`;
  const isLost = effect !== 'done';
  return new ServiceError({ ...details, fault: 'unproven', detail, isLost });
}
