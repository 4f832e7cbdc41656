import { asObject, firstString, type JsonObject, parseJson } from '../json.ts';
import { layersOf, type Observed, ownerOf, ownLayers, statusIn } from './answer.ts';
import type { Reading } from './status.ts';

/**
 * How sure it is that a status of the stream is the deployment's.
 *
 * - `status`: an event that says so
 * - `name`: the event is merely called `done` or `error`, which may be about the stream itself
 * - `part`: it may be about a step, a task or a line of the log
 */
export type Certainty = 'status' | 'name' | 'part';

/** What one server-sent event says of our deployment. */
export interface StreamEvent {
  observed?: Observed & { certainty: Certainty };
  /** A line of the build's log. */
  text?: string;
}

/** Events of these kinds speak of a part of the deployment. */
const partKinds = /step|phase|stage|task|job|check|asset|file/i;

/** Events of these kinds may, unless they name the deployment. */
const perhapsPartKinds = /log|chunk|delta|output|progress|line/i;

/** Events of these kinds speak of the deployment; `connected` or `ping`, say, speak of the stream. */
const statusKinds =
  /^$|status|state|deploy|message|update|change|result|end|finish|complete|done|success|fail|error/i;

/** Fields that mark a status as that of a part. */
const partFields = ['step', 'stepName', 'phase', 'stage', 'task', 'job', 'file'];

const textIn = (object: JsonObject): string | undefined =>
  firstString(object, ['message', 'text', 'line', 'log', 'delta']);

function certaintyOf(
  name: string,
  payload: JsonObject,
  inner: JsonObject,
  ours: boolean,
): Certainty {
  const kind = `${name} ${firstString(payload, ['type', 'event', 'kind']) ?? ''}`.trim();
  const hasPart = partFields.some((field) => field in payload || field in inner);
  if (hasPart || partKinds.test(kind)) return 'part';
  if (ours) return 'status';
  if (perhapsPartKinds.test(kind)) return 'part';
  return statusKinds.test(kind) ? 'status' : 'name';
}

function readObject(name: string, payload: JsonObject, deploymentId: string): StreamEvent {
  const layers = ownLayers(layersOf(payload), deploymentId);
  const inner = layers.find((object) => statusIn(object) !== undefined) ?? layers[0];
  if (inner === undefined) return {};
  const status = statusIn(inner);
  const text = textIn(payload) ?? textIn(inner);
  if (status === undefined) return text === undefined ? {} : { text };
  const ours = layers.some((object) => ownerOf(object, deploymentId) === 'ours');
  const certainty = certaintyOf(name, payload, inner, ours);
  const observed = { ...status, certainty } as const;
  return certainty === 'part' && text !== undefined ? { observed, text } : { observed };
}

/** Data that is no JSON object: one word that is a status, or a line of the log. */
function readText(name: string, data: string, known: (word: string) => Reading): StreamEvent {
  if (data === '' || data === '[DONE]') return {};
  const isPart = partKinds.test(name) || perhapsPartKinds.test(name);
  if (!known(data).known || isPart) return { text: data };
  const certainty = name !== '' && statusKinds.test(name) ? 'status' : 'name';
  return { observed: { status: data, certainty } };
}

/**
 * Reads one event of a deployment's stream (section "Events": kinds and payloads are not shown). A status
 * is looked for in the JSON first, then in the event's name.
 *
 * @param name the event's name, empty if it has none
 * @param known reads a status word; an event's name counts as a status only if a table has it
 */
export function readStreamEvent(
  name: string,
  data: string,
  deploymentId: string,
  known: (word: string) => Reading,
): StreamEvent {
  const json = parseJson(data);
  const payload = asObject(json);
  if (payload !== undefined && ownLayers(layersOf(payload), deploymentId).length === 0) return {};
  const read =
    payload === undefined
      ? readText(name, typeof json === 'string' ? json : data.trim(), known)
      : readObject(name, payload, deploymentId);
  if (read.observed !== undefined || name === '' || !known(name).known) return read;
  const message = read.text === undefined ? {} : { message: read.text };
  return { ...read, observed: { status: name, certainty: 'name', ...message } };
}
