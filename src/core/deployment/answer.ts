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

/**
 * Finds the status of our own deployment in an answer of unknown shape: the answer itself, what it wraps,
 * or an entry of a list. Another deployment's is passed over, and an entry of a list must name ours.
 *
 * @returns undefined if the answer says nothing of it
 */
export function readAnswer(body: unknown, deploymentId: string): Observed | undefined {
  const outer = asObject(body);
  const wrapped = ['deployment', 'data', 'result'].map((name) => outer?.[name]);
  const lists = [body, outer?.['deployments'], outer?.['data'], outer?.['items']];
  const singles = [...wrapped, body].map(asObject).filter((object) => object !== undefined);
  const entries = lists
    .flatMap((list) => (Array.isArray(list) ? list.map(asObject) : []))
    .filter((object) => object !== undefined);
  const owned = (owner: Owner) => (one: JsonObject) => ownerOf(one, deploymentId) === owner;
  const ours = [...singles, ...entries].filter(owned('ours'));
  // A status beside the id of another deployment is that deployment's.
  const isAnothers = singles.some(owned('foreign')) && !singles.some(owned('ours'));
  const unnamed = isAnothers ? [] : singles.filter(owned('unnamed'));
  return [...ours, ...unnamed].map(statusIn).find((observed) => observed !== undefined);
}
