import { type Sanitize, unsafeText } from '../kernel/text/safe.ts';
import { type KeptRecord, type Known, live } from '../releases/decisions.ts';

/** True if there are records, and none is signed with this key: anyone who may create deployments could have made them. */
export const isUnsigned = (known: Known): boolean =>
  known.releases().next().done === true && known.records().next().done !== true;

/** The last release that may have changed what is live, and the commit that it surely left live. */
export function lastIn(known: Known) {
  const isDeployed = (one: KeptRecord) => known.ends([one])[0]?.kind !== 'undeployed';
  const record = known.releases().find(isDeployed);
  if (record === undefined || known.stateNow(record.id) === 'inactive') return undefined;
  const [end] = known.ends([record]);
  const projectId = end !== undefined && 'projectId' in end ? end.projectId : undefined;
  return { record, projectId, commit: live(known)?.commit };
}

/** How many of the newest releases are read, and of how many previews the results: each is a request. */
const most = { releases: 500, previews: 50 };

/** The previews of a repository that are not known to have ended, the newest first, each by its last release. */
export function previewsIn(known: Known) {
  const releases = known.releases().take(most.releases).toArray();
  const ofPulls = releases.filter((one) => one.isPreview && one.pullRequest !== undefined);
  const series = [...Map.groupBy(ofPulls, ({ key }) => key).values()];
  const read = series.slice(0, most.previews);
  // All results at once.
  known.ends(read.flatMap(([newest]) => newest ?? []));
  const last = read.flatMap((own) => lastIn({ ...known, releases: () => own.values() }) ?? []);
  // Of several in one project, the newest has replaced the others.
  const previews = last.filter(
    ({ projectId }, index) =>
      projectId === undefined || last.findIndex((one) => one.projectId === projectId) === index,
  );
  return { previews, isWhole: releases.length < most.releases && series.length <= most.previews };
}

/** A release for a report. The page of its run is on the server that has the API: github.com, GHE.com, or Enterprise Server. */
export function reportRelease(
  { record, projectId, commit }: NonNullable<ReturnType<typeof lastIn>>,
  { apiUrl, repository }: { apiUrl: string; repository: string },
  clean: Sanitize,
) {
  const { pullRequest, at, runId } = record;
  const server = apiUrl.replace(/\/api\/v3$/, '').replace('://api.', '://');
  const page = runId && `${server}/${repository}/actions/runs/${runId}`;
  return {
    'pull-request': pullRequest,
    'project-id': projectId && unsafeText(projectId),
    commit,
    since: clean(at),
    'run-id': runId && unsafeText(runId),
    'run-url': page && unsafeText(page),
  };
}

/** A release, by its GitHub deployment; its commit is undefined if it is not clear what it left live. */
export type ReleaseReport = ReturnType<typeof reportRelease>;
