import type { DialectOptions } from '../../emulator/index.ts';
import type { RunningAction } from '../../emulator/runner.ts';
import { type ActionName, actions } from '../../src/inputs.ts';
import { suggestion } from '../../src/site-file/describe-issue.ts';
import type { Scene } from './play.ts';
import { UsageError } from './usage-error.ts';

/** What is done to the local world, and to the step's inputs, so that a step ends in a certain way. */
export interface End {
  dialect?: DialectOptions;
  /** Inputs that are filled in if they are not given. */
  inputs?: Readonly<Record<string, string>>;
  /** The event that it takes, if none is asked for. */
  event?: string;
  /** True if the same step has to have run before, unseen. */
  isSecondRun?: true;
  /**
   * What others did before.
   * @param names the variables that the step declares
   */
  prepare?: (scene: Scene, names: readonly string[]) => void;
  /** What happens while it runs. */
  during?: (step: RunningAction, scene: Scene) => Promise<void>;
}

/** Each way in which a step can end, in words for people. */
export const endNames = {
  success: 'all goes well',
  failure: 'the service says that it failed',
  timeout: 'it does not end in time',
  'pending-domain': 'all goes well, but the domain is not verified in time',
  conflict: 'somebody changed the same thing elsewhere',
  cancelled: 'somebody cancels the run',
} as const;

export type EndName = keyof typeof endNames;

/** Cancels the run as soon as the service was asked to do this, and has answered if it answers at all. */
const cancelAt =
  (wanted: string, isAnswered: boolean) =>
  async (step: RunningAction, { emulator }: Scene): Promise<void> => {
    const asked = emulator.journal.waitFor(
      ({ operation, status }) => operation === wanted && (status !== null || !isAnswered),
    );
    const over = step.done.then(() => false);
    if (await Promise.race([asked.then(() => true), over])) step.cancel();
  };

/** An operation that is never answered. */
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

/** Somebody set by hand what the step declares, and it must not be overwritten. */
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
      inputs: { 'preview-domain': 'pr-{number}.preview.example.com', 'domain-timeout': '2s' },
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
      inputs: { wait: 'true', 'domain-timeout': '2s' },
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
 * How an action is brought to an end.
 * @throws UsageError if there is no such end, or this action cannot end so
 */
export function endOf(action: ActionName, name: string): End {
  const known = Object.keys(endNames);
  if (!known.includes(name)) {
    throw new UsageError(
      `--end: there is no end "${name}"${suggestion(name, known) || `; there are ${known.join(', ')}`}`,
    );
  }
  const own = ends[action];
  const end = own[name as EndName];
  if (end === undefined) {
    throw new UsageError(
      `--end: the action "${action}" cannot end with "${name}"; it has ${Object.keys(own).join(', ')}`,
    );
  }
  return end;
}

/** The actions that can end in a certain way. */
export function actionsEnding(name: EndName): ActionName[] {
  return (Object.keys(actions) as ActionName[]).filter((action) => name in ends[action]);
}
