import type { z } from 'zod';
import {
  type AssignDomain,
  assignDomain,
  type ConnectDomain,
  type ConnectedDomain,
  connectDomain,
  connectedDomain,
  connectedDomains,
  disconnectDomain,
  disconnected,
  domainStatuses,
} from '../contract/connected-domain.ts';
import { operations } from '../contract/operations.ts';
import type { CallBounds, Caller } from './call.ts';
import { looks, pathOf } from './looks.ts';

/**
 * Section "Connected domains". Writes are repeated if they carry an idempotency key. An answer about another hostname
 * than the one that was asked for cannot be used.
 */
export interface ConnectedDomainsApi {
  /** `GET /connected-domains`: all domains of the organisation. */
  listConnectedDomains(signal?: AbortSignal): Promise<ConnectedDomain[]>;
  /** `POST /connected-domains`. */
  connectDomain(body: ConnectDomain): Promise<ConnectedDomain>;
  /** `GET /connected-domains/{hostname}`. */
  getConnectedDomain(
    hostname: string,
    revalidate: boolean,
    bounds?: CallBounds,
  ): Promise<ConnectedDomain>;
  /** `POST /connected-domains/status`: 1 to 50 hostnames. */
  getDomainStatuses(
    hostnames: readonly string[],
    revalidate: boolean,
    bounds?: CallBounds,
  ): Promise<ConnectedDomain[]>;
  /** `POST /connected-domains/{hostname}/project`; a `projectId` of null clears the assignment. */
  assignDomain(hostname: string, body: AssignDomain): Promise<ConnectedDomain>;
  /** `POST /connected-domains/{hostname}/disconnect`. */
  disconnectDomain(hostname: string, idempotencyKey: string): Promise<void>;
}

const fold = (hostname: string): string => hostname.toLowerCase().replace(/\.$/, '');

/** An answer that must be about one hostname: about another, it says nothing of it. */
function about<Answer extends { hostname: string }>(shape: z.ZodType<Answer>, hostname: string) {
  return shape.refine((answer) => fold(answer.hostname) === fold(hostname), {
    path: ['hostname'],
    message: 'is that of another domain',
  });
}

/** The operations on connected domains. */
export function connectedDomainsApi({ call }: Caller): ConnectedDomainsApi {
  return {
    listConnectedDomains: async (signal) => {
      const { domains } = await call({
        ...looks.connectedDomains(),
        answer: connectedDomains,
        signal,
      });
      return domains;
    },
    connectDomain: (body) =>
      call({
        operation: operations.connectDomain,
        path: '/connected-domains',
        answer: about(connectedDomain, body.hostname),
        send: { body, shape: connectDomain },
      }),
    getConnectedDomain: (hostname, revalidate, bounds) =>
      call({
        ...bounds,
        operation: operations.getConnectedDomain,
        path: `${pathOf('connected-domains', hostname)}?revalidate=${revalidate}`,
        answer: about(connectedDomain, hostname),
      }),
    getDomainStatuses: async (hostnames, revalidate, bounds) => {
      const { domains } = await call({
        ...bounds,
        operation: operations.getDomainStatuses,
        path: '/connected-domains/status',
        answer: connectedDomains,
        send: { body: { hostnames, revalidate }, shape: domainStatuses },
      });
      return domains;
    },
    assignDomain: (hostname, body) =>
      call({
        operation: body.projectId === null ? operations.clearDomain : operations.assignDomain,
        path: pathOf('connected-domains', hostname, 'project'),
        answer: about(connectedDomain, hostname),
        send: { body, shape: assignDomain },
      }),
    disconnectDomain: async (hostname, idempotencyKey) => {
      await call({
        operation: operations.disconnectDomain,
        path: pathOf('connected-domains', hostname, 'disconnect'),
        answer: about(disconnected, hostname),
        send: { body: { idempotencyKey }, shape: disconnectDomain },
      });
    },
  };
}
