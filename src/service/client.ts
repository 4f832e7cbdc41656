import type { z } from 'zod';
import {
  type AssignDomain,
  assignDomain,
  type ConnectDomain,
  connectDomain,
  connectedDomain,
  connectedDomains,
  disconnectDomain,
  disconnected,
  domainStatuses,
} from '../contract/connected-domain.ts';
import {
  dnsRecord,
  dnsRecords,
  type WriteDnsRecord,
  writeDnsRecord,
} from '../contract/dns-record.ts';
import {
  type CreateVariable,
  createVariable,
  type DeleteVariable,
  deleteVariable,
  environment,
  type ReplaceVariable,
  type RetargetVariable,
  replaceVariable,
  retargetVariable,
} from '../contract/environment.ts';
import { type Operation, operations } from '../contract/operations.ts';
import {
  type CreateDeployment,
  type CreateProject,
  createDeployment,
  createProject,
  deployment,
  message,
  messages,
  type ProjectFilter,
  project,
  projects,
  type SendMessage,
  sendMessage,
} from '../contract/project.ts';
import {
  availabilities,
  type BindDomain,
  bindDomain,
  checkDomains,
  registeredDomain,
  type SetRenewal,
  setRenewal,
  unbindDomain,
} from '../contract/registered-domain.ts';
import { type Call, type CallBounds, type CallOptions, createCaller } from './call.ts';
import type { ServiceError } from './errors.ts';
import { pathOf, prefetch } from './http.ts';

/**
 * The service's interface as functions. Each throws ServiceError, or the reason of the run's signal once
 * that aborts; retries follow the policy of each request, which {@link operations} names.
 */
export type ServiceClient = ReturnType<typeof createClient>;

const foldHostname = (hostname: string): string => hostname.toLowerCase().replace(/\.$/, '');

/** A response that must be about one hostname. */
function answerAbout<Answer extends { hostname: string }>(
  shape: z.ZodType<Answer>,
  hostname: string,
) {
  return shape.refine((answer) => foldHostname(answer.hostname) === foldHostname(hostname), {
    path: ['hostname'],
    message: 'belongs to another domain',
  });
}

const variables = (projectId: string, ...rest: string[]) =>
  pathOf('v1', 'projects', projectId, 'environment', ...rest);

