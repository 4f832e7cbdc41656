import type { Sha } from '../contract/commit.ts';
import { openOctokit } from '../github/client.ts';
import { findCommit, wasReleased } from '../github/deployment-history.ts';
import { describeTrouble } from '../github/errors.ts';
import { printed } from '../kernel/diagnostic.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import type { RunContext } from '../platform.ts';
import { recordSignerFor } from '../releases/series.ts';
import { accessOf, type KeyValues, type TokenValues } from '../step/access.ts';
import type { Host } from '../step/step.ts';
import { notNew } from './intent.ts';

/** The time limit for all requests to GitHub together, in milliseconds. */
const longest = 60_000;

/** What decides about an adoption, besides the project. */
interface AdoptionFacts {
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
  const refuse = (why: SafeText) => {
    host.report({ type: 'note', text: notNew(why) });
    return false;
  };
  try {
    const why = await whyNot(facts, projectId, limit);
    return why === undefined || refuse(why);
  } catch (error) {
    host.signal.throwIfAborted();
    const doing = 'check whether it is new';
    return refuse(host.clean(printed(describeTrouble(doing, error, 'deployments: write'))));
  }
}
