import type { Environment } from '../../contract/environment.ts';
import { coded } from '../../core/catalogue/coded.ts';
import { decisiveLine } from '../../core/deployment/build-log.ts';
import { productionState } from '../../core/deployment/production.ts';
import { createStatusReader } from '../../core/deployment/status.ts';
import { type CheckResult, countFailed } from '../../core/report/check-result.ts';
import type { DeployReport } from '../../core/report/report.ts';
import { fillTemplate } from '../../core/template.ts';
import { type SafeText, safe, trusted } from '../../core/text/safe.ts';
import { sentence } from '../../core/text/sentence.ts';
import { awaitChecks, describeFailed, describeMissing } from '../checks/await-checks.ts';
import { isAt, resultOf, type SiteChecks } from '../checks/site-checks.ts';
import type { Ending } from '../ending.ts';
import { type Followed, follow } from '../follow/follow.ts';
import type { Host } from '../host.ts';
import { BuildLog } from './build-log.ts';
import type { Deploying } from './context.ts';
import { deploymentSubject } from './deployment-subject.ts';
import { gatherEvidence } from './evidence.ts';
import { postOnceSeen } from './request-deployment.ts';
import { describeUnknown, describeWait } from './wait.ts';

/** How long the checks may take to answer before the deployment, in milliseconds. */
const firstLook = 3000;

/**
 * Runs the checks before anything changes: only checks that do not hold yet can prove anything later. One that only
 * has a fault, which may pass by itself, proves something only if what it wants names the commit.
 */
export async function checksCanProve({ host, checks }: Deploying): Promise<boolean> {
  if (checks === undefined) return false;
  const limit = AbortSignal.timeout(firstLook);
  try {
    await checks.look(AbortSignal.any([host.signal, limit]));
  } catch (error) {
    host.signal.throwIfAborted();
    if (!limit.aborted) throw error;
  }
  return checks.asked.some(
    ({ check, last }) => last?.isAbsent || (!last?.isGood && check?.namesCommit === true),
  );
}

/** What a deployment rests on. */
interface Prepared {
  environment: Environment;
  /** True if the checks can prove a success. */
  checksProve: boolean;
  /** True if this run has pushed the commit. */
  pushed: boolean;
}

/** How a deployment ended, and who said so. */
type Deployed = Ending & Pick<DeployReport, 'confirmedBy'>;

/** Why a deployment failed: what the service says, then what its build says. */
function describeFailure(
  { message, status }: Pick<Followed, 'message' | 'status'>,
  lines: readonly SafeText[],
): SafeText {
  const line = decisiveLine(lines);
  const said = message === undefined ? safe`` : safe`: ${message}`;
  const ended = sentence(safe`The deployment ended as "${status}"${said}`);
  if (line !== undefined) {
    const words = trusted(line.trim());
    return words === message ? ended : safe`${ended} Its build says: ${words}`;
  }
  return message === undefined
    ? safe`${ended} The service says no reason, and shows no log of the build here: look for it at the service.`
    : ended;
}

/** Says how a deployment ended, with an error if it did not end well. */
function endingOf(followed: Followed, lines: readonly SafeText[]): Deployed {
  const { outcome, confirmedBy, message } = followed;
  const end: Deployed = { outcome, ...(confirmedBy && { confirmedBy }) };
  if (outcome === 'succeeded') return end;
  if (outcome === 'unconfirmed') {
    return { ...end, error: coded('SD5002', message ?? safe`Nothing confirms the end`) };
  }
  return { ...end, error: coded('SD5001', describeFailure(followed, lines)) };
}

/** How many words that no table has are warned of; the rest only stands in the log. */
const mostWarnings = 5;

/** Tells of words that no table has, with the line that teaches it. */
function unknownTeller({ report }: Host): (word: SafeText) => void {
  let count = 0;
  return (word) => {
    count += 1;
    const text = coded('SD5003', safe`The deployment's status is ${describeUnknown(word)}`);
    report({ type: count > mostWarnings ? 'note' : 'warning', text });
  };
}

