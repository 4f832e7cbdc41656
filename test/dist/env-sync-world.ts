import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type DialectOptions,
  type EmulatedProject,
  type Emulator,
  startEmulator,
} from '../../emulator/index.ts';
import {
  type ActionResult,
  type RunningAction,
  type RunOptions,
  startAction,
} from '../../emulator/runner.ts';
import { shareProcess, startWatched } from '../support/shared-process.ts';
import { unpacked } from './run-step.ts';

const ledgerPath = '.site/ledger';

/** A service, and a workspace in which one run of the env-sync action follows the other. */
export interface EnvSyncWorld extends AsyncDisposable {
  emulator: Emulator;
  project: EmulatedProject;
  workspace: string;
  /** The file that holds the ledger. */
  ledger: string;
  /** Starts the action for these variables; they come from the step's environment. */
  start(variables: Readonly<Record<string, string>>, options?: Partial<RunOptions>): RunningAction;
  /** Runs it to its end. */
  run(
    variables: Readonly<Record<string, string>>,
    options?: Partial<RunOptions>,
  ): Promise<ActionResult>;
  /** The ledger as it is sealed. @throws if there is none */
  readLedger(): Promise<string>;
}

/** Starts a service with one project, and an empty workspace. */
export async function startEnvSync(dialect: DialectOptions = {}): Promise<EnvSyncWorld> {
  const emulator = await startEmulator({ dialect });
  const [project] = emulator.world.createProjects(1);
  if (project === undefined) throw new Error('no project was made');
  const workspace = await mkdtemp(join(tmpdir(), 'env-sync-'));
  const ledger = join(workspace, ledgerPath);
  const start: EnvSyncWorld['start'] = (variables, options = {}) =>
    startAction({
      action: join(unpacked, 'env-sync'),
      workspace,
      launch: startWatched,
      ...options,
      env: { ...variables, ...options.env },
      inputs: {
        'api-key': emulator.key,
        'base-url': emulator.url,
        'project-id': project.id,
        'env-ledger': ledgerPath,
        'env-from': Object.keys(variables).join('\n'),
        ...options.inputs,
      },
    });
  return {
    emulator,
    project,
    workspace,
    ledger,
    start,
    run: async (variables, options) =>
      await start(variables, { launch: shareProcess, ...options }).done,
    readLedger: () => readFile(ledger, 'utf8'),
    [Symbol.asyncDispose]: async () => {
      await emulator.close();
      await rm(workspace, { recursive: true, force: true });
    },
  };
}

/** The operations of a service that changed something. */
export function writesOf({ journal }: Emulator): string[] {
  return journal.entries.filter(({ method }) => method !== 'GET').map(({ operation }) => operation);
}

/** The values that the service stores, by name. */
export function stored({ variables }: EmulatedProject): Record<string, string> {
  return Object.fromEntries(variables.map(({ name, value }) => [name, value]));
}

/** What a run of a drifted world has declared before. */
export const old = { SAME: 'fake', CHANGED: 'old fake', DROPPED: 'fake' };
/** What is declared now: one variable is as it was, one has another value, one is new, one is dropped. */
export const now = { SAME: 'fake', CHANGED: 'new fake', NEW: 'fake' };

/** Starts a world in which {@link old} was synced. */
export async function startDrifted(): Promise<EnvSyncWorld> {
  const world = await startEnvSync();
  await world.run(old);
  return world;
}
