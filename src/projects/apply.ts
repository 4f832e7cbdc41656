import { operations } from '../contract/operations.ts';
import type { Project } from '../contract/project.ts';
import { createStatusReader } from '../follow/model/status.ts';
import { type LongRunning, pollPause, withHeartbeats } from '../follow/race.ts';
import { UnclearRequest } from '../follow/unclear.ts';
import { diagnose, printed } from '../kernel/diagnostic.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import { ServiceError, unproven } from '../service/errors.ts';
import { cleanEach } from '../step/clean.ts';
import { describeRepetition, type Ensured, ensure, isThere } from '../step/ensure.ts';
import { type RunOutcome, reportOn } from '../step/run-outcome.ts';
import { type Host, type Run, Stop } from '../step/step.ts';
import { describeEmpty, inShard, matrixOf, nameFilter, whyTooMany } from './evaluate.ts';
import type { CreateIntent, ListIntent, ProjectsIntent } from './intent.ts';
import type { ProjectsReport } from './render.ts';

const readStatus = createStatusReader({ success: ['provisioned'] });

type ProjectsState = Omit<ProjectsReport, keyof RunOutcome | 'requests' | 'durationMs'>;

/**
 * Lists projects for a job matrix, or creates one. Errors of the service or the run are in the report, and are not thrown.
 */
export async function runProjects(run: Run, intent: ProjectsIntent): Promise<ProjectsReport> {
  const state: ProjectsState = { projects: [], matrix: { include: [] }, listed: 0 };
  const posted = new UnclearRequest();
  const work = () =>
    intent.kind === 'list'
      ? listProjects(run, intent, state)
      : createProject(run, intent, posted, state);
  return await reportOn(run, state, work, (error) => {
    const isProvisioningReported = error instanceof Stop && state.created !== undefined;
    const isComplete = isProvisioningReported && !run.host.signal.aborted;
    return isComplete ? safe`` : whatIsLeft(state, posted);
  });
}

/** What an aborted or failed run leaves on the service. */
function whatIsLeft({ created }: ProjectsState, posted: UnclearRequest): SafeText {
  if (created === undefined)
    return posted.mayExist ? safe` A project may have been created.` : safe``;
  return safe` Project ${created.projectId} was created, but was not ready yet.`;
}

async function listProjects(
  { client, host }: Run,
  { filter, pattern, shard, failOnEmpty }: ListIntent,
  report: ProjectsState,
): Promise<RunOutcome> {
  const all = await client.listProjects(filter);
  const matches = nameFilter(pattern);
  const found = await cleanEach(host, all, (project) => (matches(project) ? [project] : []));
  const matching = found.flat();
  const projects = inShard(matching, shard);
  report.listed = all.length;
  report.projects = projects;
  if (matching.length === 0) {
    const diagnostic = diagnose('SD5201', describeEmpty(all, { filter, pattern }, host.clean));
    if (failOnEmpty) throw new Stop('failed', diagnostic);
    host.report({ type: 'warning', diagnostic });
  }
  const tooMany = whyTooMany(projects, shard);
  if (tooMany !== undefined) throw new Stop('failed', diagnose('SD5202', tooMany));
  const matrix = matrixOf(projects, host.clean);
  for (const { 'project-id': id, name } of matrix.include) {
    host.report({ type: 'note', text: safe`${id}  ${name}` });
  }
  report.matrix = matrix;
  return { outcome: 'succeeded' };
}

/**
 * Creates a project and waits until it is provisioned, by the list: the interface has no request for a single project.
 *
 * @param request tracks whether the project may have been created
 * @throws Stop if its provisioning failed
 */
async function createProject(
  run: Run,
  { body }: CreateIntent,
  request: UnclearRequest,
  report: ProjectsState,
): Promise<RunOutcome> {
  const { host } = run;
  const { clean } = host;
  const { state: created, isRepeated } = await sendCreation(run, body, request);
  if (isRepeated) {
    const uncertainty = describeRepetition(safe`The request for a project`);
    const diagnostic = diagnose('SD5205', uncertainty);
    report.uncertainties = [printed(diagnostic)];
    host.report({ type: 'warning', diagnostic });
  }
  const { projectId, initialMessageId } = created;
  const addToReport = (project: Project) => {
    report.created = {
      projectId: clean(project.projectId),
      initialMessageId: clean(project.initialMessageId ?? ''),
      state: clean(project.provisioningState ?? ''),
    };
    report.matrix = matrixOf([project], clean);
    report.projects = [project];
  };
  addToReport(created);
  const provisioning = new Provisioning(host);
  await withHeartbeats(host, provisioning, async ({ signal }) => {
    let project = created;
    let isListed = false;
    while (!provisioning.isOver(project, isListed)) {
      await host.clock.sleep(pollPause(provisioning.elapsed, host.random()), signal);
      const listed = await readProject(run, projectId);
      isListed ||= listed !== undefined;
      project = { ...(listed ?? project), initialMessageId };
      addToReport(project);
    }
  });
  return { outcome: 'succeeded' };
}

