import { STATUS_CODES } from 'node:http';
import type { Dialect, ErrorShape } from '../dialect.ts';
import { empty, htmlPage, json, type Reply, text } from './reply.ts';

/** A request that the service refuses. The message may be shown to the caller. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** A request that breaks a stated rule of the interface. */
export function invalid(dialect: Dialect, message: string): ServiceError {
  return new ServiceError(dialect.invalidStatus, 'invalid_request', message);
}

/** Something that the path or the body names does not exist. */
export function notFound(what: string): ServiceError {
  return new ServiceError(404, 'not_found', `${what} was not found.`);
}

type Renderer = (error: { status: number; code: string; message: string }) => Reply;

const renderers: Record<ErrorShape, Renderer> = {
  problem: ({ status, code, message }) => {
    const title = STATUS_CODES[status] ?? 'Error';
    const body = { type: 'about:blank', title, status, detail: message, code };
    return text(status, 'application/problem+json', JSON.stringify(body));
  },
  nested: ({ status, code, message }) => json(status, { error: { code, message } }),
  string: ({ status, message }) => json(status, { error: message }),
  message: ({ status, message }) => json(status, { message }),
  list: ({ status, code, message }) => json(status, { errors: [{ code, message }] }),
  text: ({ status, message }) => text(status, 'text/plain', message),
  html: ({ status, message }) => text(status, 'text/html', htmlPage(`${status} ${message}`)),
  empty: ({ status }) => empty(status),
};

/**
 * An error as an answer in the dialect's shape (section "Errors": codes and shapes are not shown).
 * @param sent what the caller sent, quoted if the dialect echoes values
 */
export function renderError(error: ServiceError, dialect: Dialect, sent: string): Reply {
  const parts = [error.message];
  if (dialect.echoValues && sent !== '') parts.push(`Received: ${sent}`);
  if (dialect.hostileText !== null) parts.push(dialect.hostileText);
  const { status, code } = error;
  const reply = renderers[dialect.errorShape]({ status, code, message: parts.join(' ') });
  return { ...reply, headers: { ...reply.headers, ...error.headers } };
}
