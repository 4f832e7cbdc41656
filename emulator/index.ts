import { randomBytes, randomUUID } from 'node:crypto';
import { once, setMaxListeners } from 'node:events';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDialect, type Dialect, type DialectOptions } from './dialect.ts';
import { Faults } from './faults.ts';
import { Journal } from './journal.ts';
import { noteReads } from './note-reads.ts';
import { Api } from './service/api.ts';
import { isForPage, Pointer } from './service/pointer.ts';
import { Repositories, repositoriesPath } from './service/repositories.ts';
import type { Choice, RequestHead } from './service/request.ts';
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
export type { GitDialect } from './git-dialect.ts';
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
export type { StoredVariable, VariableByHand } from './service/environment-store.ts';
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
  /** The password of the projects' git repositories. By default a new one that is plainly not real. */
  gitToken?: string;
  dialect?: DialectOptions;
  /** The folder whose files each project starts with. By default the sample site. */
  template?: string;
  /** How many requests the journal keeps, the latest ones. By default all. */
  journalLimit?: number;
}

/** A running emulator of the site service. */
export interface Emulator extends AsyncDisposable {
  /** The service's base URL, without a slash at the end. */
  readonly url: string;
  readonly key: string;
  /** The password of the projects' git repositories; with any user name, unless the dialect wants one. */
  readonly gitToken: string;
  /** How the service behaves. A change applies to the next request. */
  readonly dialect: Dialect;
  /** The fields of the dialect that mattered so far, for some request or what came of it: `staleVersion`, `stream.shape`. */
  readonly fieldsRead: ReadonlySet<string>;
  /** The requests that came. */
  readonly journal: Journal;
  /** What goes wrong with requests. */
  readonly faults: Faults;
  /** The address of the page that shows this world: a browser that opens the base URL is sent there. Null: to nowhere. */
  pageUrl: string | null;
  /** What the service knows. Whatever is put there, somebody else did. After a {@link reset} it is another. */
  readonly world: World;
  /** Begins anew at the same address: all that runs is stopped, and the world, the journal and the script are empty. */
  reset(): Promise<void>;
  /** Stops everything that runs and removes all files. May be called more than once. */
  close(): Promise<void>;
}

const sampleSite = fileURLToPath(new URL('../examples/site', import.meta.url));

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
  // The folder is made with the first file in it: most worlds write none.
  const root = path.join(tmpdir(), `site-emulator-${randomUUID()}`);
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}${basePath}`;
  const key = options.key ?? `fake-key-${randomBytes(12).toString('hex')}`;
  const gitToken = options.gitToken ?? `fake-git-token-${randomBytes(12).toString('hex')}`;
  const dialect = createDialect(options.dialect);
  const fieldsRead = new Set<string>();
  const noted = noteReads(dialect, (field) => fieldsRead.add(field));
  const journal = new Journal(options.journalLimit);
  const faults = new Faults();
  const begin = () => {
    const ending = new AbortController();
    const { signal } = ending;
    setMaxListeners(0, signal);
    const setting = { dialect: noted, root, url, key, gitToken, signal };
    const world = new World({ ...setting, template: path.resolve(template) });
    return { world, ending, choose: chooser(world, host, () => emulator.pageUrl) };
  };
  let current = begin();
  receive(server, { basePath, journal, faults, now: () => current });

  const end = async () => {
    const { ending, world } = current;
    ending.abort();
    await world.settled();
  };
  const reset = async () => {
    await end();
    journal.clear();
    faults.clear();
    Object.assign(dialect, createDialect(options.dialect));
    current = begin();
  };
  let closed: Promise<void> | undefined;
  const shut = async () => {
    const silent = once(server, 'close');
    server.close();
    await end();
    server.closeAllConnections();
    await silent;
    // In one go: for the few files that there are, the asynchronous way takes three times the time.
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  };
  const close = () => {
    closed ??= shut();
    return closed;
  };
  const emulator: Emulator = {
    url,
    key,
    gitToken,
    dialect,
    fieldsRead,
    journal,
    faults,
    pageUrl: null,
    get world() {
      return current.world;
    },
    reset,
    close,
    [Symbol.asyncDispose]: close,
  };
  return emulator;
}

/** Sorts requests by host and path: to the service, to the repositories, to the sites, or to the page. */
function chooser(world: World, host: string, pageUrl: () => string | null) {
  const own = new Set(['127.0.0.1', 'localhost', '[::1]', host, `[${host}]`]);
  const api: Choice = { takes: 'whole', surface: new Api(world) };
  const repositories: Choice = { takes: 'open', surface: new Repositories(world) };
  const sites: Choice = { takes: 'whole', surface: new Sites(world) };
  return (head: RequestHead): Choice => {
    const atSite = !own.has(head.host) || head.path.startsWith(sitesPath);
    if (atSite || !head.belowBase) return sites;
    const page = pageUrl();
    if (page !== null && isForPage(head)) return { takes: 'whole', surface: new Pointer(page) };
    return head.path.startsWith(repositoriesPath) ? repositories : api;
  };
}
