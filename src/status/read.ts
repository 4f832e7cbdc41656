import { notForUs } from '../domains/guard.ts';
import { reportConnected } from '../domains/result.ts';
import { readService } from '../follow/model/service.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import { type KeptRecord, type Known, mayBeReplaced } from '../releases/decisions.ts';
import { HistoryUnreadable, openHistory, search } from '../releases/history.ts';
import { recordSignerFor, Series } from '../releases/series.ts';
import { ServiceError } from '../service/errors.ts';
import { outcomeByError, reportOn } from '../step/run-outcome.ts';
import type { Run } from '../step/step.ts';
import { runtimeState } from '../variables/result.ts';
import { isUnsigned, lastIn, previewsIn, reportRelease } from './evaluate.ts';
import type { StatusValues } from './inputs.ts';
import type { StatusReport, StatusState } from './result.ts';

/** What can't be known, and why. */
const reasons = {
  which: safe`Which variables wait: the service reports it for each runtime, not for each variable.`,
  whether: safe`Whether variables wait: the service doesn't report it.`,
  noToken: safe`What is live, and the previews: the service doesn't show them. For the GitHub deployments of the runs, set github-token and --repository OWNER/NAME.`,
  unsigned: safe`GitHub deployments that are not signed with this key: they don't count. Use the api-key of the runs, their env-ledger-key if they have one, and the repository's name as GitHub writes it.`,
  none: safe`What is live: no GitHub deployment of the repository shows it for this project.`,
  replaced: safe`What is live: a preview may have been deployed to the same project since the last release.`,
  now: safe`Whether something else was deployed since: the service doesn't show it, and deployments without this action are not recorded.`,
  older: safe`Older previews: only the newest 500 releases and 50 previews are read.`,
  registered: safe`Registered domains, and whether one expires: the service doesn't list them.`,
};

const parts = [safe`Variables`, safe`Domains`, safe`What is live, and the previews`];

/**
 * Reads all parts at once, and reports those that could be read. The run fails without the variables, as its address, key
 * or project is wrong then; and without another part, unless the key or the token may not read that.
 */
export async function readStatus(run: Run, values: StatusValues): Promise<StatusReport> {
  const state: StatusState = { unknown: [] };
  return await reportOn(run, state, async () => {
    const [variables, ...others] = await Promise.allSettled([
      readVariables(run, values, state),
      readDomains(run, values, state),
      readReleases(run, values, state),
    ]);
    const unknown = [variables, ...others].flatMap((part, index) => {
      if (part.status === 'fulfilled') return part.value.map((why) => ({ why }));
      const { code, text } = outcomeByError(run.host, part.reason).error;
      const unread = safe`${parts[index] ?? ''}: not all was read before the run ended.`;
      return [{ why: run.host.signal.aborted ? unread : text, code }];
    });
    state.unknown = [...unknown, { why: reasons.registered }];
    if (variables.status === 'rejected') throw variables.reason;
    for (const part of others) {
      if (part.status === 'rejected' && !isRefused(part.reason)) throw part.reason;
    }
    return { outcome: 'succeeded' };
  });
}

/** True if a permission is missing, or there is no such list. */
const isRefused = (error: unknown): boolean =>
  error instanceof HistoryUnreadable
    ? error.isLasting
    : error instanceof ServiceError && notForUs.has(error.status ?? 0);

async function readVariables({ client }: Run, values: StatusValues, state: StatusState) {
  const environment = await client.readEnvironment(values['project-id']);
  const { stale, pending } = Object.assign(state, runtimeState(environment));
  if (stale === true || pending === true) return [reasons.which];
  return stale === undefined || pending === undefined ? [reasons.whether] : [];
}

/** Reads those of the project, and those of no project that are not verified: they may be meant for it. */
async function readDomains({ client, host }: Run, values: StatusValues, state: StatusState) {
  const { customStatuses } = readService(values.service);
  const all = (await client.listConnectedDomains()).map((domain) =>
    reportConnected(host.clean(domain.hostname), domain, host.clean, customStatuses),
  );
  state.domains = all.filter(({ projectId, verification }) =>
    projectId === '' ? verification !== 'good' : projectId === values['project-id'],
  );
  return [];
}

/** Reads what is live and the previews, by the release records of the runs. */
async function readReleases({ host }: Run, values: StatusValues, state: StatusState) {
  const { repository, 'github-token': token, 'github-api-url': apiUrl } = values;
  if (repository === undefined || token === undefined) return [reasons.noToken];
  const access = { apiUrl, token, repository };
  const signer = recordSignerFor(values, repository);
  const open = (of: { key?: string }) => {
    const recorder = { isPlanned: false, series: new Series({ access, signer }, of) };
    const { decide } = openHistory({ access, branch: undefined, host, recorder });
    return <Answer>(decision: (known: Known) => Answer) =>
      decide(decision, { ...search, signal: host.signal });
  };
  const projectId = values['project-id'];
  const key = `production/${projectId}`;
  // Of any environment: its name is an input of the runs.
  const [production, all] = [open({ key }), open({})];
  if (await all(isUnsigned)) return [reasons.unsigned];
  const last = await production(lastIn);
  const isElsewhere = (one: KeptRecord) =>
    one.key !== key && one.key.toLowerCase().includes(projectId);
  const unknown: SafeText[] = [];
  if (last === undefined) unknown.push(reasons.none);
  else if (await all((known) => mayBeReplaced(known, last.record, isElsewhere))) {
    unknown.push(reasons.replaced);
  } else {
    state.live = reportRelease({ ...last, projectId: undefined }, access, host.clean);
    unknown.push(reasons.now);
  }
  const { previews, isWhole } = await all(previewsIn);
  state.previews = previews.map((one) => reportRelease(one, access, host.clean));
  if (!isWhole) unknown.push(reasons.older);
  return unknown;
}
