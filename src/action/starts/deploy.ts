import { type Declared, readDeclared } from '../../declared/declared.ts';
import { deploy } from '../../deploy/inputs.ts';
import { isRelease } from '../../deploy/job.ts';
import { type StartedJob, startJob } from '../../deploy/start-job.ts';
import type { Explained, Preflight, Prepared, Start } from '../../frame/action.ts';
import type { LedgerStores } from '../../frame/ledgers/stores.ts';
import type { Hidden } from '../../frame/open-log.ts';
import type { Step } from '../../frame/step.ts';
import { matcherOf } from '../../previews/read-preview.ts';
import { secretsInGitUrl } from '../../push/model/git-url.ts';
import type { DeployReport } from '../../release/model/report.ts';
import { type Prefetch, prefetch } from '../../service/prefetch.ts';

/** Reads the variables; the domains that a deploy reports are its previews' and that of verify-url. */
async function read(step: Step<'deploy'>): Promise<Declared & Hidden> {
  const { inputs, context } = step;
  const template = inputs.get('preview-domain');
  const page = URL.parse(inputs.get('verify-url') ?? '')?.hostname;
  const previews = template === undefined ? undefined : matcherOf(template, context);
  const isReported = (name: string) => name === page || previews?.matches(name) === true;
  const declared = await readDeclared(step);
  const named = ['project-id', 'preview-projects'] as const;
  const projects = named.flatMap((name) => inputs.get(name) ?? []);
  const inUrl = secretsInGitUrl(
    inputs.get('git-url') ?? '',
    projects,
    inputs.get('git-token') !== undefined,
  );
  return { ...declared, secrets: [...declared.secrets, ...inUrl], isReported };
}

/** Decides what to do, or with mode: explain describes it. */
async function prepare(
  step: Step<'deploy'>,
  declared: Declared,
  preflight: Preflight,
): Promise<Prepared<StartedJob> | Explained> {
  if (step.inputs.get('mode') !== 'explain') return await startJob(step, declared, preflight);
  return (await import('../explain/deploy.ts')).explainDeployStep(step, declared);
}

/** A project's variables are read first; if it has to be leased, the domains. */
function firstRequest({ job }: StartedJob): Prefetch | undefined {
  if (!isRelease(job)) return undefined;
  const { target } = job;
  return target.kind === 'project' ? prefetch.environment(target.id) : prefetch.connectedDomains();
}

/**
 * Begins to read the project's ledger, if the project is known, and whether the pull request is open, if its preview's
 * domain depends on it.
 */
async function beginOthers(
  step: Step<'deploy'>,
  declared: Declared,
  { job, values, opening }: StartedJob,
  signal: AbortSignal,
): Promise<LedgerStores | undefined> {
  if (!isRelease(job) || job.target.kind !== 'project') return undefined;
  if (job.kind === 'deploy' && job.preview && job.pull) opening.begin();
  if (declared.variables.length + declared.removals.size === 0) return undefined;
  const { openStores } = await import('../../frame/ledgers/stores.ts');
  const stores = openStores(values, declared, step);
  stores.begin(job.target.id, signal);
  return stores;
}

/** The main action. */
export const deployStart: Start<'deploy', Declared & Hidden, StartedJob, DeployReport> = {
  inputs: deploy.inputs,
  read,
  prepare,
  firstRequest,
  beginOthers,
  load: async () => (await import('../actions/deploy.ts')).deployAction,
};
