import type { CreateProject, Project } from '../../contract/project.ts';
import { pollPause } from '../../core/deployment/schedule.ts';
import { createStatusReader } from '../../core/deployment/status.ts';
import type { ServiceClient } from '../../service/client.ts';
import { ServiceError } from '../../service/errors.ts';
import { createOnce } from '../create-once.ts';
import { EarlyEnd, type Host } from '../host.ts';

const read = createStatusReader([], []);

/** A project to create. */
export interface Creation {
  body: Omit<CreateProject, 'idempotencyKey'>;
  idempotencyKey: string;
  /** Is told that the request is on its way. */
  onSend: () => void;
}

/** How a project's provisioning stands, told when it changes. */
class Provisioning {
  readonly #host: Host;
  readonly #started: number;
  #told = '';

  constructor(host: Host) {
    this.#host = host;
    this.#started = host.clock.now();
  }

  get elapsed(): number {
    return this.#host.clock.now() - this.#started;
  }

  /**
   * True once the project is ready, or shows no state at all.
   *
   * @throws EarlyEnd if its provisioning failed
   */
  isOver({ provisioningState, provisioningError, projectId }: Project): boolean {
    const { clean, report } = this.#host;
    const status = clean(provisioningState ?? '');
    if (status !== this.#told) report({ type: 'status', status, elapsed: this.elapsed });
    this.#told = status;
    const { meaning } = read(status);
    const error = clean(provisioningError ?? '');
    if (error !== '' || meaning === 'failed') {
      const said = error === '' ? `its state is "${status}"` : error;
      const message = `The project ${clean(projectId)} was created, and could not be provisioned: ${said}.`;
      throw new EarlyEnd('failed', message);
    }
    return meaning === 'succeeded' || status === '';
  }
}

/** The project as the list shows it now; as it was if the list lacks it or cannot be read. */
async function lookAgain(client: ServiceClient, host: Host, project: Project): Promise<Project> {
  try {
    const projects = await client.listProjects('created');
    return projects.find(({ projectId }) => projectId === project.projectId) ?? project;
  } catch (error) {
    host.signal.throwIfAborted();
    if (!(error instanceof ServiceError) || (error.status ?? 500) < 500) throw error;
    return project;
  }
}

/**
 * Posts the project, once. A project has no name that we gave, so after an unclear answer the one project that is
 * new on the list is taken for ours; of several nobody can tell.
 */
async function post(
  client: ServiceClient,
  host: Host,
  { body, idempotencyKey, onSend }: Creation,
): Promise<Project> {
  const list = () => client.listProjects('created');
  const before = new Set((await list()).map(({ projectId }) => projectId));
  return await createOnce(host, {
    send: () => {
      onSend();
      return client.createProject({ ...body, idempotencyKey });
    },
    find: async () => {
      const [found, ...others] = (await list()).filter(({ projectId }) => !before.has(projectId));
      if (others.length === 0) return found;
      const message =
        'The answer to the creation was lost, and several projects were created meanwhile: look at the service for the one that is ours.';
      throw new EarlyEnd('failed', message);
    },
  });
}

/**
 * Creates a project and waits until it is provisioned. The list is asked, because the interface shows no way to
 * read a single project.
 *
 * @param onProject is told the project as soon as there is one
 * @throws EarlyEnd if its provisioning failed
 */
export async function createProject(
  client: ServiceClient,
  host: Host,
  creation: Creation,
  onProject: (project: Project) => void,
): Promise<void> {
  let project = await post(client, host, creation);
  const { initialMessageId } = project;
  onProject(project);
  const provisioning = new Provisioning(host);
  while (!provisioning.isOver(project)) {
    await host.clock.sleep(pollPause(provisioning.elapsed, host.random()), host.signal);
    project = { ...(await lookAgain(client, host, project)), initialMessageId };
    onProject(project);
  }
}
