import { operations } from '../contract/operations.ts';
import type { CreateProject, Project } from '../contract/project.ts';
import { pollPause } from '../follow/model/schedule.ts';
import { createStatusReader } from '../follow/model/status.ts';
import { type LongRunning, race } from '../follow/race.ts';
import type { UnclearRequest } from '../follow/unclear.ts';
import { describeRepetition, type Ensured, ensure, isThere } from '../frame/ensure.ts';
import { EarlyEnd, type Host } from '../frame/host.ts';
import type { Run } from '../frame/step.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { forFreeText, type SafeText, safe } from '../kernel/text/safe.ts';
import { ServiceError, unproven } from '../service/errors.ts';

const read = createStatusReader({ success: ['provisioned'] });

/** For how long a project that shows no state, or that the list lacks, is asked for again, in milliseconds. */
const longestBlank = 5000;

/** How a project's provisioning stands, told when it changes. */
export class Provisioning implements LongRunning {
  readonly #host: Host;
  readonly #started: number;
  readonly #noted = new Set<string>();
  #status = safe``;

  constructor(host: Host) {
    this.#host = host;
    this.#started = host.clock.now();
  }

  get status(): SafeText {
    return this.#status;
  }

  get elapsed(): number {
    return this.#host.clock.now() - this.#started;
  }

  /**
   * True once the project is ready, or is listed without any state.
   *
   * @param isListed false if the list has not shown it yet
   * @throws EarlyEnd if its provisioning failed
   */
  isOver({ provisioningState, provisioningError, projectId }: Project, isListed: boolean): boolean {
    const { clean } = this.#host;
    const status = clean(provisioningState ?? '');
    const { meaning, known } = read(status);
    this.#tell(status, known || status === '');
    const error = forFreeText(clean)(provisioningError ?? '');
    if (error !== '' || meaning === 'failed') {
      const said = error === '' ? safe`its state is "${status}"` : error;
      const message = safe`The project ${clean(projectId)} was created, and could not be provisioned: ${said}`;
      throw new EarlyEnd('failed', diagnose('SD5203', message));
    }
    if (status === '') return isListed || this.elapsed >= longestBlank;
    return meaning === 'succeeded';
  }

  #tell(status: SafeText, isKnown: boolean): void {
    const { report } = this.#host;
    if (status !== this.#status) report({ type: 'status', status, elapsed: this.elapsed });
    this.#status = status;
    if (isKnown || this.#noted.has(status)) return;
    this.#noted.add(status);
    const text = safe`The state "${status}" is a word that this action does not know, so it is taken as "in progress". It is waited for until a word that is known.`;
    report({ type: 'note', text });
  }
}

/** A project to create. */
export interface Creation {
  body: Omit<CreateProject, 'idempotencyKey'>;
  idempotencyKey: string;
  /** Knows whether the project may have been created. */
  request: UnclearRequest;
}

/** The project as the list shows it now; undefined if the list lacks it or cannot be read for the moment. */
async function lookAgain({ client, host }: Run, id: string): Promise<Project | undefined> {
  try {
    return (await client.listProjects('all')).find(({ projectId }) => projectId === id);
  } catch (error) {
    host.signal.throwIfAborted();
    if (!(error instanceof ServiceError) || (error.status ?? 500) < 500) throw error;
    return undefined;
  }
}

/**
 * Finds our project on the list after an unclear answer. A project has no name that we gave, so the one that is
 * new there is taken for ours; of several nobody can tell.
 */
async function findCreated(
  { client, host }: Run,
  request: UnclearRequest,
  before: ReadonlySet<string>,
): Promise<Project | undefined> {
  return await request.find(host, async () => {
    const all = await client.listProjects('all');
    const [found, ...others] = all.filter(({ projectId }) => !before.has(projectId));
    if (others.length === 0) return found;
    const message = safe`The answer to the creation was lost, and several projects were created meanwhile: look at the service for the one that is ours.`;
    throw new EarlyEnd('failed', diagnose('SD5204', message));
  });
}

/** Posts the project, once. An answer that names one which was there before is about another. */
async function post(
  run: Run,
  { body, idempotencyKey, request }: Creation,
): Promise<Ensured<Project>> {
  const { client, host } = run;
  const before = new Set((await client.listProjects('all')).map(({ projectId }) => projectId));
  const send = async () => {
    const project = await client.createProject({ ...body, idempotencyKey });
    if (!before.has(project.projectId)) return project;
    throw unproven(
      operations.createProject,
      safe`its answer names a project that was there before`,
    );
  };
  return await ensure(host, {
    operation: operations.createProject,
    send: () => request.send(send),
    look: () => findCreated(run, request, before),
    isShown: isThere<Project>,
  });
}

/**
 * Creates a project and waits until it is provisioned. The list is asked, because the interface shows no way to
 * read a single project.
 *
 * @param onProject is told the project as soon as there is one
 * @param onDoubt is told why it may be there twice, in words
 * @throws EarlyEnd if its provisioning failed
 */
export async function createProject(
  run: Run,
  creation: Creation,
  onProject: (project: Project) => void,
  onDoubt: (doubt: SafeText) => void,
): Promise<void> {
  const { host } = run;
  const { state: created, isRepeated } = await post(run, creation);
  if (isRepeated) onDoubt(describeRepetition(safe`The request for a project`));
  const { projectId, initialMessageId } = created;
  onProject(created);
  const provisioning = new Provisioning(host);
  await race(host, provisioning, async (signal) => {
    let project = created;
    let isListed = false;
    while (!provisioning.isOver(project, isListed)) {
      await host.clock.sleep(pollPause(provisioning.elapsed, host.random()), signal);
      const seen = await lookAgain(run, projectId);
      isListed ||= seen !== undefined;
      project = { ...(seen ?? project), initialMessageId };
      onProject(project);
    }
  });
}
