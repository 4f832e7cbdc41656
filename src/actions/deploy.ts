import { type Declared, readDeclared } from '../declared/declared.ts';
import { type DeployValues, deployDefinition } from '../deploy/inputs.ts';
import { isDeployJob, type Work } from '../deploy/job.ts';
import { matcherOf } from '../deploy/previews/intent.ts';
import { type PullStateQuery, pullStateQuery } from '../deploy/pull-state.ts';
import { notesOf, readJob } from '../deploy/read-job.ts';
import { createSanitize } from '../kernel/text/redact.ts';
import type { Platform } from '../platform.ts';
import { secretsInGitUrl } from '../push/model/git-url.ts';
import { type Prefetch, prefetch } from '../service/http.ts';
import { accessOf } from '../step/access.ts';
import type { StepResult } from '../step/end-step.ts';
import type { LedgerStores } from '../step/ledgers/stores.ts';
import {
  beginLedger,
  connect,
  type Hidden,
  type OpenStep,
  openStep,
  whenWritten,
} from '../step/open-step.ts';
import { isRefused } from '../step/skip.ts';
import { orAborted, RunAborted, type Step } from '../step/step.ts';
import { variablesRequest } from '../variables/intent.ts';

const loadRest = () => import('./late/deploy.ts');

/**
 * The deploy action, from its inputs to its report. At its end come the outputs, the journal, the comment and the record on
 * GitHub, the saved ledger; then its caller sets the outputs again, writes the summary, and ends the step.
 */
export async function deployAction(platform: Platform): Promise<StepResult> {
  using step = await openStep(platform, deployDefinition.inputs, readNamed);
  const { inputs, declared, log, redact, signal } = step;
  if (inputs.get('mode') === 'explain') {
    const [{ deployView, explain }, { explainDeployStep }] = await Promise.all([
      loadRest(),
      import('./explain/deploy.ts'),
    ]);
    return await explain(
      step,
      deployView,
      explainDeployStep(step, declared, createSanitize(redact)),
    );
  }
  const job = await readJob(step, declared, step).catch(orAborted);
  if (job instanceof RunAborted || isRefused(job)) {
    const { deployView, refuse } = await loadRest();
    return await refuse(step, deployView, job);
  }
  const { values } = job;
  for (const note of notesOf(job, declared)) log.write(note);

  const pullState = pullStateQuery(job.pull?.number, accessOf(values, step.context), step);
  // The first requests are sent before the rest is loaded.
  const transport = await connect(step, values, firstRequest(job));
  const stores = await beginOthers(step, declared, job, pullState);
  await whenWritten();
  const rest = await loadRest();
  const { deployView: view, ledgersFor, openRecords, openService, runJob } = rest;

  await using service = await openService(step, values, transport);
  const records = await openRecords(step, job);
  const { recorder, journal } = records;
  const ledgers = ledgersFor(values, declared, step, { ...service, stores });
  const sync = { ...variablesRequest(declared), ledgers };
  const done = await runJob(service, step, job, { sync, records, isOpen: pullState.query });
  const found = rest.complete(step, { ...done, subject: recorder.subject });
  await rest.setOutputs(step, view, found);
  // From here on, a killed step has its end reported by the post step.
  journal({ report: found });
  const earlier = await recorder.findEarlier(found, signal);
  const report = earlier === undefined ? found : { ...found, earlier };
  const end = await rest.endJob(step, job, records, report);
  await ledgers.allSaved();
  return end;
}

/** Reads the variables; the domains that a deploy reports are its previews' and that of verify-url. */
async function readNamed(step: Step<DeployValues>): Promise<Declared & Hidden> {
  const { inputs, context } = step;
  const template = inputs.get('preview-domain');
  const page = URL.parse(inputs.get('verify-url') ?? '')?.hostname;
  const previews = template === undefined ? undefined : matcherOf(template, context);
  const isReported = (name: string) => name === page || previews?.matches(name) === true;
  const declared = await readDeclared(step);
  const projects = [inputs.get('project-id') ?? [], inputs.get('preview-projects') ?? []].flat();
  const hasToken = inputs.get('git-token') !== undefined;
  const inUrl = secretsInGitUrl(inputs.get('git-url') ?? '', projects, hasToken);
  return { ...declared, secrets: [...declared.secrets, ...inUrl], isReported };
}

/** A project's variables are read first; if it has to be leased, the domains. */
function firstRequest(job: Work): Prefetch | undefined {
  if (!isDeployJob(job)) return undefined;
  const { target } = job;
  return target.kind === 'project' ? prefetch.environment(target.id) : prefetch.connectedDomains();
}

/**
 * Begins to read the project's ledger, if the project is known, and whether the pull request is open, if its preview's
 * domain depends on it; the first to ask that gets this answer, later ones a new one.
 */
async function beginOthers(
  step: OpenStep<DeployValues>,
  declared: Declared,
  job: Work,
  pullState: PullStateQuery,
): Promise<LedgerStores | undefined> {
  if (step.signal.aborted || !isDeployJob(job) || job.target.kind !== 'project') return undefined;
  if (job.kind === 'deploy' && job.preview && job.pull) pullState.begin();
  if (declared.variables.length + declared.removals.size === 0) return undefined;
  return await beginLedger(step, job.values, declared, job.target.id);
}