/** Makes a client with one connection pool; close it when the run ends. */
export function createClient(options: CallOptions) {
  const caller = createCaller(options);
  const { call, readOnce, openEvents, close } = caller;
  const write = <T>(
    operation: Operation,
    path: string,
    answer: z.ZodType<T>,
    send: NonNullable<Call<T>['send']>,
  ) => call({ operation, path, answer, send });
  return {
    readOnce,
    openEvents,
    close,
    /** How many requests were sent so far, including retries. */
    get requests() {
      return caller.requests;
    },
    /** How many attempts found no connection, so that nothing of them was sent. */
    get unconnected() {
      return caller.unconnected;
    },
    /** The operation without a response when the run's signal aborted. */
    get cutOff() {
      return caller.cutOff;
    },

    /** Section "Projects": most recently active first. */
    listProjects: (filter: ProjectFilter) =>
      call({ ...prefetch.projects(filter), answer: projects }),
    createProject: (body: CreateProject) =>
      write(operations.createProject, '/v1/projects', project, { body, shape: createProject }),

    /** Section "Environment variables". A signal of its own may end it early. */
    readEnvironment: (projectId: string, signal?: AbortSignal) =>
      call({ ...prefetch.environment(projectId), answer: environment, signal }),
    createVariable: (projectId: string, body: CreateVariable) =>
      write(operations.createVariable, variables(projectId), environment, {
        body,
        shape: createVariable,
      }),
    replaceVariable: (projectId: string, id: string, body: ReplaceVariable) =>
      write(operations.replaceVariable, variables(projectId, id), environment, {
        body,
        shape: replaceVariable,
      }),
    retargetVariable: (projectId: string, id: string, body: RetargetVariable) =>
      write(operations.retargetVariable, variables(projectId, id), environment, {
        body,
        shape: retargetVariable,
      }),
    deleteVariable: (projectId: string, id: string, body: DeleteVariable) =>
      write(operations.deleteVariable, variables(projectId, id), environment, {
        body,
        shape: deleteVariable,
      }),

    /**
     * Section "Deployments".
     *
     * @param onLost called for each attempt that may have arrived and is repeated
     */
    createDeployment: (
      projectId: string,
      body: CreateDeployment,
      onLost?: (error: ServiceError) => void,
    ) =>
      call({
        operation: operations.createDeployment,
        path: pathOf('v1', 'projects', projectId, 'deployments'),
        answer: deployment,
        send: { body, shape: createDeployment },
        onLost,
      }),

    /** Section "Messages". A turn's events are read with `openEvents`. */
    sendMessage: (projectId: string, body: SendMessage) =>
      write(operations.sendMessage, prefetch.messages(projectId).path, message, {
        body,
        shape: sendMessage,
      }),
    /** In creation order. A signal of its own may end it early. */
    listMessages: (projectId: string, signal?: AbortSignal) =>
      call({ ...prefetch.messages(projectId), answer: messages, signal }),

    /** Section "Connected domains": all of the organization. */
    listConnectedDomains: async (signal?: AbortSignal) => {
      const { domains } = await call({
        ...prefetch.connectedDomains(),
        answer: connectedDomains,
        signal,
      });
      return domains;
    },
    connectDomain: (body: ConnectDomain) =>
      write(
        operations.connectDomain,
        '/connected-domains',
        answerAbout(connectedDomain, body.hostname),
        {
          body,
          shape: connectDomain,
        },
      ),
    readConnectedDomain: (hostname: string, revalidate: boolean, bounds?: CallBounds) =>
      call({
        ...bounds,
        operation: operations.readConnectedDomain,
        path: `${pathOf('connected-domains', hostname)}?revalidate=${revalidate}`,
        answer: answerAbout(connectedDomain, hostname),
      }),
    /** 1 to 50 hostnames. */
    readConnectedDomainStatuses: async (
      hostnames: readonly string[],
      revalidate: boolean,
      bounds?: CallBounds,
    ) => {
      const { domains } = await call({
        ...bounds,
        operation: operations.readConnectedDomainStatuses,
        path: '/connected-domains/status',
        answer: connectedDomains,
        send: { body: { hostnames, revalidate }, shape: domainStatuses },
      });
      return domains;
    },
    /** A `projectId` of null clears the assignment. */
    assignDomain: (hostname: string, body: AssignDomain) =>
      write(
        body.projectId === null ? operations.clearDomain : operations.assignDomain,
        pathOf('connected-domains', hostname, 'project'),
        answerAbout(connectedDomain, hostname),
        { body, shape: assignDomain },
      ),
    disconnectDomain: async (hostname: string, idempotencyKey: string) => {
      await write(
        operations.disconnectDomain,
        pathOf('connected-domains', hostname, 'disconnect'),
        answerAbout(disconnected, hostname),
        { body: { idempotencyKey }, shape: disconnectDomain },
      );
    },

    /**
     * Section "Registered domains", which has no way to list or read one: only the response to a write shows its state.
     * 1 to 20 names; the order of the results is not specified.
     */
    checkDomains: async (domains: readonly string[], signal?: AbortSignal) => {
      const { body, ...request } = prefetch.availability(domains);
      const send = { body, shape: checkDomains };
      const { results } = await call({ ...request, answer: availabilities, send, signal });
      return results;
    },
    setRenewal: (name: string, body: SetRenewal) =>
      write(
        body.enabled ? operations.enableRenewal : operations.disableRenewal,
        pathOf('domains', name, 'renewal'),
        registeredDomain,
        { body, shape: setRenewal },
      ),
    bindDomain: (name: string, body: BindDomain) =>
      write(operations.bindDomain, pathOf('domains', name, 'bind'), registeredDomain, {
        body,
        shape: bindDomain,
      }),
    unbindDomain: (name: string, idempotencyKey: string) =>
      write(operations.unbindDomain, pathOf('domains', name, 'unbind'), registeredDomain, {
        body: { idempotencyKey },
        shape: unbindDomain,
      }),
    /** Includes those that the system manages. */
    listDnsRecords: async (name: string, signal?: AbortSignal) => {
      const { records } = await call({
        operation: operations.listDnsRecords,
        path: pathOf('domains', name, 'dns-records'),
        answer: dnsRecords,
        signal,
      });
      return records;
    },
    /**
     * Never repeated automatically if it may have arrived, not even with an idempotency key: a service that ignores
     * keys would create a second record. The caller lists the records first.
     */
    createDnsRecord: (name: string, body: WriteDnsRecord) =>
      write(operations.createDnsRecord, pathOf('domains', name, 'dns-records'), dnsRecord, {
        body,
        shape: writeDnsRecord,
      }),
    updateDnsRecord: (name: string, recordId: string, body: WriteDnsRecord) =>
      write(
        operations.updateDnsRecord,
        pathOf('domains', name, 'dns-records', recordId),
        dnsRecord,
        { body, shape: writeDnsRecord },
      ),
  };
}
