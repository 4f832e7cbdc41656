import { z } from 'zod';
import type { Reply } from './reply.ts';

/** A request for an operation, after its path, query and body were found to have the right shape. */
export interface Call<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The header `last-event-id`, for event streams. */
  readonly lastEventId: string | null;
}

/** A request for an operation as it came: strings from the path and the query, and parsed JSON. */
export type RawCall = Call<Record<string, string>, Record<string, string>, unknown>;

/** One operation of the service. */
export interface Operation {
  readonly name: string;
  readonly method: string;
  /** The parts of the path's template: `/v1/projects/{id}`. */
  readonly parts: readonly string[];
  readonly takesBody: boolean;
  /**
   * Checks a request's shape and carries it out.
   * @throws a `ZodError` if the shape is wrong, a `ServiceError` if the request is refused
   */
  handle(call: RawCall): Promise<Reply>;
}

/** The parameters of a path that has none. */
export const noParams = z.object({});

/** The query of an operation that takes none. */
export const noQuery = z.strictObject({});

/** The body of an operation that takes none. */
export const noBody = z.undefined();

/** A shape of one world's is hardly used twice: a parser of its own, as the library would compile, never pays. */
const parsing = { jitless: true } as const;

/** Describes an operation. Its handler gets what its shapes describe. */
export function operation<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
>(definition: {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  params: P;
  query: Q;
  /** A function is called when it is first needed: a world is asked for few of its operations. */
  body: B | (() => B);
  handle(call: Call<z.infer<P>, z.infer<Q>, z.infer<B>>): Promise<Reply> | Reply;
}): Operation {
  const { name, method, path, params, query, body, handle } = definition;
  let shape = typeof body === 'function' ? undefined : body;
  const bodyShape = () => {
    shape ??= typeof body === 'function' ? body() : body;
    return shape;
  };
  return {
    name,
    method,
    parts: path.split('/'),
    takesBody: !(body instanceof z.ZodUndefined),
    handle: async (call) =>
      await handle({
        params: params.parse(call.params),
        query: query.parse(call.query),
        body: bodyShape().parse(call.body, parsing),
        lastEventId: call.lastEventId,
      }),
  };
}

/** Where a request's method and path lead. */
export type Route =
  | { found: 'operation'; operation: Operation; params: Record<string, string> }
  | { found: 'path'; allow: readonly string[] }
  | { found: 'nothing' };

/** Finds the operation that a method and a path lead to, or the methods that the path has instead. */
export function route(operations: readonly Operation[], method: string, path: string): Route {
  const allow: string[] = [];
  const given = path.split('/');
  for (const candidate of operations) {
    const params = match(candidate.parts, given);
    if (params === null) continue;
    if (candidate.method === method) return { found: 'operation', operation: candidate, params };
    allow.push(candidate.method);
  }
  return allow.length > 0 ? { found: 'path', allow } : { found: 'nothing' };
}

function match(wanted: readonly string[], given: readonly string[]): Record<string, string> | null {
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith('{')) params[part.slice(1, -1)] = value;
    else if (part !== value) return null;
  }
  return params;
}
