import { asObject, firstString, type JsonObject, parseJson } from '../../kernel/json.ts';
import {
  deploymentTarget,
  type FollowedTarget,
  findStatusPlace,
  isWrapped,
  type ObservedStatus,
  ownerOf,
  partNames,
  statusIn,
  surveyOf,
} from './answer.ts';
import { foldStatus, type StatusReading } from './status.ts';

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
