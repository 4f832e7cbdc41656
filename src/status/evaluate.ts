import type { Sha } from '../contract/commit.ts';
import { type SafeText, type Sanitize, safe, unsafeText } from '../kernel/text/safe.ts';
import { type KeptRecord, type Known, live } from '../releases/decisions.ts';

/** The page of a run, on the server that has the API: github.com, one of GHE.com, or GitHub Enterprise Server. */
export function runPage(at: { apiUrl: string; repository: string }, runId: string): SafeText {
  const server = at.apiUrl.endsWith('/api/v3')
    ? at.apiUrl.slice(0, -'/api/v3'.length)
    : at.apiUrl.replace(/^https:\/\/api\./, 'https://');
  return unsafeText(`${server}/${at.repository}/actions/runs/${runId}`);
}

/** A time to the minute; another text as it is. */
export function showMinute(text: SafeText): SafeText {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z$/.exec(text) ?? [];
  return day === undefined ? text : unsafeText(`${day} ${time} UTC`);
}

/** The newest release that may have changed what is live. */
const newestIn = (known: Known): KeptRecord | undefined =>
  known.releases().find((one) => known.ends([one])[0]?.kind !== 'undeployed');

/** Why the release records of production don't show what is live. */
export function whyNotLive(known: Known, clean: Sanitize): SafeText {
  const newest = newestIn(known);
  if (newest !== undefined) {
    const time = showMinute(clean(newest.at));
    const run = newest.runId === undefined ? safe`` : safe` of run ${unsafeText(newest.runId)}`;
    return safe`The commit that is live: the last GitHub deployment${run} (${time}) has no clear result, or may still be in progress.`;
  }
  if (hasUnsigned(known)) return notSigned;
  return safe`The commit that is live: the repository has no GitHub deployment that shows it for this project.`;
}

/** True if there are release records that are not signed with this key: anyone who may create deployments could have made them. */
const hasUnsigned = (known: Known): boolean =>
  known.records().some(({ record }) => record === undefined);

/** Why release records show nothing. */
export const notSigned = safe`GitHub deployments that are not signed with this key: they don't count. Use the api-key of the runs, their env-ledger-key if they have one, and the repository's name as GitHub writes it.`;

/** A preview by its newest release. */
interface FoundPreview {
  record: KeptRecord;
  /** The commit that it shows; undefined if a run may still be deploying, or ended without a result. */
  commit: Sha | undefined;
  /** The project that it was deployed to, if its run has recorded that. */
  projectId: string | undefined;
}

/** How many of the newest releases are read, and of how many previews the results: each is a request. */
const most = { releases: 500, previews: 50 };

/** The previews of a repository by its release records. */
interface FoundPreviews {
  /** Those that are not known to have ended, the newest first. */
  previews: FoundPreview[];
  /** True if all releases were read. */
  isWhole: boolean;
  /** True if there are only release records that are not signed with this key. */
  isUnsigned: boolean;
}

/** Finds the previews. */
export function previewsIn(known: Known): FoundPreviews {
  const releases = known.releases().take(most.releases).toArray();
  const ofPulls = releases.filter((one) => one.isPreview && one.pullRequest !== undefined);
  const series = [...Map.groupBy(ofPulls, ({ key }) => key).values()];
  const read = series.slice(0, most.previews);
  // All results at once.
  known.ends(read.flatMap(([newest]) => newest ?? []));
  const previews: FoundPreview[] = [];
  const taken = new Set<string>();
  for (const records of read) {
    const own: Known = { ...known, releases: () => records.values() };
    const record = newestIn(own);
    if (record === undefined || known.stateNow(record.id) === 'inactive') continue;
    const [end] = known.ends([record]);
    const projectId = end !== undefined && 'projectId' in end ? end.projectId : undefined;
    // A newer preview has replaced it.
    if (projectId !== undefined && taken.has(projectId)) continue;
    if (projectId !== undefined) taken.add(projectId);
    previews.push({ record, commit: live(own)?.commit, projectId });
  }
  const isWhole = releases.length < most.releases && series.length <= most.previews;
  return { previews, isWhole, isUnsigned: releases.length === 0 && hasUnsigned(known) };
}
