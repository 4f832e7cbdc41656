import { asObject, firstString, type JsonObject, parseJson } from '../../kernel/json.ts';
import { foldStatus, type StatusReading } from './status.ts';

/** A status, and the service's message with it. */
export interface ObservedStatus {
  status: string;
  /** An error or a message. */
  message?: string | undefined;
}

/** The followed deployment's status in a response. */
export interface StatusAnswer extends ObservedStatus {
  /** True if the object with the status has the deployment's id. */
  isNamed: boolean;
}

/** An object somewhere in a JSON value. */
export interface NestedObject {
  object: JsonObject;
  /** The objects around it, the outermost first. */
  around: readonly JsonObject[];
  /** The field names and list positions that lead to it. */
  path: readonly (string | number)[];
}

/** The objects of a JSON value, the outer ones first. */
interface Survey {
  objects: readonly NestedObject[];
  /** False if the value is too deep or too large to be searched completely. */
  isWhole: boolean;
}

type Owner = 'ours' | 'foreign' | 'unnamed';

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** How deep a value is searched, and how many of its objects and lists. */
const bounds = { depth: 4, nodes: 500 };

/** Fields in which a response wraps its content. */
const wrappers: ReadonlySet<string | number> = new Set([
  'deployment',
  'turn',
  'data',
  'result',
  'payload',
  'response',
  'deployments',
  'items',
  'results',
]);

/** Names of things that are a part of a deployment. */
const partNames = /step|phase|stage|task|job|check|asset|file/i;

/** What is followed: its id, and the fields that name it. */
export interface FollowedTarget {
  id: string;
  idFields: readonly string[];
}

/** How answers and events name a deployment. */
export const deploymentTarget = (id: string): FollowedTarget => ({
  id,
  idFields: ['deploymentId', 'deployment_id'],
});

/** Whose status an object has. A plain `id` counts only if it is a UUID (sections "Deployment" and "Message"). */
function ownerOf(object: JsonObject, target: FollowedTarget): Owner {
  const named = firstString(object, target.idFields);
  const id = named ?? firstString(object, ['id']);
  if (id === undefined) return 'unnamed';
  if (id.toLowerCase() === target.id.toLowerCase()) return 'ours';
  return named !== undefined || uuidPattern.test(id) ? 'foreign' : 'unnamed';
}

/** The status of an object, with the message next to it. */
export function statusIn(object: JsonObject): ObservedStatus | undefined {
  const status = firstString(object, ['status', 'state', 'deploymentStatus']);
  if (status === undefined) return undefined;
  const message =
    firstString(object, ['error', 'errorMessage', 'failureReason', 'reason', 'message']) ??
    firstString(asObject(object['error']), ['message', 'code']);
  return { status, message };
}

/** The lists and objects in a list or an object, one at a time: there may be millions. */
function* childrenOf(value: unknown): Generator<[string | number, unknown]> {
  const isNode = (child: unknown) => typeof child === 'object' && child !== null;
  if (Array.isArray(value)) {
    for (const [key, child] of value.entries()) if (isNode(child)) yield [key, child];
    return;
  }
  const object = asObject(value) ?? {};
  for (const key of Object.keys(object)) if (isNode(object[key])) yield [key, object[key]];
}

/** Searches a JSON value level by level, within bounds. */
export function surveyOf(body: unknown): Survey {
  const objects: NestedObject[] = [];
  const nodes: (Omit<NestedObject, 'object'> & { value: unknown })[] = [
    { value: body, around: [], path: [] },
  ];
  let isWhole = true;
  for (const { value, around, path } of nodes) {
    const object = asObject(value);
    if (object !== undefined) objects.push({ object, around, path });
    const within = object === undefined ? around : [...around, object];
    for (const [key, child] of childrenOf(value)) {
      if (path.length >= bounds.depth || nodes.length >= bounds.nodes) {
        isWhole = false;
        break;
      }
      nodes.push({ value: child, around: within, path: [...path, key] });
    }
  }
  return { objects, isWhole };
}

/** True if the object is reached through wrappers only. */
export const isWrapped = ({ path }: NestedObject): boolean =>
  path.every((key) => wrappers.has(key));

/** True if an object wraps other content, even null: its own status may be the request's. */
const isEnvelope = ({ object }: NestedObject): boolean =>
  [...wrappers].some((name) => typeof object[name] === 'object');

