import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type DialectOptions,
  type EmulatedDnsRecord,
  type EmulatedProject,
  type Emulator,
  type JournalEntry,
  startEmulator,
} from '../../emulator/index.ts';
import {
  type ActionResult,
  type RunningAction,
  type RunOptions,
  startAction,
} from '../../emulator/runner.ts';
import { unpacked } from '../dist/run-step.ts';
import { shareProcess, startWatched } from './shared-process.ts';

/** Operations that only read although they are sent by POST. */
const readsByPost = new Set(['checkDomains', 'readConnectedDomainStatuses']);

/** The requests that may change something, in order of arrival. */
export function writesTo({ journal }: Pick<Emulator, 'journal'>): JournalEntry[] {
  return journal.entries.filter(
    ({ method, operation }) => method !== 'GET' && !readsByPost.has(operation),
  );
}

/** The records of a registered domain that a customer wrote, in order of creation. */
export function customersRecords(emulator: Emulator, domain: string): EmulatedDnsRecord[] {
  const { records = [] } = emulator.world.registered.all.find(({ name }) => name === domain) ?? {};
  return records.filter(({ managedReason }) => managedReason === null);
}

/** What customers' records say, sorted: `A @ 203.0.113.10`. */
export function contentsOf(emulator: Emulator, domain: string): string[] {
  return customersRecords(emulator, domain)
    .map(({ type, name, content }) => `${type} ${name} ${content}`)
    .sort();
}

/** A service, and a workspace with a site file in which one run of the domains action follows the other. */
export interface DomainsWorld extends AsyncDisposable {
  emulator: Emulator;
  project: EmulatedProject;
  /** Starts the action for a site file: its text, or what it says. */
  start(site: string | object, options?: Partial<RunOptions>): Promise<RunningAction>;
  /** Runs it to its end. */
  run(site: string | object, options?: Partial<RunOptions>): Promise<ActionResult>;
}

/** Starts a service with one project, and an empty workspace. */
export async function startDomains(dialect: DialectOptions = {}): Promise<DomainsWorld> {
  const emulator = await startEmulator({ dialect });
  const [project] = emulator.world.createProjects(1);
  if (project === undefined) throw new Error('no project was made');
  const workspace = await mkdtemp(join(tmpdir(), 'domains-'));
  const start: DomainsWorld['start'] = async (site, options = {}) => {
    const text = typeof site === 'string' ? site : JSON.stringify(site);
    await writeFile(join(workspace, 'site.yml'), text);
    return startAction({
      action: join(unpacked, 'domains'),
      workspace,
      launch: startWatched,
      ...options,
      inputs: {
        'api-key': emulator.key,
        'base-url': emulator.url,
        'project-id': project.id,
        config: 'site.yml',
        ...options.inputs,
      },
    });
  };
  return {
    emulator,
    project,
    start,
    run: async (site, options) =>
      await (await start(site, { launch: shareProcess, ...options })).done,
    [Symbol.asyncDispose]: async () => {
      await emulator.close();
      await rm(workspace, { recursive: true, force: true });
    },
  };
}
