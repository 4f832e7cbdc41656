import type { EmulatedProject } from '../../emulator/index.ts';
import { unsafeText } from '../../src/kernel/text/safe.ts';
import { deriveLedgerKeys } from '../../src/ledger/model/keys.ts';
import {
  emptyLedger,
  fingerprintsOf,
  type Ledger,
  type LedgerKeeper,
  type OpenLedger,
  valueMarksOf,
} from '../../src/ledger/model/ledger.ts';
import type { Run } from '../../src/step/step.ts';
import { type EnvSyncRequest, envSync, type SyncReport } from '../../src/variables/env-sync.ts';
import type { ConflictPolicy, DesiredVariable, Removals } from '../../src/variables/intent.ts';
import { planSync, type SyncEnd, syncEnvironment } from '../../src/variables/sync.ts';
import { type ReadReport, readReport } from './read-report.ts';
import { removing } from './variables.ts';
import { linesIn, type World } from './world.ts';

const keys = deriveLedgerKeys('not-a-real-ledger-key');

/** Ledgers that are kept in memory, by project. */
export interface MemoryLedgers extends LedgerKeeper {
  readonly kept: Map<string, Ledger>;
}

/**
 * Keeps ledgers in memory: what is saved once is found by the next run that is given the same keeper.
 *
 * @param former a keeper whose ledgers this one starts with
 */
export function memoryLedgers(former?: MemoryLedgers): MemoryLedgers {
  const kept = new Map(former?.kept);
  const open = (projectId: string): Promise<OpenLedger> =>
    Promise.resolve({
      ledger: kept.get(projectId) ?? emptyLedger,
      fingerprint: fingerprintsOf(projectId, keys.fingerprint),
      marks: valueMarksOf(projectId, keys),
      scope: 'a step',
      save: (ledger) => kept.set(projectId, ledger),
    });
  return { kept, open };
}

/** What to sync at once. */
export interface SyncNow {
  projectId: string;
  variables: readonly DesiredVariable[];
  policy: ConflictPolicy;
  removals?: Removals;
  /** Where the ledger is kept; without it nothing is remembered. */
  ledgers?: LedgerKeeper;
}

/** Reads a world's environment and syncs it at once, as the commands do. */
export async function syncNow(world: Run, request: SyncNow): Promise<SyncEnd> {
  const { removals = removing(), ledgers = memoryLedgers(), projectId, policy } = request;
  const observed = await world.client.readEnvironment(projectId);
  const ledger = await ledgers.open(projectId);
  const asked = { ...request, onConflict: policy, removals, observed, ledger };
  const end = await syncEnvironment(world, await planSync(world.host, asked));
  if (end.ledger !== undefined) ledger.save(end.ledger);
  return end;
}

/** Runs the env-sync command in a world, with everything at its default that a test does not care about. */
export async function runEnvSync(
  world: World,
  fields: Partial<EnvSyncRequest> = {},
): Promise<ReadReport<SyncReport>> {
  return readReport(
    await envSync(world, {
      projectId: world.project.id,
      variables: [],
      onConflict: 'overwrite',
      removals: removing(),
      ledgers: memoryLedgers(),
      planOnly: false,
      gates: { expectedPlan: undefined, maxChanges: undefined },
      guarded: false,
      ...fields,
    }),
  );
}

/** The operations that a world's service was asked for while something was done, in order of arrival. */
export async function operationsDuring(
  { emulator }: Pick<World, 'emulator'>,
  act: () => Promise<unknown>,
): Promise<string[]> {
  const before = emulator.journal.entries.length;
  await act();
  return emulator.journal.entries.slice(before).map(({ operation }) => operation);
}

/** The values that the service stores, by name. */
export function valuesOf(project: EmulatedProject): Record<string, string> {
  return Object.fromEntries(project.variables.map(({ name, value }) => [name, value]));
}

/** What became of each variable, by name. */
export function outcomesOf({ result }: Pick<SyncEnd, 'result'>): Record<string, string> {
  return Object.fromEntries(result.variables.map(({ name, outcome }) => [name, outcome]));
}

/** The declared variables that a run left alone as unchanged although the service stores another value: never any. */
export function wronglySkipped(
  { result }: Pick<SyncEnd, 'result'>,
  declared: readonly DesiredVariable[],
  project: EmulatedProject,
): string[] {
  const outcomes = new Map(result.variables.map(({ name, outcome }) => [name, outcome]));
  return declared
    .filter(({ name }) => outcomes.get(unsafeText(name)) === 'unchanged')
    .filter(({ name, value, kind, preview, production }) => {
      const stored = project.variables.filter((variable) => variable.name === name);
      const wanted = (one: (typeof stored)[number]) =>
        one.value === value &&
        one.kind === kind &&
        one.preview === preview &&
        one.production === production;
      return !stored.every(wanted) || stored.length !== 1;
    })
    .map(({ name }) => name);
}

/** Lets somebody else act right after the environment was read and planned. */
export function whenPlanned(world: World, act: () => void): void {
  const { report } = world.host;
  let acted = false;
  world.host.report = (progress) => {
    report(progress);
    if (!linesIn(progress).startsWith('Variables: ') || acted) return;
    acted = true;
    act();
  };
}
