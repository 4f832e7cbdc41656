import type { Sha } from '../contract/commit.ts';
import { createStatusReader } from '../follow/model/status.ts';
import { openOctokit } from '../github/client.ts';
import { findCommit, wasReleased } from '../github/deployment-history.ts';
import { describeTrouble } from '../github/errors.ts';
import { printed } from '../kernel/diagnostic.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import type { RunContext } from '../platform.ts';
import { recordSignerFor } from '../releases/series.ts';
import { ServiceError } from '../service/errors.ts';
import { accessOf, type KeyValues, type TokenValues } from '../step/access.ts';
import type { Host, Run } from '../step/step.ts';
import { notNew } from './intent.ts';

/** An unknown status counts as in progress. */
const meaningOf = createStatusReader();

/** A run that may adopt its project. */
export interface Adopting extends Pick<Run, 'client' | 'host'> {
  projectId: string;
  request: {
    target: { preview?: { hostname: string } | undefined } & { kind: 'project' | 'lease' };
    checks?: { site: { origin: string | undefined } } | undefined;
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
  const why = await whyTouched(run).catch((error: unknown) => {
    host.signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    return error.message;
  });
  if (why !== undefined) host.report({ type: 'note', text: notNew(why) });
  return why === undefined;
}

/** The time limit for all requests to GitHub together, in milliseconds. */
const longest = 60_000;

/** What decides about an adoption, besides the project. */
export interface AdoptionFacts {
  values: KeyValues & TokenValues & { 'github-deployment': boolean };
  context: Pick<RunContext, 'event' | 'repository' | 'apiUrl' | 'comments'>;
  commit: Sha;
}

/** Why GitHub does not show that a project is new; undefined if it does. */
async function whyNot(
  { values, context, commit }: AdoptionFacts,
  projectId: string,
  signal: AbortSignal,
): Promise<SafeText | undefined> {
  const branch = context.event.defaultBranch;
  if (branch === undefined) return safe`the event does not name the default branch`;
  if (!values['github-deployment']) {
    return safe`with github-deployment: false there is no record of earlier deployments`;
  }
  const octokit = await openOctokit(accessOf(values, context), signal);
  if ((await findCommit(octokit, `heads/${branch}`)) !== commit) {
    return safe`${commit} is not the head of the default branch`;
  }
  const signer = recordSignerFor(values, context.repository);
  return (await wasReleased(octokit, signer, projectId))
    ? safe`this action has deployed to it before`
    : undefined;
}

/** Whether GitHub shows that a project is new; false if that can't be read. */
export async function mayAdopt(
  facts: AdoptionFacts,
  projectId: string,
  host: Host,
): Promise<boolean> {
  const limit = AbortSignal.any([host.signal, AbortSignal.timeout(longest)]);
  const why = await whyNot(facts, projectId, limit).catch((error: unknown) => {
    host.signal.throwIfAborted();
    const doing = 'check whether it is new';
    return host.clean(printed(describeTrouble(doing, error, 'deployments: write')));
  });
  if (why !== undefined) host.report({ type: 'note', text: notNew(why) });
  return why === undefined;
}
