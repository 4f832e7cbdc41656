import {
  completeWords,
  type DomainDialect,
  type DomainWordsOptions,
  domainDefaults,
} from './domain-dialect.ts';
import { type GitDialect, gitDefaults } from './git-dialect.ts';
import {
  completeMessageWords,
  type MessageDialect,
  type MessageWordsOptions,
  messageDefaults,
} from './message-dialect.ts';
import { type RegisteredDialect, registeredDefaults } from './registered-dialect.ts';

/**
 * One concrete choice for everything that the interface leaves open. Each field names the choices, and
 * {@link createDialect} holds the defaults. The emulator reads the live object on each request, so a test
 * may change a field in the middle of a run.
 */
export interface Dialect extends DomainDialect, RegisteredDialect, MessageDialect, GitDialect {
  /** The body of an error (section "Errors"). */
  errorShape: ErrorShape;
  /** The status of a request that breaks a stated rule: an unknown field, a limit, a body that is not JSON. */
  invalidStatus: 400 | 422;
  /** The header that carries a request's id, or null for none. */
  requestIdHeader: string | null;
  /** Error messages quote the sent value, body or key. */
  echoValues: boolean;
  /**
   * Malicious text that is added to error messages, status messages, log lines, verification errors, DNS instructions
   * and the reasons of the system's DNS records.
   */
  hostileText: string | null;
  /** Every response has fields that the interface does not list, and values beyond its samples. */
  extraFields: boolean;
  /** How a field without a value is written: `initialMessageId` when there is no prompt, and the like. */
  absentFields: 'null' | 'omitted' | 'empty';
  /** Names of operations that the key may not use: they return 403 (section "Authentication"). */
  refuse: string[];
  /** Milliseconds before each request takes effect. */
  latencyMs: number;
  /**
   * At most this many milliseconds are added before each request takes effect, and again before its response. The
   * number follows from {@link seed}, the operation, and how often it was requested.
   */
  jitterMs: number;
  /** Chooses the pauses of {@link jitterMs}: the same ones for the same seed. */
  seed: number;
  /** Rejects every n-th request (section "Limits": rate limits are not specified). */
  rateLimit: RateLimit | null;
  /** How "characters" are counted in the limits. */
  lengthUnit: 'codePoints' | 'utf16' | 'bytes';
  /** What an absent body means where each field of the body is optional. */
  emptyBody: 'accept' | 'refuse';
  /** The status of a successful creation of a project, a variable, a connected domain or a DNS record. */
  successStatus: 200 | 201;
  /** The effect of `idempotencyKey` on a repeated request (section "Endpoints"). */
  idempotency: Idempotency;

  /** The filter of `GET /v1/projects` when the query has none. */
  defaultFilter: 'all' | 'starred' | 'created' | 'shared';

  /** The version of a new variable. Any safe integer. */
  firstVersion: number;
  /** A variable's `createdAt` and `updatedAt`. */
  variableTimes: 'honest' | 'absent';
  /** The response to an `expectedVersion` that does not match; `ignore` does the write. */
  staleVersion: '409' | '412' | '400' | '422' | 'ignore';
  /** The response to the creation of a variable whose name exists. */
  duplicateName: '409' | '422' | '400' | 'allow';
  /** Which names a variable may have beyond its length: any, or `[A-Za-z_][A-Za-z0-9_]*`. */
  variableNames: 'any' | 'identifier';
  /** The body of a successful environment write; `wrong` is JSON of another shape. */
  writeBody: 'full' | 'empty' | 'no-content' | 'wrong';
  /** `preview.stale` and `production.pending`. */
  pendingFlags: 'honest' | 'absent' | 'always-false';
  /** What a write does to the revision counters. */
  revisions: 'count' | 'jump' | 'down' | 'stay';
  /** Which runtimes a publication makes current. */
  publicationApplies: 'both' | 'production' | 'neither';

  /** The response to a `versionId` that is not in the version history. */
  unknownVersionId: '404' | '422' | 'accept-and-fail';
  /** A second deployment of a project while one runs: it runs, too, or returns 409. */
  overlappingDeployments: 'independent' | '409';
  /** The status words. `steps` are the words between `queued` and the end. */
  deploymentWords: DeploymentWords;
  /** How deployments end. */
  deploymentEnds: DeploymentEnd | ((deployment: { id: string; commit: string }) => DeploymentEnd);
  /** Milliseconds from a deployment's creation to its end, split evenly among its states. */
  buildMs: number;
  /** Where a deployment's progress can be read. */
  offers: 'both' | 'stream' | 'poll' | 'neither';
  /** Milliseconds after a deployment's creation until its progress can be read. */
  offeredAfterMs: number;
  /** The response where progress can't be read; `html200` is a page with status 200. */
  notOfferedStatus: 404 | 405 | 403 | 'html200';
  /** The body of the response to a poll. */
  statusShape: 'flat' | 'nested' | 'data' | 'list' | 'foreign-first';
  /** The event streams of deployments and turns. */
  stream: StreamDialect;
}

/** Shapes of an error's body: problem+json, `{error:{code,message}}`, `{error:"…"}`, `{message}`, `{errors:[…]}`, … */
export type ErrorShape =
  | 'problem'
  | 'nested'
  | 'string'
  | 'message'
  | 'list'
  | 'text'
  | 'html'
  | 'empty';

