import type { DialectOptions } from '../../emulator/index.ts';
import type { RunningAction } from '../../emulator/runner.ts';
import { type ActionName, actions } from '../../src/inputs.ts';
import { suggestion } from '../../src/site-file/document.ts';
import type { Scene } from './play.ts';
import { UsageError } from './usage-error.ts';

/** The changes to the local world and the step's inputs that lead to a certain end. */
export interface End {
  dialect?: DialectOptions;
  /** Inputs that are filled in if they are not given. */
  inputs?: Readonly<Record<string, string>>;
  /** The event to use if none is given. */
  event?: string;
  /** True if the same step has to run once before, without output. */
  isSecondRun?: true;
  /**
   * Prepares the world.
   * @param names the variables that the step declares
   */
  prepare?: (scene: Scene, names: readonly string[]) => void;
  /** What happens while it runs. */
  during?: (step: RunningAction, scene: Scene) => Promise<void>;
}

/** The ends of a step, with their descriptions. */
export const endNames = {
  success: 'everything succeeds',
  failure: 'the service reports a failure',
  timeout: 'it times out',
  'pending-domain': 'everything succeeds, but the domain is not verified in time',
  conflict: 'the same thing was changed outside this action',
  cancelled: 'the run is canceled',
} as const;

export type EndName = keyof typeof endNames;

/** Cancels the run as soon as the service received this request, or responded to it. */
const cancelAt =
  (wanted: string, isAnswered: boolean) =>
  async (step: RunningAction, { emulator }: Scene): Promise<void> => {
    const received = emulator.journal.waitFor(
      ({ operation, status }) => operation === wanted && (status !== null || !isAnswered),
    );
    const over = step.done.then(() => false);
    if (await Promise.race([received.then(() => true), over])) step.cancel();
  };

/** An operation that gets no response. */
const stall =
  (operation: string) =>
  ({ emulator }: Scene): void => {
    emulator.faults.add({
      kind: 'stall',
      effect: false,
      operation,
      times: Number.POSITIVE_INFINITY,
    });
  };

const short = { timeout: '3s' } as const;
const refused = (...refuse: string[]): End => ({ dialect: { refuse } });
const silent = (operation: string): Pick<End, 'prepare'> => ({ prepare: stall(operation) });

/** The declared variables were changed outside this action and must not be overwritten. */
const changedElsewhere: End = {
  isSecondRun: true,
  inputs: { 'env-from': 'STRIPE_KEY', 'env-on-conflict': 'fail' },
  prepare: ({ project }, names) => {
    for (const name of names) project.setVariable({ name, value: 'fake-rotated-by-hand' });
  },
};

const failedBuild: DialectOptions = {
  deploymentEnds: 'failure',
  deploymentWords: { steps: ['building'] },
  stream: {
    logLines: ['Installing 3 packages', 'Building 2 pages', 'error: no page named "about"'],
  },
};

const ends: Readonly<Record<ActionName, Partial<Record<EndName, End>>>> = {
  deploy: {
    success: {},
    failure: {
      dialect: failedBuild,
    },
    timeout: { dialect: { deploymentEnds: 'never' }, inputs: short },
    'pending-domain': {
      dialect: { domainEnds: 'never' },
      inputs: { 'preview-domain': 'pr-{number}.preview.example.com', 'verify-timeout': '2s' },
      event: 'pull_request',
    },
    conflict: changedElsewhere,
    cancelled: { dialect: { deploymentEnds: 'never' }, during: cancelAt('createDeployment', true) },
  },
  'env-sync': {
    success: {},
    failure: refused('createVariable', 'replaceVariable'),
    timeout: { ...silent('readEnvironment'), inputs: short },
    conflict: changedElsewhere,
    cancelled: { ...silent('readEnvironment'), during: cancelAt('readEnvironment', false) },
  },
  domains: {
    success: {},
    failure: refused('createDnsRecord', 'updateDnsRecord', 'connectDomain'),
    timeout: { ...silent('listConnectedDomains'), inputs: short },
    'pending-domain': {
      dialect: { domainEnds: 'never' },
      inputs: { wait: '2s' },
    },
    conflict: { inputs: { 'expected-plan': 'f'.repeat(64) } },
    cancelled: {
      ...silent('listConnectedDomains'),
      during: cancelAt('listConnectedDomains', false),
    },
  },
  message: {
    success: {},
    failure: { dialect: { messageEnds: 'failure' } },
    timeout: { dialect: { messageEnds: 'never' }, inputs: short },
    cancelled: { dialect: { messageEnds: 'never' }, during: cancelAt('sendMessage', true) },
  },
  projects: {
    success: {},
    failure: refused('listProjects', 'createProject'),
    timeout: { ...silent('listProjects'), inputs: short },
    cancelled: { ...silent('listProjects'), during: cancelAt('listProjects', false) },
  },
};

/**
 * The changes that lead an action to an end.
 * @throws UsageError if the end is unknown, or this action doesn't have it
 */
export function endOf(action: ActionName, name: string): End {
  const known = Object.keys(endNames);
  if (!known.includes(name)) {
    throw new UsageError(
      `--end: unknown end "${name}"${suggestion(name, known) || `; the ends are ${known.join(', ')}`}`,
    );
  }
  const own = ends[action];
  const end = own[name as EndName];
  if (end === undefined) {
    throw new UsageError(
      `--end: the action "${action}" has no end "${name}"; it has ${Object.keys(own).join(', ')}`,
    );
  }
  return end;
}

/** The actions that can end in a certain way. */
export function actionsEnding(name: EndName): ActionName[] {
  return (Object.keys(actions) as ActionName[]).filter((action) => name in ends[action]);
}