/** Creates the project, once. A response with an earlier project's id is about another one. */
async function sendCreation(
  run: Run,
  body: CreateIntent['body'],
  request: UnclearRequest,
): Promise<Ensured<Project>> {
  const { client, host } = run;
  const idempotencyKey = run.keyFor('create project', JSON.stringify(body));
  const before = new Set((await client.listProjects('all')).map(({ projectId }) => projectId));
  const send = async () => {
    const project = await client.createProject({ ...body, idempotencyKey });
    if (!before.has(project.projectId)) return project;
    throw unproven(operations.createProject, safe`its response names an earlier project`);
  };
  return await ensure(host, {
    operation: operations.createProject,
    send: () => request.send(send),
    read: () => findCreated(run, request, before),
    isShown: isThere<Project>,
  });
}

/**
 * Searches for our project on the list after an unclear response. We don't choose a name, so the only new project is taken
 * for ours; several new ones are an error.
 */
async function findCreated(
  { client, host }: Run,
  request: UnclearRequest,
  before: ReadonlySet<string>,
): Promise<Project | undefined> {
  return await request.find(host, async () => {
    const all = await client.listProjects('all');
    const [created, ...others] = all.filter(({ projectId }) => !before.has(projectId));
    if (others.length === 0) return created;
    const message = safe`The response to the creation was lost, and several projects were created at the same time. Check the service for the one of this run.`;
    throw new Stop('failed', diagnose('SD5204', message));
  });
}

/** The project on the list; undefined if it is not there, or the list can't be read at the moment. */
async function readProject({ client, host }: Run, id: string): Promise<Project | undefined> {
  try {
    return (await client.listProjects('all')).find(({ projectId }) => projectId === id);
  } catch (error) {
    host.signal.throwIfAborted();
    if (!(error instanceof ServiceError) || (error.status ?? 500) < 500) throw error;
    return undefined;
  }
}

/** How long a project without a state, or one that is not listed yet, is queried, in milliseconds. */
const longestBlank = 5000;

/** The state of a project's provisioning, logged when it changes. */
class Provisioning implements LongRunning {
  readonly #host: Host;
  readonly #started: number;
  readonly #noted = new Set<string>();
  status = safe``;

  constructor(host: Host) {
    this.#host = host;
    this.#started = host.clock.now();
  }

  get elapsed(): number {
    return this.#host.clock.now() - this.#started;
  }

  /**
   * True once the project is ready, or is listed without a state.
   *
   * @param isListed false if the list has not shown it yet
   * @throws Stop if its provisioning failed
   */
  isOver({ provisioningState, provisioningError, projectId }: Project, isListed: boolean): boolean {
    const { clean } = this.#host;
    const status = clean(provisioningState ?? '');
    const { meaning, known } = readStatus(status);
    this.#log(status, known || status === '');
    const error = clean(provisioningError ?? '');
    if (error !== '' || meaning === 'failed') {
      const reason = error === '' ? safe`its state is "${status}"` : error;
      const message = safe`Project ${clean(projectId)} was created, but its provisioning failed: ${reason}`;
      throw new Stop('failed', diagnose('SD5203', message));
    }
    if (status === '') return isListed || this.elapsed >= longestBlank;
    return meaning === 'succeeded';
  }

  #log(status: SafeText, isKnown: boolean): void {
    const { report } = this.#host;
    if (status !== this.status) report({ type: 'status', status, elapsed: this.elapsed });
    this.status = status;
    if (isKnown || this.#noted.has(status)) return;
    this.#noted.add(status);
    const text = safe`Unknown state "${status}": the step keeps waiting.`;
    report({ type: 'note', text });
  }
}
