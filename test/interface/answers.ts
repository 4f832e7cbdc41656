import { domainDefaults } from '../../emulator/domain-dialect.ts';
import type { Dialect, DialectOptions, StreamDialect } from '../../emulator/index.ts';
import { coverPairs } from '../support/cover.ts';

/** What may be chosen of how the emulated service behaves; the fields of the event streams by themselves. */
type Fields = Omit<Dialect, 'stream'> & {
  [Name in keyof StreamDialect as `stream.${Name}`]: StreamDialect[Name];
};

/** A field of the emulator's dialect: `staleVersion`, `stream.shape`. */
export type Field = keyof Fields;

const happens = 'What happens, and who may do what';
const lasts = 'How long it takes';
const alone = 'Tested alone, because it takes a race';
const unasked = 'What no request meets: each has a body, a filter and a project that exists';

/** The fields that answer no open question, or none that a request of ours meets; and why. */
export const noAnswers = {
  refuse: happens,
  protectedBranches: happens,
  largestPush: happens,
  deploymentEnds: happens,
  domainEnds: happens,
  domainStopsAt: happens,
  messageEnds: happens,
  provisioningEnds: happens,
  availability: happens,
  turnText: happens,
  fillerBytes: happens,
  'stream.logLines': happens,
  latencyMs: lasts,
  jitterMs: lasts,
  seed: lasts,
  buildMs: lasts,
  verifyMs: lasts,
  revalidateMs: lasts,
  turnMs: lasts,
  provisionMs: lasts,
  'stream.stall': lasts,
  managedRefusal: alone,
  unknownInStatuses: alone,
  emptyBody: unasked,
  defaultFilter: unasked,
  unknownProject: unasked,
} as const satisfies { [Name in Field]?: string };

/** A field that answers a question which the interface leaves open. */
export type Answered = Exclude<Field, keyof typeof noAnswers>;

/** At least two answers, the emulator's usual one first. */
type Plausible<Value> = readonly [Value, Value, ...Value[]];

const flag = [false, true] as const;
const zorp = { waiting: 'zorp', working: 'zorp', good: 'moin', bad: 'zorp' };