/** The object with the followed id and a status; the content of an envelope before the envelope. */
function namedObject(
  objects: readonly NestedObject[],
  target: FollowedTarget,
): NestedObject | undefined {
  const isOwn = (object: JsonObject) => ownerOf(object, target) === 'ours';
  const isWrappedOrListed = ({ path }: NestedObject) =>
    path.every((key) => typeof key === 'number' || wrappers.has(key));
  const isPart = (nested: NestedObject) =>
    nested.path.some((key) => partNames.test(`${key}`)) ||
    (nested.around.some(isOwn) && !isWrappedOrListed(nested));
  const named = objects.filter(
    (nested) => isOwn(nested.object) && statusIn(nested.object) !== undefined && !isPart(nested),
  );
  return named.find((nested) => isWrappedOrListed(nested) && !isEnvelope(nested)) ?? named[0];
}

/** The only object in the value, if nothing in it has another id. */
function unnamedObject(
  { objects, isWhole }: Survey,
  target: FollowedTarget,
): NestedObject | undefined {
  const owned = (owner: Owner) => objects.filter(({ object }) => ownerOf(object, target) === owner);
  if (!isWhole || owned('foreign').length > 0) return undefined;
  const [only, ...others] = objects.filter((nested) => isWrapped(nested) && !isEnvelope(nested));
  if (only === undefined || others.length > 0) return undefined;
  const wrapsOwn = owned('ours').some(({ around }) => around.includes(only.object));
  return wrapsOwn ? undefined : only;
}

/**
 * Finds the followed status: in an object with its id, at any depth, else in the only object of the value. The status
 * of an envelope, which may be the request's, does not count.
 */
export function findStatusObject(survey: Survey, target: FollowedTarget): NestedObject | undefined {
  return namedObject(survey.objects, target) ?? unnamedObject(survey, target);
}

/**
 * Reads the status of the deployment in a response of unknown shape (section "Deployment": only the
 * fields `deploymentId` and `status` are shown).
 *
 * @returns undefined if the response does not contain it
 */
export function readAnswer(body: unknown, deploymentId: string): StatusAnswer | undefined {
  const target = deploymentTarget(deploymentId);
  const nested = findStatusObject(surveyOf(body), target);
  const observed = nested === undefined ? undefined : statusIn(nested.object);
  if (nested === undefined || observed === undefined) return undefined;
  return { ...observed, isNamed: ownerOf(nested.object, target) === 'ours' };
}

/**
 * How certain it is that a status of the stream is the deployment's.
 *
 * - `status`: the event has the deployment's id, or its kind is that of a deployment's status
 * - `name`: a hint: the event has no id, or is only called `done` or `error`, which may be about the
 *   stream itself
 * - `part`: it may be that of a step, a task or a line of the log
 */
export type Certainty = 'status' | 'name' | 'part';

/** The deployment's status and log text in one server-sent event. */
export interface StreamEvent {
  observed?: (ObservedStatus & { certainty: Certainty }) | undefined;
  /** A line of the build's log. */
  text?: string | undefined;
}

type ReadStatus = (word: string) => StatusReading;

const logKinds = /log|chunk|delta|output|line/i;

/** Events of these kinds are about a part, unless they have the deployment's id. */
const progressKinds = /progress/i;

/** Words of an event kind about the deployment's status. */
const subject = /(deploy(ment|ed|ing)?|turn|status|state)(e?s\b)?/gi;

/** Words of an event kind without a meaning of their own, and all that is no letter. */
const filler = /update[ds]?|change[ds]?|messages?|events?|results?|[^a-z]/gi;

/** Fields that mark a status as that of a part, or of a log line. `steps` is a field of the whole. */
const partFields = /^(step(?!s)\w*|phase|stage|task|job|file|level|logger|severity|component)$/i;

/** Event names that can only mean an end; `ready` or `live`, for example, may be about the stream. */
const endNames =
  /^(succeeded|success|completed?|done|finished|deployed|published|failed|failure|error(ed)?|cancell?ed|aborted|timedout|superseded|rolledback|expired|rejected)$/;

/** The words of an object on what kind of event it is. */
export const kindsIn = (object: JsonObject): string[] =>
  ['type', 'event', 'kind'].flatMap((field) => firstString(object, [field]) ?? []);

const isPartKind = (kind: string): boolean => partNames.test(kind) || logKinds.test(kind);

