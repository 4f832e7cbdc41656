import { asObject, firstString, type JsonObject, parseJson } from '../../kernel/json.ts';
import { foldStatus, type StatusReading } from './status.ts';

/** A status, and what the service says beside it. */
export interface ObservedStatus {
  status: string;
  /** An error or a message. */
  message?: string;
}

/** What an answer says of the deployment that we follow. */
export interface Answer extends ObservedStatus {
  /** True if the object that holds the status names our deployment. */
  isNamed: boolean;
}

/** An object somewhere in a JSON value. */
export interface JsonPlace {
  object: JsonObject;
  /** The objects around it, the outermost first. */
  around: readonly JsonObject[];
  /** The fields, and the positions in lists, that lead to it. */
  way: readonly (string | number)[];
}

/** The objects of a JSON value, the outer ones first. */
export interface Survey {
  places: readonly JsonPlace[];
  /** False if the value is too deep or too large to have been looked through. */
  isWhole: boolean;
}

type Owner = 'ours' | 'foreign' | 'unnamed';

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** How deep, and at how many objects and lists, a value is looked into. */
const bounds = { depth: 4, nodes: 500 };

/** Fields under which an answer wraps what it is about. */
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
export const partNames = /step|phase|stage|task|job|check|asset|file/i;

/** What is followed: its id, and the fields that name it. */
export interface FollowedTarget {
  id: string;
  idFields: readonly string[];
}

/** A deployment as what is followed. */
export const deploymentTarget = (id: string): FollowedTarget => ({
  id,
  idFields: ['deploymentId', 'deployment_id'],
});

/** Whose status an object holds. A plain `id` counts only if it is a UUID (sections "Deployment" and "Message"). */
export function ownerOf(object: JsonObject, target: FollowedTarget): Owner {
  const named = firstString(object, target.idFields);
  const id = named ?? firstString(object, ['id']);
  if (id === undefined) return 'unnamed';
  if (id.toLowerCase() === target.id.toLowerCase()) return 'ours';
  return named !== undefined || uuidPattern.test(id) ? 'foreign' : 'unnamed';
}

/** The status that an object itself holds, with the message beside it. */
export function statusIn(object: JsonObject): ObservedStatus | undefined {
  const status = firstString(object, ['status', 'state', 'deploymentStatus']);
  if (status === undefined) return undefined;
  const message =
    firstString(object, ['error', 'errorMessage', 'failureReason', 'reason', 'message']) ??
    firstString(asObject(object['error']), ['message', 'code']);
  return message === undefined ? { status } : { status, message };
}

/** The lists and objects that a list or an object holds, one at a time: there may be millions. */
function* childrenOf(value: unknown): Generator<[string | number, unknown]> {
  const isNode = (child: unknown) => typeof child === 'object' && child !== null;
  if (Array.isArray(value)) {
    for (const [key, child] of value.entries()) if (isNode(child)) yield [key, child];
    return;
  }
  const object = asObject(value) ?? {};
  for (const key of Object.keys(object)) if (isNode(object[key])) yield [key, object[key]];
}

/** Looks a JSON value through, level by level, within bounds. */
export function surveyOf(body: unknown): Survey {
  const places: JsonPlace[] = [];
  const nodes: (Omit<JsonPlace, 'object'> & { value: unknown })[] = [
    { value: body, around: [], way: [] },
  ];
  let isWhole = true;
  for (const { value, around, way } of nodes) {
    const object = asObject(value);
    if (object !== undefined) places.push({ object, around, way });
    const within = object === undefined ? around : [...around, object];
    for (const [key, child] of childrenOf(value)) {
      if (way.length >= bounds.depth || nodes.length >= bounds.nodes) {
        isWhole = false;
        break;
      }
      nodes.push({ value: child, around: within, way: [...way, key] });
    }
  }
  return { places, isWhole };
}

/** True if the place is reached through wrappers only. */
export const isWrapped = ({ way }: JsonPlace): boolean => way.every((key) => wrappers.has(key));

/** True if an object is about what it wraps, even if that is null: its own status may be the request's. */
const isEnvelope = ({ object }: JsonPlace): boolean =>
  [...wrappers].some((name) => typeof object[name] === 'object');

