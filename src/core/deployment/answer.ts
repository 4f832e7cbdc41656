import { asObject, firstString, type JsonObject } from '../json.ts';

/** What an answer says of the deployment that we follow. */
export interface Observed {
  status: string;
  /** What the service says beside the status: an error or a message. */
  message?: string;
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Owner = 'ours' | 'foreign' | 'unnamed';

/** Whose status an object holds. A plain `id` counts as a deployment's only if it is a UUID (section "Deployment"). */
export function ownerOf(object: JsonObject, deploymentId: string): Owner {
  const named = firstString(object, ['deploymentId', 'deployment_id']);
  const id = named ?? firstString(object, ['id']);
  if (id === undefined) return 'unnamed';
  if (id.toLowerCase() === deploymentId.toLowerCase()) return 'ours';
  return named !== undefined || uuidPattern.test(id) ? 'foreign' : 'unnamed';
}

/** The status that an object itself holds, with the message beside it. */
export function statusIn(object: JsonObject): Observed | undefined {
  const status = firstString(object, ['status', 'state', 'deploymentStatus']);
  if (status === undefined) return undefined;
  const message =
    firstString(object, ['error', 'errorMessage', 'failureReason', 'reason', 'message']) ??
    firstString(asObject(object['error']), ['message', 'code']);
  return message === undefined ? { status } : { status, message };
}

/** An answer and the objects that it wraps. */
export function layersOf(body: unknown): JsonObject[] {
  const outer = asObject(body);
  const wrapped = ['deployment', 'data', 'result', 'payload'].map((name) => outer?.[name]);
  return [...wrapped, outer].map(asObject).filter((object) => object !== undefined);
}

/**
 * The objects among the layers of an answer that may hold our own deployment's status, the surest first.
 * Beside the id of another deployment, and none of ours, a status is that deployment's.
 */
export function ownLayers(layers: readonly JsonObject[], deploymentId: string): JsonObject[] {
  const owned = (owner: Owner) => layers.filter((one) => ownerOf(one, deploymentId) === owner);
  const ours = owned('ours');
  return ours.length === 0 && owned('foreign').length > 0 ? [] : [...ours, ...owned('unnamed')];
}

/**
 * Finds the status of our own deployment in an answer of unknown shape: the answer itself, what it wraps,
 * or an entry of a list, which must name ours.
 *
 * @returns undefined if the answer says nothing of it
 */
export function readAnswer(body: unknown, deploymentId: string): Observed | undefined {
  const outer = asObject(body);
  const isOurs = (object: JsonObject) => ownerOf(object, deploymentId) === 'ours';
  const lists = [body, outer?.['deployments'], outer?.['data'], outer?.['items']];
  const entries = lists
    .flatMap((list) => (Array.isArray(list) ? list.map(asObject) : []))
    .filter((object) => object !== undefined)
    .filter(isOurs);
  const layers = ownLayers(layersOf(body), deploymentId);
  return [...layers.filter(isOurs), ...entries, ...layers]
    .map(statusIn)
    .find((observed) => observed !== undefined);
}
