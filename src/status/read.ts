import { notForUs } from '../domains/guard.ts';
import { readService } from '../follow/model/service.ts';
import type { GitHubAccess } from '../github/client.ts';
import { type Sanitize, safe, unsafeText } from '../kernel/text/safe.ts';
import { type KeptRecord, live, mayBeReplaced } from '../releases/decisions.ts';
import { HistoryUnreadable, openHistory, search } from '../releases/history.ts';
import { recordSignerFor, Series } from '../releases/series.ts';
import { ServiceError } from '../service/errors.ts';
import { explainError, reportOn } from '../step/run-outcome.ts';
import type { Run } from '../step/step.ts';
import { domainsOf, isUnsigned, previewsIn, runPage, whyNotLive } from './evaluate.ts';
import type { StatusValues } from './inputs.ts';
import type { StatusReport, StatusState } from './result.ts';

type Unknown = StatusState['unknown'][number];

/**
 * Reads all parts at once. What the key or the token may not read is unknown; any other failure, or a key that may read
 * nothing, fails the run. The report has the parts that could be read.
 */
export async function readStatus(run: Run, values: StatusValues): Promise<StatusReport> {
  const { clean, signal } = run.host;
  const state: StatusState = { unknown: [] };
  const records = recordsOf(run.host, values);
  const attempt = async (about: Unknown['about'], reading: Promise<Unknown['why'] | undefined>) => {
    try {
      const why = await reading;
      return { unknown: why === undefined ? [] : [{ about, why }] };
    } catch (error) {
      const { code, text } = explainError(signal.aborted ? signal.reason : error, clean);
      const why = signal.aborted
        ? safe`Not read before the run ended: ${unsafeText(about)}.`
        : text;
      return { unknown: [{ about, why, code: unsafeText(code) }], error };
    }
  };
  return await reportOn(run, state, async () => {
    // The service's first: it is what the run is about.
    const [variables, domains, ...others] = await Promise.all([
      attempt('variables', readVariables(run, values, state)),
      attempt('domains', readDomains(run, values, state)),
      attempt('live', readLive(run, state, records)),
      attempt('previews', readPreviews(run, state, records)),
    ]);
    const parts = [variables, domains, ...others];
    state.unknown = [...parts.flatMap(({ unknown }) => unknown), registered];
    const mayReadNothing = variables.error !== undefined && domains.error !== undefined;
    const failed = parts.find(({ error }) => error !== undefined && !isDenied(error));
    const { error } = failed ?? (mayReadNothing ? variables : {});
    if (error !== undefined) throw error;
    return { outcome: 'succeeded' };
  });
}

/** True if only a permission is missing, or the service has no list of domains. A project must be there. */
function isDenied(error: unknown): boolean {
  if (error instanceof HistoryUnreadable) return error.isLasting;
  if (!(error instanceof ServiceError)) return false;
  const { status = 0 } = error;
  return error.details.operation.about === 'connected-domain'
    ? notForUs.has(status)
    : status === 403;
}

const registered: Unknown = {
  about: 'registered-domains',
  why: safe`Registered domains, and whether one expires: the service doesn't list them.`,
};

async function readVariables({ client }: Run, values: StatusValues, state: StatusState) {
  const { production, preview } = await client.readEnvironment(values['project-id']);
  const pending = production?.pending ?? undefined;
  const stale = preview?.stale ?? undefined;
  if (pending !== undefined || stale !== undefined) state.variables = { pending, stale };
  if (pending === true || stale === true) {
    return safe`Which variables wait: the service reports it for each runtime, not for each variable.`;
  }
  return pending === undefined || stale === undefined
    ? safe`Whether variables wait: the service doesn't report it.`
    : undefined;
}

async function readDomains({ client, host }: Run, values: StatusValues, state: StatusState) {
  const all = await client.listConnectedDomains();
  const { customStatuses } = readService(values.service);
  state.domains = domainsOf(values['project-id'], all, host.clean, customStatuses);
  return undefined;
}

const noRecords = safe`The commit that is live, and the previews: the service doesn't show them. For the GitHub deployments of the runs, set github-token and --repository OWNER/NAME.`;

const notSigned = safe`GitHub deployments that are not signed with this key: they don't count. Use the api-key of the runs, their env-ledger-key if they have one, and the repository's name as GitHub writes it.`;

async function readLive({ host }: Run, state: StatusState, records: Records | undefined) {
  if (records === undefined) return noRecords;
  const { production, all, key, projectId, access } = records;
  const asked = { ...search, signal: host.signal, projectId };
  if (await production.decide(isUnsigned, asked)) return notSigned;
  const found = await production.decide(live, asked);
  if (found === undefined) return await production.decide(whyNotLive, asked);
  const isElsewhere = (one: KeptRecord) =>
    one.key !== key && one.key.toLowerCase().includes(projectId);
  const isReplaced = await all.decide(
    (known) => mayBeReplaced(known, found.record, isElsewhere),
    asked,
  );
  if (isReplaced) {
    return safe`The commit that is live: a preview may have been deployed to the same project since.`;
  }
  state.live = { commit: found.commit, ...runOf(found.record, access, host.clean) };
  return safe`Whether that commit is still live: the service doesn't show it, and deployments without this action are not recorded.`;
}

async function readPreviews({ host }: Run, state: StatusState, records: Records | undefined) {
  if (records === undefined) return noRecords;
  const asked = { ...search, signal: host.signal };
  if (await records.all.decide(isUnsigned, asked)) return notSigned;
  const { previews, isWhole } = await records.all.decide(previewsIn, asked);
  state.previews = previews.map(({ record, commit, projectId }) => ({
    'pull-request': record.pullRequest ?? 0,
    commit,
    'project-id': projectId === undefined ? undefined : unsafeText(projectId),
    ...runOf(record, records.access, host.clean),
  }));
  return isWhole
    ? undefined
    : safe`Older previews: only the newest 500 releases and 50 previews are read.`;
}

/** The run of a release record, and when it began. */
function runOf({ at, runId }: KeptRecord, access: GitHubAccess, clean: Sanitize) {
  const since = clean(at);
  if (runId === undefined) return { since };
  return { since, 'run-id': unsafeText(runId), 'run-url': runPage(access, runId) };
}

type Records = NonNullable<ReturnType<typeof recordsOf>>;

/** The release records of the runs on GitHub; undefined without a token and a repository. */
function recordsOf(host: Run['host'], values: StatusValues) {
  const { repository, 'github-token': token, 'github-api-url': apiUrl } = values;
  const { 'project-id': projectId } = values;
  if (repository === undefined || token === undefined) return undefined;
  const access = { apiUrl, token, repository };
  const signer = recordSignerFor(values, repository);
  const read = (only: { key?: string }) => {
    const series = new Series({ access, signer }, only);
    return openHistory({ access, branch: undefined, host, recorder: { isPlanned: false, series } });
  };
  const key = `production/${projectId}`;
  // Of any environment: its name is an input of the runs.
  return { projectId, key, production: read({ key }), all: read({}), access };
}
