import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { RateLimit } from '../dialect.ts';
import { explain } from './checks.ts';
import { sameText } from './credentials.ts';
import { invalid, renderError, ServiceError } from './errors.ts';
import { Jitter } from './jitter.ts';
import type { Reply } from './reply.ts';
import {
  decodeBody,
  headerText,
  type RequestHead,
  type Surface,
  type WholeRequest,
} from './request.ts';
import { connectedDomainOperations } from './resources/connected-domains.ts';
import { deploymentProgressOperations } from './resources/deployment-progress.ts';
import { deploymentOperations } from './resources/deployments.ts';
import { dnsRecordOperations } from './resources/dns-records.ts';
import { domainCheckOperations } from './resources/domain-check.ts';
import { messageEventsOperation } from './resources/message-events.ts';
import { messageOperations } from './resources/messages.ts';
import { projectOperations } from './resources/projects.ts';
import { registeredDomainOperations } from './resources/registered-domains.ts';
import { environmentOperations } from './resources/variables.ts';
import { type Operation, type RawCall, route } from './router.ts';
import type { World } from './world.ts';

/** The emulated service: checks what section "Endpoints" states of every request and carries it out. */
export class Api implements Surface {
  readonly #world: World;
  readonly #operations: readonly Operation[];
  readonly #jitter: Jitter;
  #admitted = 0;
  #answered = 0;

  constructor(world: World) {
    this.#world = world;
    this.#jitter = new Jitter(world.dialect);
    this.#operations = [
      ...projectOperations(world),
      ...environmentOperations(world),
      ...deploymentOperations(world),
      ...deploymentProgressOperations(world),
      ...connectedDomainOperations(world),
      ...domainCheckOperations(world),
      ...dnsRecordOperations(world),
      ...registeredDomainOperations(world),
      ...messageOperations(world),
      messageEventsOperation(world),
    ];
  }

  operation({ method, path }: RequestHead): string {
    const target = route(this.#operations, method, path);
    return target.found === 'operation' ? target.operation.name : 'unknown';
  }

  async respond(request: WholeRequest): Promise<Reply> {
    const { dialect, signal } = this.#world;
    const { beforeEffect, beforeAnswer } = this.#jitter.next(this.operation(request));
    await pause(dialect.latencyMs + beforeEffect, signal);
    const reply = await this.#carryOut(request).catch((error: unknown) =>
      renderError(asServiceError(error, this.#world), dialect, quotable(request)),
    );
    await pause(beforeAnswer, signal);
    this.#answered += 1;
    if (dialect.requestIdHeader === null) return reply;
    const id = { [dialect.requestIdHeader]: `request-${this.#answered}` };
    return { ...reply, headers: { ...reply.headers, ...id } };
  }

  async #carryOut(request: WholeRequest): Promise<Reply> {
    this.#authenticate(request);
    this.#limitRate();
    const { operation, params } = this.#find(request);
    if (this.#world.dialect.refuse.includes(operation.name)) {
      throw new ServiceError(403, 'forbidden', `The key may not use ${operation.name}.`);
    }
    return await operation.handle({
      params,
      query: this.#readQuery(request),
      body: this.#readBody(request, operation),
      lastEventId: headerText(request, 'last-event-id'),
    });
  }

  #authenticate(request: RequestHead): void {
    const given = headerText(request, 'x-api-key');
    if (given !== null && sameText(given, this.#world.key)) return;
    const which = given === null ? 'is missing' : 'is unknown';
    throw new ServiceError(401, 'unauthorized', `The API key in x-api-key ${which}.`);
  }

  #limitRate(): void {
    const { rateLimit } = this.#world.dialect;
    this.#admitted += 1;
    if (rateLimit === null || this.#admitted % rateLimit.every !== 0) return;
    const { status } = rateLimit;
    throw new ServiceError(status, 'rate_limited', 'Too many requests.', retryAfter(rateLimit));
  }

  #find({ method, path }: RequestHead): { operation: Operation; params: Record<string, string> } {
    const target = route(this.#operations, method, path);
    if (target.found === 'operation') return target;
    if (target.found === 'nothing') {
      throw new ServiceError(404, 'no_such_path', `404: the emulator has no ${method} ${path}`);
    }
    const allow = { allow: target.allow.join(', ') };
    throw new ServiceError(
      405,
      'method_not_allowed',
      `405: the emulator has no ${method} for this path`,
      allow,
    );
  }

  #readQuery({ search }: RequestHead): Record<string, string> {
    const query: Record<string, string> = {};
    for (const [name, value] of new URLSearchParams(search)) {
      if (Object.hasOwn(query, name)) throw invalid(this.#world.dialect, `${name}: given twice`);
      query[name] = value;
    }
    return query;
  }

  #readBody({ body, headers }: WholeRequest, operation: Operation): RawCall['body'] {
    const { dialect } = this.#world;
    if (!operation.takesBody) {
      if (body.length === 0) return undefined;
      throw invalid(dialect, `${operation.name} does not take a body.`);
    }
    if (body.length === 0) {
      if (dialect.emptyBody === 'accept') return {};
      throw invalid(dialect, 'A body is required.');
    }
    if (!/^application\/json(\s*;\s*charset="?utf-8"?)?$/i.test(headers['content-type'] ?? '')) {
      throw new ServiceError(415, 'unsupported_media_type', 'The body must be application/json.');
    }
    return parseJson(body, () => invalid(dialect, 'The body is not JSON in UTF-8.'));
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds > 0) await delay(milliseconds, undefined, { signal });
}

function parseJson(body: Buffer, refusal: () => ServiceError): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw Object.assign(refusal(), { cause });
  }
}

function retryAfter({ retryAfter: form, seconds }: RateLimit): Record<string, string> {
  if (form === 'none') return {};
  const date = new Date(Date.now() + seconds * 1000).toUTCString();
  return { 'retry-after': form === 'date' ? date : String(seconds) };
}

function asServiceError(error: unknown, { dialect, signal }: World): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof z.ZodError) return invalid(dialect, explain(error));
  signal.throwIfAborted();
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return new ServiceError(500, 'emulator_error', `The emulator failed: ${detail}`);
}

/** What an error message quotes in a dialect that echoes: the value written, else the body, else the key. */
function quotable(request: WholeRequest): string {
  const sent = decodeBody(request.body);
  if (typeof sent === 'object' && sent !== null && 'value' in sent) return String(sent.value);
  return request.body.length > 0
    ? request.body.toString()
    : (headerText(request, 'x-api-key') ?? '');
}