/** Every `every`-th request returns `status`; `retryAfter` is the form of the header with `seconds`. */
export interface RateLimit {
  status: 429 | 503;
  retryAfter: 'seconds' | 'date' | 'none';
  seconds: number;
  every: number;
}

/** A repeated key: the first response again, no effect, 409, or the first response for a while. */
export type Idempotency = 'replay' | 'ignore' | 'conflict' | { forgetAfterMs: number };

/** How a deployment ends; `never` leaves it in its last step. */
export type DeploymentEnd = 'success' | 'failure' | 'never';

/** The words of a deployment's status, in the order in which they appear. */
export interface DeploymentWords {
  queued: string;
  steps: string[];
  success: string;
  failure: string;
}

/** The event stream, whose path, kind and payload the interface does not specify (section "Events"). */
export interface StreamDialect {
  /**
   * How a status is sent: `json` (event `status`, data `{deploymentId,status}`), `data-only` (the same without
   * a name), `name-only` (the word is the event's name), `nested` (`{deployment:{…}}`), or `typed`
   * (`{type:"deployment.status",data:{…}}`).
   */
  shape: 'json' | 'data-only' | 'name-only' | 'nested' | 'typed';
  /** Milliseconds between comments `: hb`, or null for none. */
  heartbeatMs: number | null;
  /** A comment before each event. */
  comments: boolean;
  /** The stream starts with a byte order mark. */
  bom: boolean;
  /** Lines end with CR LF. */
  crlf: boolean;
  /** The stream is written in pieces of this many bytes, or null for one piece an event. */
  splitBytes: number | null;
  /** Lines of a build log, sent as events while the deployment is in its first step. */
  logLines: string[];
  /** The field of the JSON with a log line. */
  logShape: 'message' | 'text' | 'line' | 'log' | 'delta';
  /** Steps are reported as events of their own, whose `status` is not the deployment's. */
  stepEvents: boolean;
  /** An event with this many bytes of data comes first, or null for none. */
  oversizedFrameBytes: number | null;
  /** Each connection ends after this many events, or null to keep it. */
  dropAfterEvents: number | null;
  /** How such a connection ends. */
  dropBy: 'end' | 'reset';
  /** Whether `Last-Event-ID` is used. If not, each connection starts with the first event. */
  resume: boolean;
  /** Milliseconds sent as `retry:`, or null for none. */
  retryMs: number | null;
  /** The connection is accepted and stays silent. */
  stall: boolean;
  /** The connection is closed after the deployment's end. */
  closeAtEnd: boolean;
  /** `data: [DONE]` follows the end. */
  endWithDone: boolean;
}

/** What may be given of a dialect; the rest has defaults. */
export type DialectOptions = Partial<
  Omit<Dialect, 'stream' | 'deploymentWords' | 'domainWords' | keyof MessageWordsOptions>
> & {
  stream?: Partial<StreamDialect>;
  deploymentWords?: Partial<DeploymentWords>;
  domainWords?: DomainWordsOptions;
} & MessageWordsOptions;

const streamDefaults: StreamDialect = {
  shape: 'json',
  heartbeatMs: null,
  comments: false,
  bom: false,
  crlf: false,
  splitBytes: null,
  logLines: [],
  logShape: 'message',
  stepEvents: false,
  oversizedFrameBytes: null,
  dropAfterEvents: null,
  dropBy: 'end',
  resume: true,
  retryMs: null,
  stall: false,
  closeAtEnd: true,
  endWithDone: false,
};

const defaults: Dialect = {
  ...domainDefaults,
  ...registeredDefaults,
  ...messageDefaults,
  ...gitDefaults,
  errorShape: 'problem',
  invalidStatus: 400,
  requestIdHeader: 'x-request-id',
  echoValues: false,
  hostileText: null,
  extraFields: false,
  absentFields: 'null',
  refuse: [],
  latencyMs: 0,
  jitterMs: 0,
  seed: 1,
  rateLimit: null,
  lengthUnit: 'codePoints',
  emptyBody: 'accept',
  successStatus: 201,
  idempotency: 'replay',
  defaultFilter: 'all',
  firstVersion: 1,
  variableTimes: 'honest',
  staleVersion: '409',
  duplicateName: '409',
  variableNames: 'any',
  writeBody: 'full',
  pendingFlags: 'honest',
  revisions: 'count',
  publicationApplies: 'both',
  unknownVersionId: '404',
  overlappingDeployments: 'independent',
  deploymentWords: {
    queued: 'queued',
    steps: ['building', 'publishing'],
    success: 'succeeded',
    failure: 'failed',
  },
  deploymentEnds: 'success',
  buildMs: 150,
  offers: 'both',
  offeredAfterMs: 0,
  notOfferedStatus: 404,
  statusShape: 'flat',
  stream: streamDefaults,
};

/** A whole dialect from some choices: a new object that shares nothing with another dialect. */
export function createDialect(options: DialectOptions = {}): Dialect {
  const { stream, deploymentWords, domainWords, ...rest } = options;
  const fresh = structuredClone(defaults);
  return {
    ...fresh,
    ...rest,
    stream: { ...fresh.stream, ...stream },
    deploymentWords: { ...fresh.deploymentWords, ...deploymentWords },
    domainWords: completeWords(fresh.domainWords, domainWords),
    ...completeMessageWords(fresh, rest),
  };
}
