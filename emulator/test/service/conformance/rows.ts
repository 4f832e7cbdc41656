import { z } from 'zod';
import type { operations } from '../../../../src/contract/operations.ts';
import { type Body, boolean, type Field, integer, list, object, oneOf, text } from './fields.ts';
import { shapes, some } from './shapes.ts';
import type { Seeded } from './world.ts';

/** One endpoint. */
export interface Row {
  /** The method and the path, as in the interface. */
  readonly endpoint: string;
  /** The contract's operations that use it. */
  readonly operations: readonly (keyof typeof operations)[];
  readonly query?: Readonly<Record<string, Field>>;
  readonly body?: Body;
  readonly answers: readonly [status: 200 | 201 | 202, body: z.ZodType];
  /** The result of the same request a second time, without an idempotency key. A status is an error. */
  readonly repeated: 'new effect' | 'no effect' | 404 | 409;
}

/** A path parameter. */
export interface Param extends Field {
  /** A second resource. */
  readonly another: unknown;
}

/** A UUID that names nothing. */
const absent = '99999999-9999-4999-8999-999999999999';

const id = ({ project }: Seeded) => project.id;
const inCapitals = (seeded: Seeded) => id(seeded).toUpperCase();

/** A hostname of this many characters. */
const hostnameOf = (length: number, letter: string) =>
  `${`${letter.repeat(61)}.`.repeat(5).slice(0, length - 4)}.com`;

const badHostnames = [
  ...['', 'localhost', 'WWW.example.com', '-www.example.com', 'my_site.example.com'],
  ...['www..example.com', 'www.example.com.', hostnameOf(254, 'a')],
];

/** The path parameters, percent-encoded. */
export const params: Readonly<Record<string, Param>> = {
  id: {
    accepts: [id, inCapitals],
    another: ({ other }: Seeded) => other.id,
    refuses: ['', '7', `${absent}0`],
    unknown: [absent],
  },
  eid: {
    accepts: [
      ({ variable }: Seeded) => variable.id,
      ({ variable }: Seeded) => variable.id.toUpperCase(),
    ],
    another: ({ kept }: Seeded) => kept.id,
    refuses: ['', '7', `${absent}0`],
    unknown: [absent, ({ foreign }: Seeded) => foreign.id],
  },
  hostname: {
    accepts: ['www.example.com', 'a.b', hostnameOf(253, 'a')],
    another: 'a.b',
    refuses: [...badHostnames, 'a%2eb'],
    unknown: ['other.example.com'],
  },
  name: {
    accepts: ['example.com', 'x', 'a%2Fb%20c.%C3%A9'],
    another: 'x',
    refuses: ['', '%ff'],
    unknown: ['www.example.com'],
  },
  recordId: {
    accepts: ['1', 'a%2Fb%3Fc%20%C3%A9'],
    another: 'a%2Fb%3Fc%20%C3%A9',
    refuses: ['', '%ff'],
    unknown: ['no-such-record', 'elsewhere'],
  },
};

const hostname: Field = {
  accepts: ['www.example.com', 'c.d', 'a-.1', '127.0.0.1', hostnameOf(253, 'b')],
  refuses: [...badHostnames, null],
};
const newHostname: Field = {
  ...hostname,
  accepts: ['new.example.com', ...hostname.accepts.slice(1)],
};
const project: Field = {
  accepts: [id, inCapitals],
  refuses: ['', null],
  unknown: [absent, 'not-a-uuid'],
};
const projectOrNull: Field = {
  accepts: [...project.accepts, null],
  refuses: [7],
  unknown: [absent, 'not-a-uuid', ''],
};
const version = integer(-9007199254740991, 9007199254740991);
const commit: Field = {
  accepts: ['0123456789abcdef'.repeat(3).slice(0, 40)],
  refuses: [
    '',
    ...[39, 41].map((length) => 'a'.repeat(length)),
    'A'.repeat(40),
    'g'.repeat(40),
    `${'a'.repeat(40)}\n`,
  ],
  unknown: ['f'.repeat(40)],
};
const kind = oneOf('secret', 'plain');
const word: Field = { accepts: ['a'], refuses: [7, null] };
const names = list({ accepts: ['new.com'], refuses: [7] }, 1, 20);
const checked: Field = { ...names, accepts: [['new.com', 'taken.com'], ...names.accepts] };
const keyed = { idempotencyKey: text(1, 128) };
const turn = { model: text(1, 64), effort: text(1, 64), skillNames: list(word, 0, 3), ...keyed };

const record = object(
  {
    type: { accepts: ['A'], refuses: ['', 7, null] },
    name: { accepts: ['www'], refuses: ['', 7, null] },
    content: { accepts: ['203.0.113.10'], refuses: [7, null] },
  },
  {
    ttl: integer(),
    comment: word,
    priority: integer(),
    flags: integer(),
    tag: word,
    weight: integer(),
    port: integer(),
    proxied: boolean,
  },
);