async function deployCommit(
  run: Deploying,
  { environment, checksProve, pushed }: Prepared,
): Promise<Deployed> {
  const { host, request, projectId, found, waitsFor } = run;
  const { wait } = request;
  host.report({ type: 'deployment-requested' });
  const { deployment, uncertainty } = await postOnceSeen(run, pushed);
  const { deploymentId } = deployment;
  const status = deployment.status ?? 'accepted';
  const acceptedAt = host.clock.now();
  const id = host.clean(deploymentId);
  let lastStep: SafeText | undefined;
  let lastSeen = host.clean(status);
  const see = (seen: SafeText) => {
    if (seen !== lastSeen) lastStep = lastSeen;
    lastSeen = seen;
    found({ deployment: { id, status: seen }, ...(lastStep !== undefined && { lastStep }) });
  };
  if (uncertainty !== undefined) found({ uncertainties: [uncertainty] });
  see(lastSeen);
  host.report({ type: 'deployment-accepted', deploymentId: id });
  if (wait === 'none') return { outcome: 'accepted' };
  const ids = {
    projectId: encodeURIComponent(projectId),
    deploymentId: encodeURIComponent(deploymentId),
  };
  const report: Host['report'] = (progress) => {
    if (progress.type === 'status') see(progress.status);
    host.report(progress);
  };
  const watched = { ...run, host: { ...host, report } };
  const paths = {
    statusPath: fillTemplate(request.statusPath, ids),
    eventsPath: fillTemplate(request.eventsPath, ids),
  };
  const read = createStatusReader(request.successStates, request.failureStates);
  const wasPending = productionState(environment) === 'pending';
  const log = new BuildLog(host);
  const followed = await follow(watched, {
    subject: deploymentSubject(watched, { ...paths, deploymentId, read, log }),
    wait,
    status,
    acceptedAt,
    read,
    tellUnknown: unknownTeller(host),
    watch: (tracker, signal) => {
      const evidence = { ...watched, tracker, wasPending, checksProve, signal };
      const restsOnChecks = () => checksProve && !wasPending && tracker.sources.hasNoSource;
      waitsFor(() => describeWait(evidence), restsOnChecks);
      return gatherEvidence(evidence);
    },
    rest: async ({ outcome }, _tracker, signal) => {
      if (outcome === 'failed' && wait !== 'poll') await log.rest(signal);
    },
  });
  see(followed.status);
  waitsFor(() => safe``);
  if (followed.outcome === 'failed' && log.lines.length > 0) found({ log: log.lines });
  return endingOf(followed, log.lines);
}

/** Runs the checks of a site until they hold or their time is up, and says how that ended: well if it is undefined. */
export async function verify(run: Deploying): Promise<Ending | undefined> {
  const { host, request, checks, domain, found } = run;
  if (checks === undefined || request.checks === undefined) return undefined;
  const { timeout } = request.checks;
  run.waitsFor(() => describeMissing(checks));
  const awaiting = {
    host,
    checks,
    timeout,
    domain,
    found: (results: Results) => found({ checks: results }),
  };
  const results = await run.phase('verification', () => awaitChecks(awaiting));
  return endOfChecks(run, checks, results);
}

type Results = readonly CheckResult[];

/** What checks that have come to their end mean for the run. */
function endOfChecks(run: Deploying, checks: SiteChecks, results: Results): Ending | undefined {
  const { host, request, domain, found } = run;
  const { timeout = 0, place } = request.checks ?? {};
  if (countFailed(results) > 0) {
    return { outcome: 'failed', error: describeFailed(checks, results, timeout) };
  }
  const held = checks.all.filter((_, index) => results[index]?.held === true);
  const origin = place?.origin;
  if (held.some(({ check }) => check?.url.origin === origin) && origin !== undefined) {
    found({ site: host.clean(origin) });
  }
  if (domain !== undefined && held.some((one) => isAt(one, domain.hostname))) domain.held();
  return undefined;
}

/** Deploys the commit, follows it to its end, and then runs its checks. */
export async function deployAndVerify(run: Deploying, prepared: Prepared): Promise<Ending> {
  const { checks, found } = run;
  const deployed = await run.phase('deployment', () => deployCommit(run, prepared));
  const { confirmedBy, ...ending } = deployed;
  const { outcome } = ending;
  if (confirmedBy !== undefined) found({ confirmedBy });
  if (outcome === 'succeeded' || outcome === 'failed') found({ deploymentEnd: outcome });
  if (outcome !== 'succeeded' || checks === undefined) return ending;
  if (confirmedBy !== 'site') return (await verify(run)) ?? ending;
  const results = checks.all.map((one) => resultOf(one, one.check === undefined ? null : true));
  found({ checks: results });
  return endOfChecks(run, checks, results) ?? ending;
}