/** The place of what we follow, by its name, that holds a status; within an envelope before around it. */
function namedPlace(places: readonly JsonPlace[], target: FollowedTarget): JsonPlace | undefined {
  const isOurs = (object: JsonObject) => ownerOf(object, target) === 'ours';
  const isWrappedOrListed = ({ way }: JsonPlace) =>
    way.every((key) => typeof key === 'number' || wrappers.has(key));
  const isPart = (place: JsonPlace) =>
    place.way.some((key) => partNames.test(`${key}`)) ||
    (place.around.some(isOurs) && !isWrappedOrListed(place));
  const named = places.filter(
    (place) => isOurs(place.object) && statusIn(place.object) !== undefined && !isPart(place),
  );
  return named.find((place) => isWrappedOrListed(place) && !isEnvelope(place)) ?? named[0];
}

/** The only object that the value is about, if nothing in the value names something else. */
function unnamedPlace({ places, isWhole }: Survey, target: FollowedTarget): JsonPlace | undefined {
  const owned = (owner: Owner) => places.filter(({ object }) => ownerOf(object, target) === owner);
  if (!isWhole || owned('foreign').length > 0) return undefined;
  const [only, ...others] = places.filter((place) => isWrapped(place) && !isEnvelope(place));
  if (only === undefined || others.length > 0) return undefined;
  const wrapsOurs = owned('ours').some(({ around }) => around.includes(only.object));
  return wrapsOurs ? undefined : only;
}

/**
 * Finds the place that holds what we follow's status: one that names it, at any depth, else the single
 * object that the value is about. The status of an envelope, which may be the request's, does not count.
 */
export function findStatusPlace(survey: Survey, target: FollowedTarget): JsonPlace | undefined {
  return namedPlace(survey.places, target) ?? unnamedPlace(survey, target);
}

/**
 * Reads the status of our own deployment in an answer of unknown shape (section "Deployment": only the
 * fields `deploymentId` and `status` are shown).
 *
 * @returns undefined if the answer says nothing of it
 */
export function readAnswer(body: unknown, deploymentId: string): Answer | undefined {
  const target = deploymentTarget(deploymentId);
  const place = findStatusPlace(surveyOf(body), target);
  const observed = place === undefined ? undefined : statusIn(place.object);
  if (place === undefined || observed === undefined) return undefined;
  return { ...observed, isNamed: ownerOf(place.object, target) === 'ours' };
}

/**
 * How sure it is that a status of the stream is the deployment's.
 *
 * - `status`: the event names our deployment, or is of a kind that speaks of a deployment's status
 * - `name`: a hint: the event names nothing, or is merely called `done` or `error`, which may be about the
 *   stream itself
 * - `part`: it may be about a step, a task or a line of the log
 */
export type Certainty = 'status' | 'name' | 'part';

/** What one server-sent event says of our deployment. */
export interface StreamEvent {
  observed?: ObservedStatus & { certainty: Certainty };
  /** A line of the build's log. */
  text?: string;
}

type ReadWord = (word: string) => StatusReading;

/** Events of these kinds are lines of a log. */
const logKinds = /log|chunk|delta|output|line/i;

/** Events of these kinds speak of a part, unless they name the deployment. */
const progressKinds = /progress/i;

/** Words of a kind that speaks of the deployment's status. */
const subject = /(deploy(ment|ed|ing)?|turn|status|state)(e?s\b)?/gi;

/** Words of a kind that say nothing of what it speaks of, and all that is no letter. */
const filler = /update[ds]?|change[ds]?|messages?|events?|results?|[^a-z]/gi;

/** Fields that mark a status as that of a part, or of a line of a log. `steps` is a field of the whole. */
const partFields = /^(step(?!s)\w*|phase|stage|task|job|file|level|logger|severity|component)$/i;

/** Names of events that cannot be about anything but an end; `ready` or `live`, say, can be about the stream. */
const endNames =
  /^(succeeded|success|completed?|done|finished|deployed|published|failed|failure|error(ed)?|cancell?ed|aborted|timedout|superseded|rolledback|expired|rejected)$/;

const textIn = (object: JsonObject): string | undefined =>
  firstString(object, ['message', 'text', 'line', 'log', 'delta']);

/** The kinds that an event gives itself in its JSON. */
const kindsIn = (object: JsonObject): string[] =>
  ['type', 'event', 'kind'].flatMap((field) => firstString(object, [field]) ?? []);

const isPartKind = (kind: string): boolean => partNames.test(kind) || logKinds.test(kind);

/** True if the kinds of an event, or any field of the objects that lead to its status, speak of a part. */
function isPart(kinds: readonly string[], objects: readonly JsonObject[]): boolean {
  const fields = objects.flatMap((object) => Object.keys(object));
  return kinds.some(isPartKind) || fields.some((field) => partFields.test(field));
}

/**
 * True if the kinds of an event speak of the deployment's status and of nothing else. A word of an end or of
 * progress among them must agree with the status: `deployment.created` beside `success` is no end.
 */