/** What each open question may be answered with. A field of the dialect that is missing here does not compile. */
export const answers: { readonly [Name in Answered]: Plausible<Fields[Name]> } = {
  errorShape: ['problem', 'nested', 'string', 'message', 'list', 'text', 'html', 'empty'],
  invalidStatus: [400, 422],
  requestIdHeader: ['x-request-id', null, 'request-id'],
  echoValues: flag,
  hostileText: [null, '\n::error::forged\n<!--@octocat'],
  extraFields: flag,
  absentFields: ['null', 'omitted', 'empty'],
  rateLimit: [
    null,
    { status: 429, retryAfter: 'seconds', seconds: 0, every: 5 },
    { status: 503, retryAfter: 'none', seconds: 0, every: 7 },
    { status: 429, retryAfter: 'date', seconds: 1, every: 9 },
  ],
  lengthUnit: ['codePoints', 'utf16', 'bytes'],
  successStatus: [201, 200],
  idempotency: ['replay', 'ignore', 'conflict', { forgetAfterMs: 1 }],

  firstVersion: [1, 0, -3, Number.MAX_SAFE_INTEGER - 9],
  variableTimes: ['honest', 'absent'],
  staleVersion: ['409', '412', '400', '422', 'ignore'],
  duplicateName: ['409', '422', '400', 'allow'],
  variableNames: ['any', 'identifier'],
  writeBody: ['full', 'empty', 'no-content', 'wrong'],
  pendingFlags: ['honest', 'absent', 'always-false'],
  revisions: ['count', 'jump', 'down', 'stay'],
  publicationApplies: ['both', 'production', 'neither'],

  unknownVersionId: ['404', '422', 'accept-and-fail'],
  overlappingDeployments: ['independent', '409'],
  deploymentWords: [
    {
      queued: 'queued',
      steps: ['building', 'publishing'],
      success: 'succeeded',
      failure: 'failed',
    },
    { queued: 'PENDING', steps: ['In-Progress'], success: 'DEPLOYED', failure: 'ERRORED' },
    { queued: 'queued', steps: ['zorp'], success: 'moin', failure: 'ouch' },
  ],
  offers: ['both', 'stream', 'poll', 'neither'],
  offeredAfterMs: [0, 200],
  notOfferedStatus: [404, 405, 403, 'html200'],
  statusShape: ['flat', 'nested', 'data', 'list', 'foreign-first'],
  'stream.shape': ['json', 'data-only', 'name-only', 'nested', 'typed'],
  'stream.heartbeatMs': [null, 20],
  'stream.comments': flag,
  'stream.bom': flag,
  'stream.crlf': flag,
  'stream.splitBytes': [null, 7],
  'stream.logShape': ['message', 'text', 'line', 'log', 'delta'],
  'stream.stepEvents': flag,
  'stream.oversizedFrameBytes': [null, 2 * 1024 * 1024],
  'stream.dropAfterEvents': [null, 2],
  'stream.dropBy': ['end', 'reset'],
  'stream.resume': [true, false],
  'stream.retryMs': [null, 50],
  'stream.closeAtEnd': [true, false],
  'stream.endWithDone': flag,

  domainWords: [
    domainDefaults.domainWords,
    {
      state: { waiting: 'new', working: 'in_progress', good: 'Live', bad: 'Error' },
      ownership: { waiting: 'new', working: 'in_progress', good: 'OK', bad: 'Error' },
      certificate: { waiting: 'new', working: 'in_progress', good: 'valid', bad: 'Error' },
      routing: {
        unassigned: 'none',
        waiting: 'new',
        working: 'in_progress',
        good: 'assigned',
        bad: 'Error',
      },
    },
    { state: zorp, ownership: zorp, certificate: zorp, routing: { unassigned: 'zorp', ...zorp } },
  ],
  earlyVerificationErrors: flag,
  revalidation: ['ignored', 'advances', 'slow'],
  unassigned: ['null', 'absent', 'empty'],
  assignmentReroutes: flag,
  duplicateHostname: ['409', 'same'],
  assignedElsewhere: ['moves', '409'],

  bindWords: [
    { unbound: 'unbound', bound: 'bound' },
    { unbound: 'free', bound: 'attached' },
  ],
  boundAlready: ['moves', 'same', '409'],
  unboundAlready: ['same', '409'],
  bindingRecord: flag,
  renewalWords: [
    { on: 'renewing', off: 'ending' },
    { on: 'auto', off: 'none' },
  ],
  priceMarkup: [1.25, 1],
  pricingIncludesMarkup: [true, false],
  priceCurrency: [
    { code: 'USD', perUsd: 1 },
    { code: 'EUR', perUsd: 0.9 },
  ],
  priceFields: ['both', 'pricing', 'micro-usd', 'neither'],
  checkedNames: ['as-given', 'lower-case'],
  resultOrder: ['asked', 'shuffled'],
  recordTypes: ['known', 'any'],
  writableFields: ['all', ['priority'], ['ttl', 'priority']],
  recordNames: ['as-given', 'lower-case', 'full', 'full-with-dot', 'relative'],
  recordTargets: ['as-given', 'lower-case', 'with-dot', 'without-dot'],
  txtContents: ['as-given', 'quoted', 'unquoted', 'split'],
  ipv6Contents: ['as-given', 'compressed', 'full'],
  parameterContents: ['as-given', 'quoted'],
  ownTtls: ['none', 'if-proxied', 'below-60'],
  fieldsInContent: flag,
  recordDefaults: [{ ttl: 3600, comment: null, proxied: false }, {}],
  recordOrder: ['created', 'shuffled'],
  managedWords: [
    { customer: 'customer', system: 'system' },
    { customer: null, system: 'platform' },
  ],
  duplicateRecords: ['allow', '409'],
  cnameBesideOthers: ['422', 'allow'],
  patchedRecords: ['replaces', 'merges'],

  contentLimit: [null, 40],
  overlappingMessages: ['queued', '409'],
  messageWords: [
    { queued: 'queued', steps: ['running'], success: 'succeeded', failure: 'failed' },
    { queued: 'NEW', steps: ['In-Progress'], success: 'DONE', failure: 'ERRORED' },
  ],
  textShape: ['text', 'delta', 'message', 'content'],
  messageOffers: ['stream', 'neither'],
  messageOfferedAfterMs: [0, 200],
  messageEventsPath: [
    '/v1/projects/{projectId}/messages/{messageId}/events',
    '/v2/turns/{messageId}',
  ],
  sandboxWords: [
    { none: 'none', starting: 'starting', running: 'running' },
    { none: 'off', starting: 'zorp', running: 'on' },
  ],
  provisioningWords: [
    { working: 'provisioning', ready: 'ready', failed: 'failed' },
    { working: 'CREATING', ready: 'COMPLETE', failed: 'ERRORED' },
  ],

  gitAuth: ['token', 'none'],
  gitUsername: [null, 'ada'],
  partialFetch: flag,
  pushSeenAfterMs: [0, 300],
  versionHistory: ['repository', 'head'],
};

/** One service: an answer to each open question. */
export type Service = { readonly [Name in Answered]: Fields[Name] };

const names = Object.keys(answers) as Answered[];

/** So many services that each two answers to two questions meet in one of them. The first has the usual answers most often. */
export function services(): Service[] {
  const lists = names.map((name): readonly unknown[] => answers[name]);
  return coverPairs(lists).map(
    (row) =>
      Object.fromEntries(
        names.map((name, at) => [name, lists[at]?.[row[at] ?? 0]]),
      ) as unknown as Service,
  );
}

/** The dialect of the emulator that answers so. */
export function dialectOf(service: Service): DialectOptions {
  const isOfStream = (name: string) => name.startsWith('stream.');
  const [stream, rest] = [true, false].map((wanted) =>
    Object.entries(service)
      .filter(([name]) => isOfStream(name) === wanted)
      .map(([name, value]) => [name.replace('stream.', ''), value]),
  );
  return { ...Object.fromEntries(rest ?? []), stream: Object.fromEntries(stream ?? []) };
}
