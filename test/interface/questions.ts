import type { ActionName, actions } from '../../src/inputs.ts';
import { type Answered, noAnswers } from './answers.ts';

/** An input of one of the actions. */
type InputName = {
  [Name in ActionName]: keyof (typeof actions)[Name]['inputs'];
}[ActionName];

/** What the interface leaves open. */
export interface Question {
  about: string;
  /** What the actions do, whatever the answer is. */
  weDo: string;
  /** With which input a workflow author gives the answer. */
  input?: InputName;
  /** The fields of the emulator's dialect that hold its answers. */
  fields: readonly Answered[];
}

/** Each note "not shown" of the interface, in its order, and then what it does not mention. */
export const questions: readonly Question[] = [
  {
    about: "A project's states",
    weDo: 'Common statuses, without a setting',
    fields: ['sandboxWords', 'provisioningWords'],
  },
  { about: 'Revision counters', weDo: 'Ignored', fields: ['revisions'] },
  {
    about: "A domain's statuses, DNS host, instructions",
    weDo: 'Common statuses; the rest is passed on',
    input: 'service',
    fields: ['domainWords', 'earlyVerificationErrors', 'assignmentReroutes'],
  },
  { about: '`projectId` when unassigned', weDo: 'Null, absent or empty', fields: ['unassigned'] },
  {
    about: "A registered domain's states",
    weDo: 'Only ids and flags count',
    fields: ['bindWords', 'renewalWords', 'boundAlready', 'unboundAlready', 'bindingRecord'],
  },
  {
    about: 'DNS record types, tags, `managedBy`',
    weDo: 'Any are sent; records are compared by meaning',
    fields: [
      'recordTypes',
      'managedWords',
      'recordNames',
      'recordTargets',
      'txtContents',
      'ipv6Contents',
      'parameterContents',
      'recordOrder',
      'duplicateRecords',
      'cnameBesideOthers',
    ],
  },
  {
    about: "A deployment's status",
    weDo: 'Common statuses; unknown ones are waited for',
    input: 'service',
    fields: ['deploymentWords'],
  },
  {
    about: "A message's status, attachment kinds",
    weDo: 'Common statuses, without a setting',
    fields: ['messageWords'],
  },
  {
    about: 'Transitions',
    weDo: 'Only the last status counts',
    fields: ['publicationApplies', 'pendingFlags', 'overlappingDeployments', 'overlappingMessages'],
  },
  {
    about: 'A repeated `idempotencyKey`',
    weDo: 'Sent, never relied on',
    fields: ['idempotency'],
  },
  { about: 'The default `filter`', weDo: 'Always sent', fields: [] },
  { about: 'Elements of `skillNames`, `attachmentIds`', weDo: 'Names; none', fields: [] },
  {
    about: 'A wrong `expectedVersion`',
    weDo: 'Read and planned again; versions must move',
    input: 'env-on-conflict',
    fields: ['staleVersion', 'firstVersion', 'duplicateName', 'variableNames', 'variableTimes'],
  },
  { about: '`revalidate`', weDo: 'Sent, and polled on', input: 'wait', fields: ['revalidation'] },
  {
    about: 'Writable fields of `record`',
    weDo: 'Those of the file',
    fields: ['writableFields', 'recordDefaults', 'ownTtls', 'fieldsInContent', 'patchedRecords'],
  },
  { about: 'Keys, names of permissions', weDo: 'Errors name the refused request', fields: [] },
  {
    about: 'Paths, kinds and payloads of events',
    weDo: 'Each form is tried, then polls, then the site',
    input: 'service',
    fields: [
      'offers',
      'offeredAfterMs',
      'notOfferedStatus',
      'statusShape',
      'messageOffers',
      'messageOfferedAfterMs',
      'messageEventsPath',
      'textShape',
      'stream.shape',
      'stream.heartbeatMs',
      'stream.comments',
      'stream.bom',
      'stream.crlf',
      'stream.splitBytes',
      'stream.logShape',
      'stream.stepEvents',
      'stream.oversizedFrameBytes',
      'stream.dropAfterEvents',
      'stream.dropBy',
      'stream.resume',
      'stream.retryMs',
      'stream.closeAtEnd',
      'stream.endWithDone',
    ],
  },
  {
    about: 'Errors',
    weDo: 'Any body; the status decides',
    fields: [
      'errorShape',
      'invalidStatus',
      'requestIdHeader',
      'echoValues',
      'hostileText',
      'unknownVersionId',
      'duplicateHostname',
      'assignedElsewhere',
    ],
  },
  {
    about: 'Status codes of successes',
    weDo: 'Any 2xx; without a usable body, a read follows',
    fields: ['successStatus', 'writeBody', 'absentFields', 'extraFields'],
  },
  {
    about: 'Rate limits',
    weDo: 'Repeated after a pause',
    input: 'timeout',
    fields: ['rateLimit'],
  },
  {
    about: 'The length of a message; what a "character" is',
    weDo: 'Left to the service',
    fields: ['contentLimit', 'lengthUnit'],
  },
  { about: 'Deprecation', weDo: 'Nothing', fields: [] },
  {
    about: 'Git',
    weDo: 'https or ssh; a late push is waited for',
    input: 'git-url',
    fields: ['gitAuth', 'gitUsername', 'partialFetch', 'pushSeenAfterMs', 'versionHistory'],
  },
  {
    about: 'Prices',
    weDo: 'Shown as they come',
    input: 'max-price',
    fields: [
      'priceMarkup',
      'pricingIncludesMarkup',
      'priceCurrency',
      'priceFields',
      'checkedNames',
      'resultOrder',
    ],
  },
];

/** Names of fields as code, those of the event streams as one. */
const code = (names: readonly string[]): string =>
  [...new Set(names.map((name) => `\`${name.replace(/^stream\..*/, 'stream.*')}\``))].join(', ');

/** The table of the open questions, and then the fields of the dialect that answer none. */
export function renderQuestions(): string {
  const rows = questions.map(
    ({ about, weDo, input, fields }) =>
      `| ${about} | ${weDo} | ${input === undefined ? '' : `\`${input}\``} | ${code(fields)} |`,
  );
  const reasons = Map.groupBy(Object.entries(noAnswers), ([, why]) => why);
  const rest = [...reasons].map(
    ([why, fields]) => `- **${why}:** ${fields.map(([field]) => `\`${field}\``).join(', ')}`,
  );
  return [
    ['| open | what the actions do | input | fields |', '| --- | --- | --- | --- |', ...rows].join(
      '\n',
    ),
    'The other fields of the emulator answer none:',
    rest.join('\n'),
  ].join('\n\n');
}
