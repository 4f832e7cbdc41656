import type { Dialect } from '../dialect.ts';
import type { ConnectedDomain } from './domains/connected-domain.ts';
import { hostname as hostnameShape } from './domains/hostname.ts';
import { ConnectedDomains } from './domains/store.ts';
import { notFound } from './errors.ts';
import { IdempotencyKeys } from './idempotency.ts';
import { Project, type ProjectSetting } from './project.ts';

/** Everything that the emulated service knows: one workspace and one key. */
export class World {
  readonly dialect: Dialect;
  readonly key: string;
  /** The emulator's folder of temporary files. */
  readonly root: string;
  /** Aborted when the emulator closes. */
  readonly signal: AbortSignal;
  readonly idempotency: IdempotencyKeys;
  readonly domains: ConnectedDomains;
  readonly #setting: ProjectSetting;
  readonly #projects = new Map<string, Project>();
  readonly #pending = new Set<Promise<void>>();

  constructor(setting: Omit<ProjectSetting, 'track'>) {
    this.dialect = setting.dialect;
    this.key = setting.key;
    this.root = setting.root;
    this.signal = setting.signal;
    this.idempotency = new IdempotencyKeys(setting.dialect);
    this.domains = new ConnectedDomains(setting.dialect);
    this.#setting = { ...setting, track: (work) => this.track(work) };
  }

  /** All projects, in order of creation. */
  get projects(): readonly Project[] {
    return [...this.#projects.values()];
  }

  /** Makes a project from the template. */
  async createProject(name?: string): Promise<Project> {
    const project = await Project.create(this.#setting, name);
    this.#projects.set(project.id, project);
    return project;
  }

  /** The project with this id. @throws a `ServiceError` if there is none */
  project(id: string): Project {
    const project = this.#projects.get(id.toLowerCase());
    if (!project) throw notFound('The project');
    return project;
  }

  /** The project that serves its site at this host name, if there is one. */
  projectAt(host: string): Project | undefined {
    const byOwnHost = this.projects.find(({ hosts }) => hosts.has(host));
    const domain = this.domains.find(host);
    if (byOwnHost || !domain?.serves) return byOwnHost;
    return this.projects.find(({ id }) => id === domain.projectId);
  }

  /**
   * Connects a domain whatever the dialect says, as somebody else would.
   * @throws if the hostname is malformed or connected, or if there is no such project
   */
  connectDomain(hostname: string, projectId: string | null): ConnectedDomain {
    const assigned = projectId === null ? null : this.project(projectId).id;
    return this.domains.connect(hostnameShape.parse(hostname), assigned);
  }

  /**
   * Assigns a connected domain to a project or to none whatever the dialect says, as somebody else would.
   * @throws if there is no such domain or project
   */
  assignDomain(hostname: string, projectId: string | null): void {
    const assigned = projectId === null ? null : this.project(projectId).id;
    this.domains.get(hostname).assign(assigned);
  }

  /** Keeps work that {@link settled} waits for. Its failure is only looked over while the emulator closes. */
  track(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => {
        if (!this.signal.aborted) throw error;
      })
      .finally(() => this.#pending.delete(tracked));
    this.#pending.add(tracked);
  }

  /** Resolves when no tracked work is left. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#pending);
  }
}
