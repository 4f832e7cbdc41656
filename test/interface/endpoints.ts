import type { ActionName } from '../../src/inputs.ts';

/** All endpoints of the interface, by section, under the emulator's name of each. */
const sections = {
  Projects: {
    listProjects: 'GET /v1/projects',
    createProject: 'POST /v1/projects',
  },
  Messages: {
    sendMessage: 'POST /v1/projects/{id}/messages',
    listMessages: 'GET /v1/projects/{id}/messages',
  },
  Deployments: {
    createDeployment: 'POST /v1/projects/{id}/deployments',
  },
  'Environment variables': {
    readEnvironment: 'GET /v1/projects/{id}/environment',
    createVariable: 'POST /v1/projects/{id}/environment',
    replaceVariable: 'PUT /v1/projects/{id}/environment/{eid}',
    retargetVariable: 'PATCH /v1/projects/{id}/environment/{eid}',
    deleteVariable: 'DELETE /v1/projects/{id}/environment/{eid}',
  },
  'Connected domains': {
    listConnectedDomains: 'GET /connected-domains',
    connectDomain: 'POST /connected-domains',
    readConnectedDomain: 'GET /connected-domains/{hostname}',
    readConnectedDomainStatuses: 'POST /connected-domains/status',
    assignDomain: 'POST /connected-domains/{hostname}/project',
    disconnectDomain: 'POST /connected-domains/{hostname}/disconnect',
  },
  'Registered domains': {
    checkDomains: 'POST /domain/check',
    listDnsRecords: 'GET /domains/{name}/dns-records',
    createDnsRecord: 'POST /domains/{name}/dns-records',
    updateDnsRecord: 'PATCH /domains/{name}/dns-records/{recordId}',
    setRenewal: 'POST /domains/{name}/renewal',
    bindDomain: 'POST /domains/{name}/bind',
    unbindDomain: 'POST /domains/{name}/unbind',
  },
} as const;

type Sections = typeof sections;

/** The emulator's name of an endpoint, in its journal. */
export type Operation = { [Name in keyof Sections]: keyof Sections[Name] }[keyof Sections];

const syncing = [
  'readEnvironment',
  'createVariable',
  'replaceVariable',
  'retargetVariable',
] as const satisfies Operation[];

const placing = [
  'listConnectedDomains',
  'connectDomain',
  'readConnectedDomain',
  'assignDomain',
] as const satisfies Operation[];

const registered = [
  'checkDomains',
  'listDnsRecords',
  'createDnsRecord',
  'updateDnsRecord',
  'setRenewal',
  'bindDomain',
  'unbindDomain',
] as const satisfies Operation[];

/** The endpoints that each action can reach. */
export const reach: Readonly<Record<ActionName, readonly Operation[]>> = {
  deploy: [...syncing, 'deleteVariable', 'createDeployment', ...placing, 'disconnectDomain'],
  'env-sync': [...syncing, 'deleteVariable'],
  domains: [...placing, 'readConnectedDomainStatuses', ...registered],
  message: ['listMessages', 'sendMessage'],
  projects: ['listProjects', 'createProject'],
};

/** Where a test stands, from the root: those of the emulator are beside it, all others below `test/`. */
export const testFile = (test: string): string =>
  /^(emulator|src)\//.test(test) ? test : `test/${test}`;

/** For each endpoint a test, below `test/`, beside its file or of the emulator, that names it and reaches it over HTTP. */
const tests: Readonly<Record<string, readonly Operation[]>> = {
  'projects/list.test.ts': ['listProjects'],
  'projects/create.test.ts': ['createProject'],
  'messages/send.test.ts': ['sendMessage'],
  'messages/end.test.ts': ['listMessages'],
  'deploy/deploy.test.ts': ['createDeployment'],
  'variables/env-sync.test.ts': ['readEnvironment'],
  'variables/sync.test.ts': ['createVariable', 'replaceVariable'],
  'variables/conflicts.test.ts': ['retargetVariable'],
  'variables/remove.test.ts': ['deleteVariable'],
  'previews/preview.test.ts': placing,
  'emulator/test/service/connected-domains.test.ts': [
    'readConnectedDomainStatuses',
    'disconnectDomain',
  ],
  'service/registered-domains.test.ts': registered,
};

/** One endpoint of the interface, and what covers it. */
export interface Endpoint {
  method: string;
  path: string;
  operation: string;
  /** Every action that can reach it. */
  actions: string[];
  /** The tests named for it, as {@link testFile} finds them. */
  tests: string[];
}

/** The names under which an operation is listed. */
const listing = (lists: Readonly<Record<string, readonly string[]>>, operation: string) =>
  Object.keys(lists).filter((name) => lists[name]?.includes(operation));

/** Every endpoint, in the order of the interface. `docs/interface.md` is made of them. */
export const endpoints: readonly Endpoint[] = Object.values(sections).flatMap((operations) =>
  Object.entries<string>(operations).map(([operation, line]) => {
    const [method = '', path = ''] = line.split(' ');
    const covered = { actions: listing(reach, operation), tests: listing(tests, operation) };
    return { method, path, operation, ...covered };
  }),
);
