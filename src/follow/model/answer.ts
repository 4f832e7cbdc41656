import { asObject, firstString, type JsonObject } from '../../kernel/json.ts';

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
