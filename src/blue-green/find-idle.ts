import { openChecks, type SiteChecks } from '../checks/apply.ts';
import { awaitChecks } from '../checks/await-checks.ts';
import type { ChecksRequest } from '../checks/intent.ts';
import { countFailed } from '../checks/result.ts';
import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { findDomain } from '../domains/assign-domain.ts';
import { assignedTo } from '../domains/evaluate.ts';
import { notForUs } from '../domains/guard.ts';
import { EarlyEnd, type Host, type Run } from '../frame/step.ts';
import type { PlannedChange } from '../kernel/change.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { listNames } from '../kernel/names.ts';
import { formatDuration } from '../kernel/text/format.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { guardMove } from '../previews/preview.ts';
import type { SetupContext, Target } from '../release/context.ts';
import type { Swap } from '../release/model/report.ts';
import { ServiceError } from '../service/errors.ts';
import { moveDomain, withCountedKeys } from './move-domain.ts';
import {
  checksOfProject,
  chooseProject,
  readSituation,
  type Situation,
  type SwapView,
  together,
} from './plan.ts';

/** Checks at several origins, as one. Close them at the end. */
export function openAll(groups: readonly ChecksRequest[], host: Host): SiteChecks {
  const opened = groups.map((group) => openChecks(group, host));
  return {
    all: opened.flatMap(({ all }) => all),
    active: opened.flatMap(({ active }) => active),
    restart: () => {
      for (const one of opened) one.restart();
    },
    tryAll: async (signal, longest) => {
      // Waits for all, so that none is running when its pool is closed.
      const ended = await Promise.allSettled(opened.map((one) => one.tryAll(signal, longest)));
      const failed = ended.find((end) => end.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    },
    close: async () => void (await Promise.all(opened.map((one) => one.close()))),
  };
}

/** How long the checks that choose between the two projects may take, in milliseconds. */
const longest = 10_000;

/** Whether the checks pass; undefined if there are none. */
async function doPass(groups: readonly ChecksRequest[], host: Host): Promise<boolean | undefined> {
  if (groups.length === 0) return undefined;
  const checks = openAll(groups, host);
  try {
    const found = () => undefined;
    return countFailed(await awaitChecks({ host, checks, timeout: longest, found })) === 0;
  } finally {
    await checks.close();
  }
}

/** A target of which one of two projects is deployed to. */
type SwapTarget = Extract<Target, { kind: 'swap' }>;

/** How often domains on different projects are read, in milliseconds. */
const pause = 2000;

/** How many equal reads show that no run moves them: as long as a request and its retries take. */
const enoughAlike = 15;

/** The same while one of them has no project, which visitors notice. */
const enoughLoose = 5;
const mostReads = 45;

async function readView(
  run: SetupContext,
  { swap: { projects, domains }, preview }: SwapTarget,
): Promise<SwapView> {
  const view = await readDomainsOf(run, [...domains, preview.hostname]);
  const own = view.get(preview.hostname);
  const slots = domains.flatMap((hostname) => {
    const domain = view.get(hostname);
    return domain === undefined ? [] : [[hostname, assignedTo(domain)] as const];
  });
  return { projects, slots: new Map(slots), preview: own && assignedTo(own) };
}

/** Ends a run whose domains are on a third project. */
function refuseForeign(
  { host }: SetupContext,
  situation: Situation,
): asserts situation is Exclude<Situation, { kind: 'foreign' }> {
  if (situation.kind !== 'foreign') return;
  const names = listNames(situation.hostnames, host.clean);
  const message = safe`Nothing was written or deployed: domains of swap-domains are assigned to a project outside swap-projects: ${names}. Remove them from swap-domains, or assign them to one of swap-projects on the service`;
  throw new EarlyEnd('failed', diagnose('SD6011', message));
}

/** The assignments, and what they mean. */
interface SwapReading {
  view: SwapView;
  situation: Exclude<Situation, { kind: 'foreign' }>;
}

/**
 * Waits until the domains are on one project, or unchanged for half a minute, or ten seconds if one has no project:
 * another run that moves them is faster than that.
 */
async function awaitStill(run: SetupContext, target: SwapTarget): Promise<SwapReading> {
  const { clock, signal, report } = run.host;
  let before = '';
  let alike = 0;
  for (let reads = 1; reads <= mostReads; reads += 1) {
    const view = await readView(run, target);
    const situation = readSituation(view);
    refuseForeign(run, situation);
    const shown = JSON.stringify([[...view.slots], view.preview ?? null]);
    alike = shown === before ? alike + 1 : 0;
    before = shown;
    const isLoose = [...view.slots.values()].includes(undefined);
    const enough = isLoose ? enoughLoose : enoughAlike;
    if (situation.kind === 'together' || alike >= enough) return { view, situation };
    if (reads === 1) {
      const text = safe`The domains of swap-domains are assigned to different projects: another run is moving them, or one was interrupted. Waiting until they stop changing`;
      report({ type: 'note', text });
    }
    await clock.sleep(pause, signal);
  }
  const message = safe`Nothing was written or deployed: another run kept moving the domains of swap-domains. Rerun the job. To prevent this, put such jobs in one concurrency group`;
  throw new EarlyEnd('failed', diagnose('SD6012', message));
}

/** The project that gets all the domains; undefined if no project is known to work. */
async function whereToGather(
  run: SetupContext,
  { swap: { projects, checks }, preview }: SwapTarget,
  { slots }: SwapView,
  { holders, marked }: Extract<Situation, { kind: 'apart' }>,
): Promise<string | undefined> {
  const { host } = run;
  const passes = async (domains: readonly string[]) =>
    checks && (await doPass(checksOfProject(checks, domains), host));
  const [live] = holders;
  if (live === undefined) return (await passes([preview.hostname])) === true ? marked : undefined;
  if (holders.length === 1) return live;
  const candidate = async (project: string) => {
    const own = [...slots].flatMap(([hostname, slot]) => (slot === project ? [hostname] : []));
    return { project, passes: await passes(own) };
  };
  const [one, two] = projects;
  return chooseProject(await Promise.all([candidate(one), candidate(two)]), marked);
}

/** Completes an interrupted move, or rolls it back. */
async function reconcile(
  run: SetupContext,
  target: SwapTarget,
  { view, situation }: SwapReading,
): Promise<Pick<Swap, 'reconciled' | 'slots'>> {
  const { slots } = view;
  if (situation.kind === 'together') return { slots };
  const to = await whereToGather(run, target, view, situation);
  if (to === undefined) return { slots };
  const counted = withCountedKeys(run, 'reconcile');
  for (const [hostname, from] of slots) {
    if (from === to) continue;
    let without = safe``;
    await moveDomain(counted, { hostname, from, to }, (gap) => {
      without = safe`; without a project for at most ${formatDuration(Math.max(100, gap))}`;
    });
    const text = safe`Completing an interrupted move: ${unsafeText(hostname)} is now assigned to ${unsafeText(to)}${without}`;
    run.host.report({ type: 'note', text });
  }
  return { reconciled: to, slots: new Map([...slots.keys()].map((hostname) => [hostname, to])) };
}

/**
 * Finds out which project serves and which is idle, by the assignments alone. An interrupted move is completed first.
 *
 * @throws EarlyEnd if a domain is on a third project, or another run keeps moving them
 */
export async function findIdle(
  run: SetupContext,
  target: SwapTarget,
): Promise<{ projectId: string; isNew: boolean; swap: Swap }> {
  const { host, found } = run;
  const { swap } = target;
  const still = await awaitStill(run, target);
  const { hostname } = target.preview;
  const projectId = still.view.preview ?? null;
  guardMove(host, { ...target.preview, known: swap.projects }, { hostname, projectId });
  const { slots, reconciled } = await reconcile(run, target, still);
  const live = reconciled ?? [...slots.values()].find((project) => project !== undefined);
  const { idle } = together(swap.projects, live);
  const serves =
    live === undefined ? safe`Neither project serves` : safe`${unsafeText(live)} serves`;
  const names = listNames(swap.domains, unsafeText);
  host.report({
    type: 'note',
    text: safe`${serves} ${names}. Deploying to ${unsafeText(idle)}, which is idle`,
  });
  found({
    swap: {
      ...(live !== undefined && { from: live, live }),
      ...(reconciled !== undefined && { reconciled }),
      to: idle,
      domains: swap.domains.map((hostname) => ({ hostname: unsafeText(hostname), state: 'stays' })),
    },
  });
  const assigned = { from: live, to: idle, slots, ...(reconciled !== undefined && { reconciled }) };
  return { projectId: idle, isNew: false, swap: { ...swap, ...assigned } };
}

/** All listed connected domains; empty if the key may not list them. */
async function listShown({ client }: Run): Promise<ConnectedDomain[]> {
  return await client.listConnectedDomains().catch((error: unknown) => {
    if (error instanceof ServiceError && notForUs.has(error.status ?? 0)) return [];
    throw error;
  });
}

/**
 * Reads domains by their names. One that is not listed is requested itself: the list may be incomplete, or not allowed
 * for this key.
 *
 * @returns those that are connected
 */
export async function readDomainsOf(
  run: Run,
  hostnames: readonly string[],
): Promise<ReadonlyMap<string, ConnectedDomain>> {
  const listed = await listShown(run);
  const found = await Promise.all(
    hostnames.map(
      async (hostname) =>
        listed.find((domain) => domain.hostname.toLowerCase() === hostname) ??
        (await findDomain(run, hostname)),
    ),
  );
  return new Map(
    hostnames.flatMap((hostname, index) => {
      const domain = found[index];
      return domain === undefined ? [] : [[hostname, domain] as const];
    }),
  );
}

/** What a run would move, or why that is not known. */
export type SwapPlan = { projectId: string; moves: readonly PlannedChange[] } | { why: SafeText };

/** Which project a run would deploy to, and which domains it would move. It reads once, and does not wait. */
export async function planSwap(run: SetupContext, target: SwapTarget): Promise<SwapPlan> {
  const view = await readView(run, target);
  const situation = readSituation(view);
  refuseForeign(run, situation);
  if (situation.kind === 'apart') {
    return {
      why: safe`the domains of swap-domains are assigned to different projects: a run would first move them to the one whose checks pass, and deploy to the other`,
    };
  }
  const { live, idle } = situation;
  const to = unsafeText(idle);
  const moves = target.swap.domains.map((hostname): PlannedChange => {
    const isConnected = view.slots.has(hostname);
    const slot = view.slots.get(hostname);
    const from = slot === undefined ? null : unsafeText(slot);
    return {
      type: 'domain',
      resource: 'connected-domain',
      name: unsafeText(hostname),
      action: isConnected ? 'assign' : 'connect',
      reason:
        live === undefined
          ? safe`neither project serves it`
          : safe`served by ${unsafeText(live)} until the new deployment passes its checks`,
      project: { from, to },
    };
  });
  return { projectId: idle, moves };
}
