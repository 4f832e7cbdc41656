import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { type ConnectedReport, reportConnected } from '../domains/result.ts';
import type { CustomStatuses } from '../follow/model/status.ts';
import { type SafeText, type Sanitize, safe, unsafeText } from '../kernel/text/safe.ts';
import { type KeptRecord, type Known, live } from '../releases/decisions.ts';

/** The connected domains of a project, and those of no project that are not verified: they may be meant for it. */
export function domainsOf(
  projectId: string,
  all: readonly ConnectedDomain[],
  clean: Sanitize,
  customStatuses: CustomStatuses,
): ConnectedReport[] {
  const byName = new Map(all.map((domain) => [clean(domain.hostname), domain]));
  const connections = [...byName.keys()].map((hostname) => ({ declared: { hostname } }));
  return reportConnected({ connections }, byName, clean, customStatuses).filter((domain) =>
    domain.projectId === '' ? domain.verification !== 'good' : domain.projectId === projectId,
  );
}

/** The page of a run, on the server that has the API: github.com, one of GHE.com, or GitHub Enterprise Server. */
export function runPage(at: { apiUrl: string; repository: string }, runId: string): SafeText {
  const server = at.apiUrl.endsWith('/api/v3')
    ? at.apiUrl.slice(0, -'/api/v3'.length)
    : at.apiUrl.replace(/^https:\/\/api\./, 'https://');
  return unsafeText(`${server}/${at.repository}/actions/runs/${runId}`);
}

/** The newest release that may have changed what is live. */
const newestIn = (known: Known): KeptRecord | undefined =>
  known.releases().find((one) => known.ends([one])[0]?.kind !== 'undeployed');

/** True if there are records, and none is signed with this key: anyone who may create deployments could have made them. */
export const isUnsigned = (known: Known): boolean =>
  known.releases().next().done === true && known.records().next().done !== true;

/** Why the release records of production don't show what is live. */
export function whyNotLive(known: Known): SafeText {
  const newest = newestIn(known);
  if (newest === undefined) {
    return safe`The commit that is live: the repository has no GitHub deployment that shows it for this project.`;
  }
  const run = newest.runId === undefined ? safe`` : safe` of run ${unsafeText(newest.runId)}`;
  return safe`The commit that is live: the last GitHub deployment${run} has no clear result, or may still be in progress.`;
}

/** How many of the newest releases are read, and of how many previews the results: each is a request. */
const most = { releases: 500, previews: 50 };

/** The previews of a repository that are not known to have ended, the newest first, each by its newest release. */
export function previewsIn(known: Known) {
  const releases = known.releases().take(most.releases).toArray();
  const ofPulls = releases.filter((one) => one.isPreview && one.pullRequest !== undefined);
  const series = [...Map.groupBy(ofPulls, ({ key }) => key).values()];
  const read = series.slice(0, most.previews);
  // All results at once.
  known.ends(read.flatMap(([newest]) => newest ?? []));
  const taken = new Set<string>();
  const previews = read.flatMap((records) => {
    const own: Known = { ...known, releases: () => records.values() };
    const record = newestIn(own);
    if (record === undefined || known.stateNow(record.id) === 'inactive') return [];
    const [end] = known.ends([record]);
    const projectId = end !== undefined && 'projectId' in end ? end.projectId : undefined;
    // A newer preview has replaced it.
    if (projectId !== undefined && taken.has(projectId)) return [];
    if (projectId !== undefined) taken.add(projectId);
    // Undefined if a run may still be deploying, or ended without a result.
    return [{ record, commit: live(own)?.commit, projectId }];
  });
  return { previews, isWhole: releases.length < most.releases && series.length <= most.previews };
}