/** Every endpoint, in the order of the interface. */
export const rows: readonly Row[] = [
  // Projects
  {
    endpoint: 'GET /v1/projects',
    operations: ['listProjects'],
    query: { filter: oneOf('all', 'starred', 'created', 'shared') },
    answers: [200, some(shapes.project)],
    repeated: 'no effect',
  },
  {
    endpoint: 'POST /v1/projects',
    operations: ['createProject'],
    body: object({}, { initialPrompt: text(1, 10_000), ...turn }),
    answers: [201, shapes.newProject],
    repeated: 'new effect',
  },
  // Messages
  {
    endpoint: 'POST /v1/projects/{id}/messages',
    operations: ['sendMessage'],
    body: object({ content: text(1) }, { ...turn, attachmentIds: list(word, 0, 20) }),
    answers: [202, shapes.newMessage],
    repeated: 'new effect',
  },
  {
    endpoint: 'GET /v1/projects/{id}/messages',
    operations: ['listMessages'],
    answers: [200, some(shapes.message)],
    repeated: 'no effect',
  },
  // Deployments
  {
    endpoint: 'POST /v1/projects/{id}/deployments',
    operations: ['createDeployment'],
    body: object({}, { versionId: commit, ...keyed }),
    answers: [202, shapes.deployment],
    repeated: 'new effect',
  },
  // Environment variables
  {
    endpoint: 'GET /v1/projects/{id}/environment',
    operations: ['readEnvironment'],
    answers: [200, shapes.environment],
    repeated: 'no effect',
  },
  {
    endpoint: 'POST /v1/projects/{id}/environment',
    operations: ['createVariable'],
    body: object(
      { name: text(1, 128), value: text(0, 5120), preview: boolean, production: boolean },
      { kind },
    ),
    answers: [201, shapes.environment],
    repeated: 409,
  },
  {
    endpoint: 'PUT /v1/projects/{id}/environment/{eid}',
    operations: ['replaceVariable'],
    body: object({ expectedVersion: version, value: text(0, 5120), kind }),
    answers: [200, shapes.environment],
    repeated: 409,
  },
  {
    endpoint: 'PATCH /v1/projects/{id}/environment/{eid}',
    operations: ['retargetVariable'],
    body: object({ expectedVersion: version, preview: boolean, production: boolean }),
    answers: [200, shapes.environment],
    repeated: 409,
  },
  {
    endpoint: 'DELETE /v1/projects/{id}/environment/{eid}',
    operations: ['deleteVariable'],
    body: object({ expectedVersion: version }),
    answers: [200, shapes.environment],
    repeated: 404,
  },
  // Connected domains
  {
    endpoint: 'GET /connected-domains',
    operations: ['listConnectedDomains'],
    answers: [200, z.strictObject({ domains: some(shapes.connectedDomain) })],
    repeated: 'no effect',
  },
  {
    endpoint: 'POST /connected-domains',
    operations: ['connectDomain'],
    body: object({ hostname: newHostname }, { projectId: project, ...keyed }),
    answers: [201, shapes.connectedDomain],
    repeated: 409,
  },
  {
    endpoint: 'GET /connected-domains/{hostname}',
    operations: ['readConnectedDomain'],
    query: { revalidate: oneOf('true', 'false') },
    answers: [200, shapes.connectedDomain],
    repeated: 'no effect',
  },
  {
    endpoint: 'POST /connected-domains/status',
    operations: ['readConnectedDomainStatuses'],
    body: object({ hostnames: list(hostname, 1, 50) }, { revalidate: boolean }),
    answers: [200, z.strictObject({ domains: some(shapes.connectedDomain) })],
    repeated: 'no effect',
  },
  {
    endpoint: 'POST /connected-domains/{hostname}/project',
    operations: ['assignDomain', 'clearDomain'],
    body: object({ projectId: projectOrNull }, keyed),
    answers: [200, shapes.connectedDomain],
    repeated: 'no effect',
  },
  {
    endpoint: 'POST /connected-domains/{hostname}/disconnect',
    operations: ['disconnectDomain'],
    body: object({}, keyed),
    answers: [200, shapes.disconnected],
    repeated: 404,
  },
  // Registered domains
  {
    endpoint: 'POST /domain/check',
    operations: ['checkDomains'],
    body: object({ domains: checked }),
    answers: [200, z.strictObject({ results: some(shapes.availability) })],
    repeated: 'no effect',
  },
  {
    endpoint: 'GET /domains/{name}/dns-records',
    operations: ['listDnsRecords'],
    answers: [200, z.strictObject({ records: some(shapes.addressRecord) })],
    repeated: 'no effect',
  },
  {
    endpoint: 'POST /domains/{name}/dns-records',
    operations: ['createDnsRecord'],
    body: object({ record }, keyed),
    answers: [201, shapes.addressRecord],
    repeated: 'new effect',
  },
  {
    endpoint: 'PATCH /domains/{name}/dns-records/{recordId}',
    operations: ['updateDnsRecord'],
    body: object({ record }, keyed),
    answers: [200, shapes.addressRecord],
    repeated: 'no effect',
  },
  {
    endpoint: 'POST /domains/{name}/renewal',
    operations: ['enableRenewal', 'disableRenewal'],
    body: object({ enabled: boolean }, keyed),
    answers: [200, shapes.registeredDomain],
    repeated: 'no effect',
  },
  {
    endpoint: 'POST /domains/{name}/bind',
    operations: ['bindDomain'],
    body: object({ projectId: project }, keyed),
    answers: [200, shapes.registeredDomain],
    repeated: 'no effect',
  },
  {
    endpoint: 'POST /domains/{name}/unbind',
    operations: ['unbindDomain'],
    body: object({}, keyed),
    answers: [200, shapes.registeredDomain],
    repeated: 'no effect',
  },
];