function speakOfStatus(kinds: readonly string[], status: string, readWord: ReadWord): boolean {
  const agrees = (kind: string) => {
    const rest = kind.replace(subject, '').replace(filler, '');
    return (
      rest === '' || (readWord(rest).known && readWord(rest).meaning === readWord(status).meaning)
    );
  };
  return kinds.some((kind) => kind.search(subject) >= 0) && kinds.every(agrees);
}

/** How sure a status is that names no deployment, by the kinds of its event. */
function certaintyOf(kinds: readonly string[], status: string, readWord: ReadWord): Certainty {
  if (kinds.some((kind) => progressKinds.test(kind))) return 'part';
  return speakOfStatus(kinds, status, readWord) ? 'status' : 'name';
}

/** The event's name as a status: a word that a table has, and no end that could be the stream's own affair. */
function readName(
  name: string,
  text: string | undefined,
  certainty: Certainty,
  readWord: ReadWord,
): StreamEvent {
  const line = text === undefined ? {} : { text };
  const reading = readWord(name);
  const isEnd = endNames.test(foldStatus(name));
  if (!reading.known || (reading.meaning !== 'in-progress' && !isEnd)) return line;
  const message = text === undefined ? {} : { message: text };
  return { ...line, observed: { status: name, certainty, ...message } };
}

function readObject(
  name: string,
  payload: JsonObject,
  target: FollowedTarget,
  readWord: ReadWord,
): StreamEvent {
  const survey = surveyOf(payload);
  const owners = survey.places.map(({ object }) => ownerOf(object, target));
  if (owners.includes('foreign') && !owners.includes('ours')) return {};
  const place = findStatusPlace(survey, target);
  const wrapped = survey.places.filter(isWrapped).map(({ object }) => object);
  const objects = place === undefined ? wrapped : [...place.around, place.object];
  const text = objects.map(textIn).find((found) => found !== undefined);
  const kinds = [name, ...objects.flatMap(kindsIn)].filter((kind) => kind !== '');
  const part = isPart(kinds, objects);
  const status = place === undefined ? undefined : statusIn(place.object);
  if (status === undefined) return readName(name, text, part ? 'part' : 'name', readWord);
  const isNamed = objects.some((object) => ownerOf(object, target) === 'ours');
  const sure = isNamed ? 'status' : certaintyOf(kinds, status.status, readWord);
  const observed = { ...status, certainty: part ? 'part' : sure } as const;
  return observed.certainty === 'part' && text !== undefined ? { observed, text } : { observed };
}

/** Data that is no JSON object: one word that is a status, or a line of the log. */
function readText(name: string, data: string, readWord: ReadWord): StreamEvent {
  if (data === '' || data === '[DONE]') return readName(name, undefined, 'name', readWord);
  const certainty = isPartKind(name) ? 'part' : certaintyOf([name], data, readWord);
  if (certainty === 'part' || !readWord(data).known) return readName(name, data, 'name', readWord);
  return { observed: { status: data, certainty } };
}

/**
 * Reads one event of a deployment's stream (section "Events": kinds and payloads are not shown). A status
 * is looked for in the JSON first, then in the event's name. Of an event that names another deployment, and
 * not ours, nothing is read.
 *
 * @param name the event's name, empty if it has none
 * @param readWord reads a status word; an event's name counts as a status only if a table has it
 */
export function readStreamEvent(
  name: string,
  data: string,
  deploymentId: string,
  readWord: ReadWord,
): StreamEvent {
  return readEvent(name, data, deploymentTarget(deploymentId), readWord);
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
  readWord: ReadWord,
  json: unknown = parseJson(data),
): StreamEvent {
  const payload = asObject(json);
  if (payload !== undefined) return readObject(name, payload, target, readWord);
  return readText(name, typeof json === 'string' ? json : data.trim(), readWord);
}

/** Who said that a deployment ended: the stream, a poll, the production runtime, or the site itself. */
export type ConfirmedBy = 'stream' | 'poll' | 'production' | 'site' | 'answer';

const confirmations: Readonly<Record<ConfirmedBy, string>> = {
  stream: "seen on the deployment's event stream",
  poll: "seen in the deployment's status",
  production: 'seen by the production runtime turning from pending to published',
  site: 'seen by the site answering as its checks want, which it did not before',
  answer: 'said by the answer to the deployment request',
};

/** How the end was confirmed, in words. */
export function describeConfirmation(confirmedBy: ConfirmedBy): string {
  return confirmations[confirmedBy];
}
