import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { notForUs } from '../domains/guard.ts';
import type { CustomStatuses } from '../follow/model/status.ts';
import type { GitHubAccess } from '../github/client.ts';
import { describeTrouble, isLasting } from '../github/errors.ts';
import type { RecordSigner } from '../github/model/record-signer.ts';
import { reword } from '../kernel/diagnostic.ts';
import { safe, unsafeText } from '../kernel/text/safe.ts';
import { type KeptRecord, live, mayBeReplaced } from '../releases/decisions.ts';
import { HistoryUnreadable } from '../releases/history.ts';
import { Series } from '../releases/series.ts';
import { ServiceError } from '../service/errors.ts';
import { explainError, reportOn } from '../step/run-outcome.ts';
import type { Run } from '../step/step.ts';
import { notSigned, previewsIn, runPage, whyNotLive } from './evaluate.ts';
import {
  domainsStatus,
  type PreviewStatus,
  type StatusReport,
  type StatusState,
  type Unknown,
  variablesStatus,
  withHostnames,
} from './result.ts';

/** The release records of the runs, on GitHub. */
export interface Records {
  access: GitHubAccess;
  signer: RecordSigner;
  /** All of them. */
  all: Series;
}

/** What is asked. */
export interface StatusRequest {
  projectId: string;
  customStatuses: CustomStatuses;
  /** Undefined: there is no token, or no repository. */
  records: Records | undefined;
}

/** The end of one part: what it leaves unknown, and why it could not be read. */
interface Done {
  unknown: readonly Unknown[];
  error?: unknown;
}

/**
 * Reads all parts at once. What the key or the token may not read is unknown; any other failure, or a key that may read
 * nothing, fails the run. The report has the parts that could be read.
 */
export async function readStatus(run: Run, request: StatusRequest): Promise<StatusReport> {
  const { client, host } = run;
  const state: StatusState = { unknown: [] };
  let domains: readonly ConnectedDomain[] = [];
  const readDomains = async () => {
    domains = await client.listConnectedDomains();
    state.domains = domainsStatus(domains, request, host.clean);
    return [];
  };
  const read = async (
    about: Unknown['about'],
    part: () => Promise<readonly Unknown[]>,
  ): Promise<Done> => {
    try {
      return { unknown: await part() };
    } catch (error) {
      host.signal.throwIfAborted();
      const { code, text } = explainError(error, host.clean);
      return { unknown: [{ about, why: text, code: unsafeText(code) }], error };
    }
  };
  return await reportOn(run, state, async () => {
    const [production, variables, listed, previews] = await Promise.all([
      read('live', () => readLive(run, request, state)),
      read('variables', () => readVariables(run, request, state)),
      read('domains', readDomains),
      read('previews', () => readPreviews(run, request, state)),
    ]);
    const parts = [production, variables, listed, registered, previews];
    state.unknown = parts.flatMap(({ unknown }) => unknown);
    if (state.previews !== undefined && state.domains !== undefined) {
      state.previews = state.previews.map((one) => withHostnames(one, domains, host.clean));
    }
    // The service's first: it is what the run is about.
    const failed = [variables, listed, production, previews].find(
      ({ error }) => error !== undefined && !isDenied(error),
    );
    if (failed !== undefined) throw failed.error;
    if (variables.error !== undefined && listed.error !== undefined) throw variables.error;
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

const registered: Done = {
  unknown: [
    {
      about: 'registered-domains',
      why: safe`Registered domains, and whether one expires: the service doesn't list them.`,
    },
  ],
};

async function readVariables(
  { client, host }: Run,
  { projectId }: StatusRequest,
  state: StatusState,
): Promise<Unknown[]> {
  const variables = variablesStatus(await client.readEnvironment(projectId), host.clean);
  state.variables = variables;
  const { pending, stale } = variables;
  const about = 'variables';
  if (pending === true || stale === true) {
    const why = safe`Which variables wait: the service reports it for each runtime, not for each variable.`;
    return [{ about, why }];
  }
  if (pending !== undefined && stale !== undefined) return [];
  return [{ about, why: safe`Whether variables wait: the service doesn't report it.` }];
}

const noRecords: Unknown = {
  about: 'live',
  why: safe`The commit that is live, and the previews: the service doesn't show them. For the GitHub deployments of the runs, set github-token and --repository OWNER/NAME.`,
};

async function readLive(
  { host }: Run,
  { projectId, records }: StatusRequest,
  state: StatusState,
): Promise<Unknown[]> {
  if (records === undefined) return [noRecords];
  return await fromGitHub(host, async () => {
    const key = `production/${projectId}`;
    const asked = { signal: host.signal, projectId };
    // Of any environment: its name is an input of the runs.
    const series = new Series(records, { key });
    const found = await series.decide(live, asked);
    const about = 'live';
    if (found === undefined) {
      const why = await series.decide((known) => whyNotLive(known, host.clean), asked);
      return [{ about, why }];
    }
    const isElsewhere = (one: KeptRecord) =>
      one.key !== key && one.key.toLowerCase().includes(projectId);
    const isReplaced = await records.all.decide(
      (known) => mayBeReplaced(known, found.record, isElsewhere),
      asked,
    );
    if (isReplaced) {
      const why = safe`The commit that is live: a preview may have been deployed to the same project since.`;
      return [{ about, why }];
    }
    state.live = { commit: found.commit, ...runOf(found.record, records, host) };
    const why = safe`Whether that commit is still live: the service doesn't show it, and deployments without this action are not recorded.`;
    return [{ about, why }];
  });
}

async function readPreviews(
  { host }: Run,
  { records }: StatusRequest,
  state: StatusState,
): Promise<Unknown[]> {
  if (records === undefined) return [];
  return await fromGitHub(host, async () => {
    const { signal } = host;
    const found = await records.all.decide(previewsIn, { signal });
    const { previews, isWhole, isUnsigned } = found;
    const about = 'previews';
    if (isUnsigned) return [{ about, why: notSigned }];
    state.previews = previews.map(
      ({ record, commit, projectId }): PreviewStatus => ({
        'pull-request': record.pullRequest ?? 0,
        commit,
        'project-id': projectId === undefined ? undefined : unsafeText(projectId),
        ...runOf(record, records, host),
      }),
    );
    const why = safe`Older previews: only the newest 500 releases and 50 previews are read.`;
    return isWhole ? [] : [{ about, why }];
  });
}

/** The run of a release record, and when it began. */
function runOf({ at, runId }: KeptRecord, { access }: Records, { clean }: Run['host']) {
  const since = clean(at);
  if (runId === undefined) return { since };
  return { since, 'run-id': unsafeText(runId), 'run-url': runPage(access, runId) };
}

/** What the runs can do about a server without GitHub deployments. */
const noInput = ' Set github-deployment: false.';

/** @throws HistoryUnreadable if GitHub can't be read */
async function fromGitHub<Result>(
  { clean, signal }: Run['host'],
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    signal.throwIfAborted();
    const trouble = describeTrouble(
      'read the GitHub deployments of the runs',
      cause,
      'deployments: read',
    );
    throw new HistoryUnreadable(
      reword(trouble, (text) => clean(text.replace(noInput, ''))),
      { cause, isLasting: isLasting(cause) },
    );
  }
}
