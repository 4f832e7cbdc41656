import { type Operation, operations } from '../contract/operations.ts';

/** Something that is read, as far as it is needed to ask for it. */
export interface Prefetch {
  operation: Operation;
  /** With the query, without the base URL. */
  path: string;
  /** Of a question that is asked by `POST`. */
  body?: unknown;
}

/** A path made of segments, each encoded. */
export function pathOf(...segments: string[]): string {
  return `/${segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join('/')}`;
}

/**
 * The looks with which a run may begin: each can be asked for before the client is loaded that reads the answer (see
 * `Transport.begin`), and the client asks for the same.
 */
export const prefetch = {
  /** `GET /v1/projects`. */
  projects: (filter: string): Prefetch => ({
    operation: operations.listProjects,
    path: `/v1/projects?filter=${filter}`,
  }),
  /** `GET /v1/projects/{id}/environment`. */
  environment: (projectId: string): Prefetch => ({
    operation: operations.getEnvironment,
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
