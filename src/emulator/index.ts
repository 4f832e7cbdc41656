import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDialect, type Dialect, type DialectOptions } from './dialect.ts';
import { Faults } from './faults.ts';
import { Journal } from './journal.ts';
import { Api } from './service/api.ts';
import type { EmulatedDomain } from './service/domains/connected-domain.ts';
import type { EmulatedProject } from './service/project.ts';
import type { EmulatedDnsRecord, RecordByHand } from './service/registered/record.ts';
import type {
  EmulatedRegisteredDomain,
  RegistrationOptions,
} from './service/registered/registered-domain.ts';
import { Repositories, repositoriesPath } from './service/repositories.ts';
import type { RequestHead } from './service/request.ts';
import { open, receive } from './service/server.ts';
import { Sites, sitesPath } from './service/sites.ts';
import { World } from './service/world.ts';

export type {
  DeploymentEnd,
  DeploymentWords,
  Dialect,
  DialectOptions,
  ErrorShape,
  Idempotency,
  RateLimit,
  StreamDialect,
} from './dialect.ts';
export type { CheckWords, DomainCheck, DomainEnd, DomainWords } from './domain-dialect.ts';
export type { FaultHandle, FaultKind, FaultMatch, FaultSpec, Faults } from './faults.ts';
export type { Journal, JournalEntry } from './journal.ts';
export type {
  MessageDialect,
  MessageEnd,
  MessageWords,
  ProvisioningWords,
  SandboxWords,
  TurnSubject,
} from './message-dialect.ts';
export type { RegistryVerdict } from './registered-dialect.ts';
export type { EmulatedDeployment, StatusChange } from './service/deployments.ts';
export type { EmulatedDomain } from './service/domains/connected-domain.ts';
export type { StoredVariable, VariableByHand } from './service/environment.ts';
export type { EmulatedProject } from './service/project.ts';
export type { EmulatedDnsRecord, RecordByHand } from './service/registered/record.ts';
export type {
  EmulatedRegisteredDomain,
  RegistrationOptions,
} from './service/registered/registered-domain.ts';
export type { MessageRequest } from './service/turns/request-shape.ts';
export type { EmulatedMessage, TurnEvent } from './service/turns/turn.ts';

/** How to start an emulator; everything has a default. */
export interface EmulatorOptions {
  /** 0 takes a free port. */
  port?: number;
  host?: string;
  /** A path below which everything is served: `/api`. */
  basePath?: string;
  /** The API key. By default a new one that is plainly not real. */
  key?: string;
  dialect?: DialectOptions;
  /** The folder whose files each project starts with. By default the sample site. */
  template?: string;
}

/** A running emulator of the site service. */
export interface Emulator extends AsyncDisposable {
  /** The service's base URL, without a slash at the end. */
  readonly url: string;
  readonly key: string;
  /** How the service behaves. A change applies to the next request. */
  readonly dialect: Dialect;
  readonly journal: Journal;
  readonly faults: Faults;
  /** The projects in order of creation, those that a client made too. */
  readonly projects: readonly EmulatedProject[];
  /** Makes a project, as somebody else would. */
  createProject(name?: string): Promise<EmulatedProject>;
  /** Makes many projects, as somebody else would. Each repository is made when it is first needed. */
  createProjects(count: number): EmulatedProject[];
  /** The project with this id. @throws if there is none */
  project(id: string): EmulatedProject;
  /** The connected domains in order of connection, those that a client connected too. */
  readonly connectedDomains: readonly EmulatedDomain[];
  /**
   * Connects a domain, as somebody else would, and assigns it to a project if one is given.
   * @throws if the hostname is malformed or connected, or if there is no such project
   */
  connectDomain(hostname: string, projectId?: string): EmulatedDomain;
  /**
   * Assigns a connected domain to a project, as somebody else would; null clears the assignment.
   * @throws if there is no such domain or project
   */
  assignDomain(hostname: string, projectId: string | null): void;
  /** Disconnects a domain, as somebody else would. @throws if there is no such domain */
  disconnectDomain(hostname: string): void;
  /** The registered domains in order of registration. The service shows no way to list them. */
  readonly registeredDomains: readonly EmulatedRegisteredDomain[];
  /**
   * Registers a domain, as somebody else would.
   * @throws if it is registered already, or if there is no such project
   */
  registerDomain(name: string, options?: RegistrationOptions): EmulatedRegisteredDomain;
  /**
   * Puts a DNS record in place, as somebody else would, whatever the dialect refuses. A record with the `id` of
   * another replaces that one; a record with a `managedReason` is the system's.
   * @throws if there is no such domain
   */
  putDnsRecord(name: string, record: RecordByHand): EmulatedDnsRecord;
  /** Removes a DNS record, as somebody else would. @throws if there is no such domain or record */
  removeDnsRecord(name: string, id: string): void;
  /** Stops everything that runs and removes all files. May be called more than once. */
  close(): Promise<void>;
}

const sampleSite = fileURLToPath(new URL('../../examples/site', import.meta.url));

/**
 * Starts a local world that speaks the service's interface, with real git repositories and served sites.
 * @throws if the port is taken or git is missing
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const {
    port: wantedPort = 0,
    host = '127.0.0.1',
    basePath = '',
    template = sampleSite,
  } = options;
  const { server, port } = await open(host, wantedPort);
  const closing = new AbortController();
  const root = await mkdtemp(path.join(tmpdir(), 'site-emulator-'));
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}${basePath}`;
  const key = options.key ?? `fake-key-${randomBytes(12).toString('hex')}`;
  const dialect = createDialect(options.dialect);
  const { signal } = closing;
  const world = new World({ dialect, root, template: path.resolve(template), url, key, signal });
  const journal = new Journal();
  const faults = new Faults();
  receive(server, {
    basePath,
    journal,
    faults,
    signal,
    track: (work) => world.track(work),
    choose: chooser(world, host),
  });

  let closed: Promise<void> | undefined;
  const end = async () => {
    closing.abort();
    const silent = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await Promise.all([silent, world.settled()]);
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  };
  const close = () => {
    closed ??= end();
    return closed;
  };
  return {
    url,
    key,
    dialect,
    journal,
    faults,
    get projects() {
      return world.projects;
    },
    createProject: (name) => world.createProject(name),
    createProjects: (count) => world.createProjects(count),
    project: (id) => world.project(id),
    get connectedDomains() {
      return world.domains.all;
    },
    connectDomain: (hostname, projectId) => world.connectDomain(hostname, projectId ?? null),
    assignDomain: (hostname, projectId) => world.assignDomain(hostname, projectId),
    disconnectDomain: (hostname) => world.domains.disconnect(hostname),
    get registeredDomains() {
      return world.registered.all;
    },
    registerDomain: (name, registration) => world.registerDomain(name, registration),
    putDnsRecord: (name, record) => world.registered.get(name).zone.put(record),
    removeDnsRecord: (name, id) => world.registered.get(name).zone.remove(id),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Sorts requests by host and path: to the service, to the repositories, or to the sites. */
function chooser(world: World, host: string) {
  const own = new Set(['127.0.0.1', 'localhost', '[::1]', host, `[${host}]`]);
  const api = { surface: new Api(world), keepsBody: true };
  const repositories = { surface: new Repositories(world), keepsBody: false };
  const sites = { surface: new Sites(world), keepsBody: true };
  return (head: RequestHead) => {
    const atSite = !own.has(head.host) || head.path.startsWith(sitesPath);
    if (atSite || !head.belowBase) return sites;
    return head.path.startsWith(repositoriesPath) ? repositories : api;
  };
}
