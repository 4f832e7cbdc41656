import type { Reply } from './exchange.ts';

/** One entry of `errors` in GitHub's answer 422 or 409. */
export type FieldError = {
  resource: string;
  code: string;
  field: string;
  message?: string;
  [more: string]: unknown;
};

/** Thrown by an operation that does not carry a request out: GitHub's status and words. */
export class RequestRefusal extends Error {
  readonly status: number;
  readonly errors: readonly FieldError[];

  constructor(status: number, message: string, errors: readonly FieldError[] = []) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

/** GitHub's 404. */
export const notFound = () => new RequestRefusal(404, 'Not Found');

/** GitHub's 422 for a field whose value it does not take. */
export const invalid = (error: FieldError) => new RequestRefusal(422, 'Validation Failed', [error]);

/** An error as GitHub answers it. `documentation_url` is the page of the operation, if there is one. */
export function failure(
  {
    status,
    message,
    errors = [],
  }: Pick<RequestRefusal, 'status' | 'message'> & Partial<RequestRefusal>,
  documentation_url = 'https://docs.github.com/rest',
): Reply {
  const details = errors.length === 0 ? {} : { errors };
  return { status, body: { message, ...details, documentation_url, status: String(status) } };
}
