import { hostname as hostnameShape } from '../contract/hostname.ts';
import { servingDomain } from '../domains/model/serving-domain.ts';
import { safe } from '../kernel/text/safe.ts';
import type { Deploying } from '../release/context.ts';
import { ServiceError } from '../service/errors.ts';

/** How long the service may take to say at which domain it serves, in milliseconds: the run has ended well by then. */
const longest = 10_000;

/**
 * Finds out at which domain the project serves what was deployed, for a run that has neither a preview nor domains of
 * its own. Nothing depends on it: where the domains cannot be listed, a note says so.
 */
export async function findAddress({
  client,
  host,
  request,
  projectId,
  found,
}: Deploying): Promise<void> {
  const { target, checks, successStates: success, failureStates: failure } = request;
  if (target.preview !== undefined) return;
  const limit = AbortSignal.any([host.signal, AbortSignal.timeout(longest)]);
  try {
    const domains = await client.listConnectedDomains(limit);
    const { origin } = checks?.place ?? {};
    const checked = origin === undefined ? undefined : URL.parse(origin)?.hostname;
    const taught = { success, failure };
    const hostname = servingDomain(domains, { projectId, checked, taught });
    if (hostname === undefined || !hostnameShape.safeParse(hostname).success) return;
    const shown = host.clean(hostname);
    // Where a part of it is hidden, it is no address.
    if (shown === hostname) found({ address: safe`https://${shown}` });
  } catch (error) {
    if (limit.aborted) return;
    if (!(error instanceof ServiceError)) throw error;
    const text = safe`The output url stays empty: the connected domains cannot be listed. ${error.message}`;
    host.report({ type: 'note', text });
  }
}
