import type { EmulatedProject, Emulator } from '../emulator/index.ts';
import { type DeployRequest, deploy } from '../src/deploy/deploy.ts';
import { noCustomStatuses } from '../src/follow/model/status.ts';
import { type Host, longestLine, longestText, type Run } from '../src/frame/step.ts';
import { actions } from '../src/inputs.ts';
import { createRedact } from '../src/kernel/text/redact.ts';
import { clean, unsafeText } from '../src/kernel/text/safe.ts';
import { deriveLedgerKeys } from '../src/ledger/model/keys.ts';
import {
  emptyLedger,
  fingerprintsOf,
  type LedgerKeeper,
  valueMarksOf,
} from '../src/ledger/model/ledger.ts';
import type { DeployReport } from '../src/release/model/report.ts';
import { createClient } from '../src/service/client.ts';
import { systemClock } from '../src/service/clock.ts';

/** The longest that one run may take, in milliseconds. */
const timeout = 5 * 60_000;

/** What a command needs, as a step has it: a connection pool of its own, and the machine's own clock. */
export interface Connection extends Run, AsyncDisposable {}

/** Connects to the emulator. It sends nothing yet: each run pays for opening its own connections. */
export function connect({ url, key }: Emulator): Connection {
  const redact = createRedact([key]);
  const host: Host = {
    report: () => undefined,
    drained: () => Promise.resolve(),
    signal: AbortSignal.timeout(timeout),
    clock: systemClock,
    clean: (text) => unsafeText(clean(redact(text))),
    cleanLine: (text) => unsafeText(clean(redact(text), longestLine)),
    cleanText: (text) => unsafeText(clean(redact(text), longestText)),
    random: Math.random,
  };
  const client = createClient({
    ...host,
    baseUrl: url,
    apiKey: key,
    userAgent: 'bench',
    deadline: host.clock.now() + timeout,
  });
  const name = crypto.randomUUID();
  return {
    client,
    host,
    keyFor: (operation, target) => `${operation} ${target} ${name}`,
    started: host.clock.now(),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const { inputs } = actions.deploy;

/** Remembers nothing, so that each run writes all of its variables. */
const forgetful: LedgerKeeper = {
  open: (projectId) => {
    const keys = deriveLedgerKeys(projectId);
    const fingerprint = fingerprintsOf(projectId, keys.fingerprint);
    return Promise.resolve({
      ledger: emptyLedger,
      fingerprint,
      marks: valueMarksOf(projectId, keys),
      scope: 'bench',
      save: () => undefined,
    });
  },
};

/** Runs the deploy command: HEAD without variables, if nothing else is said. */
export async function runDeploy(
  connection: Connection,
  project: EmulatedProject,
  fields: Partial<DeployRequest>,
): Promise<DeployReport> {
  return await deploy(connection, {
    target: { kind: 'project', id: project.id },
    commit: 'HEAD',
    deploy: true,
    guarded: false,
    variables: [],
    onConflict: 'overwrite',
    removals: new Map(),
    planOnly: false,
    ledgers: forgetful,
    wait: 'auto',
    statusPath: inputs['status-path'].default,
    eventsPath: inputs['events-path'].default,
    customStatuses: noCustomStatuses,
    ...fields,
  });
}
