import { type Operation, operations } from '../contract/operations.ts';

/** A read request. */
export interface Prefetch {
  operation: Operation;
  /** With the query, without the base URL. */
  path: string;
  /** Of a read sent as `POST`. */
  body?: unknown;
}

/** A path made of segments, each encoded. */
export function pathOf(...segments: string[]): string {
  return `/${segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join('/')}`;
}

/**
 * The reads with which a run may begin: each can be sent before the client that reads the response is loaded (see
 * `Transport.begin`); the client then sends the same request.
 */
export const prefetch = {
  /** `GET /v1/projects`. */
  projects: (filter: string): Prefetch => ({
    operation: operations.listProjects,
    path: `/v1/projects?filter=${filter}`,
  }),
  /** `GET /v1/projects/{id}/environment`. */
  environment: (projectId: string): Prefetch => ({
    operation: operations.readEnvironment,
    path: pathOf('v1', 'projects', projectId, 'environment'),
  }),
  /** `GET /v1/projects/{id}/messages`. */
  messages: (projectId: string): Prefetch => ({
    operation: operations.listMessages,
    path: pathOf('v1', 'projects', projectId, 'messages'),
  }),
  /** `GET /connected-domains`. */
  connectedDomains: (): Prefetch => ({
    operation: operations.listConnectedDomains,
    path: '/connected-domains',
  }),
  /** `POST /domain/check`. */
  availability: (domains: readonly string[]) => ({
    operation: operations.checkDomains,
    path: '/domain/check',
    body: { domains },
  }),
} as const;
