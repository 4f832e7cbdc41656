import { createStatusReader } from '../follow/model/status.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';
import type { Run } from '../step/step.ts';
import { notNew } from './intent.ts';

/** An unknown status counts as in progress. */
const meaningOf = createStatusReader();

/** A run that may adopt its project. */
export interface Adopting extends Pick<Run, 'client' | 'host'> {
  projectId: string;
  request: {
    target: { preview?: { hostname: string } } & { kind: 'project' | 'lease' };
    checks?: { site: { origin: string | undefined } };
  };
}

/** The hostnames that a run connects, moves or checks. */
function ownHostnames({ request }: Adopting): ReadonlySet<string> {
  const { target, checks } = request;
  const checked = URL.parse(checks?.site.origin ?? '')?.hostname ?? '';
  const previewed = target.preview === undefined ? [] : [target.preview.hostname];
  return new Set([checked, ...previewed].map((name) => name.toLowerCase()));
}

/** Why the project is not new, according to the service; undefined if nothing shows that. */
async function whyTouched(run: Adopting): Promise<SafeText | undefined> {
  const { client, host, projectId } = run;
  const messages = await client.listMessages(projectId, host.signal);
  if (messages.length > 1) return safe`it has ${messages.length} messages`;
  const active = messages.find(({ status }) => meaningOf(status).meaning === 'in-progress');
  if (active !== undefined) {
    return safe`its first message is still in progress (${host.clean(active.status)})`;
  }
  const own = ownHostnames(run);
  const served = (await client.listConnectedDomains()).filter(
    (domain) => domain.projectId === projectId && !own.has(domain.hostname.toLowerCase()),
  );
  const [first] = served;
  return first && safe`it serves ${host.clean(first.hostname)}`;
}

/**
 * Whether a project contains only its template: it has no message after its first, and no connected domain other than
 * those of this run. False if that can't be read.
 */
export async function hasOnlyTemplate(run: Adopting): Promise<boolean> {
  const { host } = run;
  try {
    const why = await whyTouched(run);
    if (why === undefined) return true;
    host.report({ type: 'note', text: notNew(why) });
  } catch (error) {
    host.signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    host.report({
      type: 'note',
      text: notNew(error.message),
    });
  }
  return false;
}
