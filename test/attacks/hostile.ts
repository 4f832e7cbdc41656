import { join } from 'node:path';
import {
  type ActionResult,
  type RunningAction,
  type RunOptions,
  startAction,
} from '../../emulator/runner.ts';
import { unpacked } from '../dist/run-step.ts';
import { type Answerer, startStub } from '../service/stub.ts';
import { shareProcess } from '../support/shared-process.ts';

export const projectId = '00000000-0000-4000-8000-00000000000a';
export const deploymentId = '00000000-0000-4000-8000-00000000000d';

/** What the action asks of a service. */
export type Asked =
  | 'environment'
  | 'deploy'
  | 'status'
  | 'events'
  | 'projects'
  | 'domain'
  | 'domains'
  | 'records'
  | 'messages'
  | 'unknown';

const places: readonly (readonly [Asked, RegExp])[] = [
  ['environment', /\/environment\b/],
  ['events', /\/events$/],
  ['status', /\/deployments\/./],
  ['deploy', /\/deployments$/],
  ['messages', /\/messages$/],
  ['projects', /^\/v1\/projects(\?|$)/],
  ['records', /\/dns-records\b/],
  ['domain', /^\/connected-domains\/./],
  ['domains', /^\/connected-domains$/],
];

/** What is asked by a request with this address. */
export function askedBy(url: string): Asked {
  return places.find(([, pattern]) => pattern.test(url))?.[0] ?? 'unknown';
}

/** Answers with JSON. */
export const json =
  (body: unknown, status = 200): Answerer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

/** Answers with an event stream that holds this text, and ends. */
export const events =
  (text: string): Answerer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(text);
  };

/** Answers with a status and headers, and without a body. */
export const refuse =
  (status: number, headers: Record<string, string> = {}): Answerer =>
  (response) => {
    response.writeHead(status, headers).end();
  };

/** A service whose answers a test chooses. */
export interface HostileService extends AsyncDisposable {
  url: string;
  /** How many requests have asked for something so far. */
  count(asked: Asked): number;
  /** Starts an action of `dist/`, by its folder's name; empty for the deploy action. */
  start(action: string, options?: Partial<RunOptions>): RunningAction;
  /** Runs it to its end. */
  run(action: string, options?: Partial<RunOptions>): Promise<ActionResult>;
}

/** Starts a service that takes a deployment which never ends, but for the answers that are given. */
export async function startHostile(
  answers: Partial<Record<Asked, Answerer>>,
): Promise<HostileService> {
  const usual: Partial<Record<Asked, Answerer>> = {
    environment: json({ variables: [] }),
    deploy: json({ deploymentId, status: 'queued' }, 202),
    status: json({ deploymentId, status: 'building' }),
    domains: json({ domains: [] }),
  };
  const stub = await startStub((response, request, n) => {
    const asked = askedBy(request.url);
    const answer = answers[asked] ?? usual[asked] ?? refuse(404);
    answer(response, request, n);
  });
  const start: HostileService['start'] = (action, options = {}) =>
    startAction({
      action: join(unpacked, action),
      event: { name: 'push', payload: { ref: 'refs/heads/main', after: 'a'.repeat(40) } },
      ...options,
      inputs: {
        'api-key': 'fake-key-of-attacks',
        'base-url': stub.url,
        'project-id': projectId,
        ...(action === '' ? { 'github-deployment': 'false' } : {}),
        ...options.inputs,
      },
    });
  return {
    url: stub.url,
    count: (asked) => stub.received.filter(({ url }) => askedBy(url) === asked).length,
    start,
    run: async (action, options) => {
      await using running = start(action, { launch: shareProcess, ...options });
      return await running.done;
    },
    [Symbol.asyncDispose]: () => stub[Symbol.asyncDispose](),
  };
}
