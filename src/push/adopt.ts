import { createStatusReader } from '../follow/model/status.ts';
import type { Run } from '../frame/step.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';
import { notNew } from './model/adoption.ts';

/** A word that no table has may mean that the turn is at work. */
const meaningOf = createStatusReader();

/** A run that may adopt its project. */
export interface Adopting extends Pick<Run, 'client' | 'host'> {
  projectId: string;
  request: {
    target: { preview?: { hostname: string } } & (
      | { kind: 'project' | 'lease' }
      | { kind: 'swap'; swap: { domains: readonly string[] } }
    );
    checks?: { place: { origin: string | undefined } };
  };
}

/** The hostnames that a run names: those that it places, moves or asks. */
function ownHostnames({ request }: Adopting): ReadonlySet<string> {
  const { target, checks } = request;
  const asked = URL.parse(checks?.place.origin ?? '')?.hostname ?? '';
  const swapped = target.kind === 'swap' ? target.swap.domains : [];
  const placed = target.preview === undefined ? [] : [target.preview.hostname];
  return new Set([asked, ...swapped, ...placed].map((name) => name.toLowerCase()));
}

/** Why the service does not show an untouched project; undefined if it does. */
async function whyTouched(run: Adopting): Promise<SafeText | undefined> {
  const { client, host, projectId } = run;
  const messages = await client.listMessages(projectId, host.signal);
  if (messages.length > 1) return safe`it has ${messages.length} messages`;
  const atWork = messages.find(({ status }) => meaningOf(status).meaning === 'in-progress');
  if (atWork !== undefined) {
    return safe`its first message has not ended (${host.clean(atWork.status)}), and may still change it`;
  }
  const own = ownHostnames(run);
  const served = (await client.listConnectedDomains()).filter(
    (domain) => domain.projectId === projectId && !own.has(domain.hostname.toLowerCase()),
  );
  const [first] = served;
  return first && safe`it serves ${host.clean(first.hostname)}`;
}

/**
 * Whether the service shows that a project holds nothing but its template: no message beyond its first, and no
 * connected domain that the run does not name. What cannot be read shows nothing.
 */
export async function isUntouched(run: Adopting): Promise<boolean> {
  const { host } = run;
  try {
    const why = await whyTouched(run);
    if (why === undefined) return true;
    host.report({ type: 'note', text: notNew(why) });
  } catch (error) {
    host.signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    host.report({ type: 'note', text: notNew(safe`that cannot be read: ${error.message}`) });
  }
  return false;
}