/** How certain a status without an id is, by the kinds of its event. */
function certaintyOf(kinds: readonly string[], status: string, readStatus: ReadStatus): Certainty {
  if (kinds.some((kind) => progressKinds.test(kind))) return 'part';
  // Other words in them must agree with the status: `deployment.created` with `success` is no end.
  const agrees = (kind: string) => {
    const rest = kind.replace(subject, '').replace(filler, '');
    const { known, meaning } = readStatus(rest);
    return rest === '' || (known && meaning === readStatus(status).meaning);
  };
  const areOfStatus = kinds.some((kind) => kind.search(subject) >= 0) && kinds.every(agrees);
  return areOfStatus ? 'status' : 'name';
}

/** The event's name as a status: a known one, and no end that may be the stream's. */
function readName(
  name: string,
  text: string | undefined,
  certainty: Certainty,
  readStatus: ReadStatus,
): StreamEvent {
  const { known, meaning } = readStatus(name);
  const isEnd = endNames.test(foldStatus(name));
  if (!known || (meaning !== 'in-progress' && !isEnd)) return { text };
  return { text, observed: { status: name, certainty, message: text } };
}

function readObject(
  name: string,
  payload: JsonObject,
  target: FollowedTarget,
  readStatus: ReadStatus,
): StreamEvent {
  const survey = surveyOf(payload);
  const owners = survey.objects.map(({ object }) => ownerOf(object, target));
  if (owners.includes('foreign') && !owners.includes('ours')) return {};
  const nested = findStatusObject(survey, target);
  const wrapped = survey.objects.filter(isWrapped).map(({ object }) => object);
  const chain = nested === undefined ? wrapped : [...nested.around, nested.object];
  const [text] = chain.flatMap(
    (object) => firstString(object, ['message', 'text', 'line', 'log', 'delta']) ?? [],
  );
  const kinds = [name, ...chain.flatMap(kindsIn)].filter((kind) => kind !== '');
  const fields = chain.flatMap((object) => Object.keys(object));
  const isPart = kinds.some(isPartKind) || fields.some((field) => partFields.test(field));
  const status = nested === undefined ? undefined : statusIn(nested.object);
  if (status === undefined) return readName(name, text, isPart ? 'part' : 'name', readStatus);
  const isNamed = chain.some((object) => ownerOf(object, target) === 'ours');
  const sure = isNamed ? 'status' : certaintyOf(kinds, status.status, readStatus);
  const certainty = isPart ? 'part' : sure;
  // The text of a status is its message, that of a part may be a line of the log.
  return { observed: { ...status, certainty }, text: certainty === 'part' ? text : undefined };
}

/**
 * Reads one event of a deployment's stream (section "Events": kinds and payloads are not shown): the status in the
 * JSON, else in the event's name. An event with only another deployment's id is ignored.
 *
 * @param name the event's name, empty if it has none
 * @param readStatus reads a status word; an event's name counts as a status only if it is known
 */
export function readStreamEvent(
  name: string,
  data: string,
  deploymentId: string,
  readStatus: ReadStatus,
): StreamEvent {
  return readEvent(name, data, deploymentTarget(deploymentId), readStatus);
}

/**
 * Reads one event of the stream of whatever is followed.
 *
 * @param json the data, parsed
 */
export function readEvent(
  name: string,
  data: string,
  target: FollowedTarget,
  readStatus: ReadStatus,
  json: unknown = parseJson(data),
): StreamEvent {
  const payload = asObject(json);
  if (payload !== undefined) return readObject(name, payload, target, readStatus);
  // One word that is a status, or a line of the log.
  const text = typeof json === 'string' ? json : data.trim();
  if (text === '' || text === '[DONE]') return readName(name, undefined, 'name', readStatus);
  const certainty = isPartKind(name) ? 'part' : certaintyOf([name], text, readStatus);
  return certainty === 'part' || !readStatus(text).known
    ? readName(name, text, 'name', readStatus)
    : { observed: { status: text, certainty } };
}

/** What confirmed a deployment's end. */
export type ConfirmedBy = 'stream' | 'poll' | 'production' | 'site' | 'answer';

/** What confirmed a success, for a report. */
export const confirmations: Readonly<Record<ConfirmedBy, string>> = {
  stream: 'read from the event stream',
  poll: 'read from the status path',
  production: 'shown by the production runtime, which changed from pending to published',
  site: 'shown by the site, whose checks failed before and pass now',
  answer: 'read from the response to the deployment request',
};

/** What confirmed a deployment's end if that is not its status; undefined if it is. */
export const describeIndirect = (confirmedBy: ConfirmedBy): string | undefined =>
  confirmedBy === 'production' || confirmedBy === 'site' ? confirmations[confirmedBy] : undefined;
