import type { Dialect } from '../dialect.ts';
import type { ConnectedDomain } from './domains/connected-domain.ts';
import { hostname as hostnameShape } from './domains/hostname.ts';
import { ConnectedDomains } from './domains/store.ts';
import { notFound } from './errors.ts';
import { IdempotencyKeys } from './idempotency.ts';
import { Project, type ProjectSetting } from './project.ts';
import type { RegisteredDomain, RegistrationOptions } from './registered/registered-domain.ts';
import { RegisteredDomains } from './registered/store.ts';

/** Everything that the emulated service knows: one workspace and one key. */
export class World {
  readonly dialect: Dialect;
  readonly key: string;
  /** The password of the repositories. */
  readonly gitToken: string;
  /** The emulator's folder of temporary files. */
  readonly root: string;
  /** Aborted when the emulator closes. */
  readonly signal: AbortSignal;
  readonly idempotency: IdempotencyKeys;
  readonly domains: ConnectedDomains;
  readonly registered: RegisteredDomains;
  readonly #setting: ProjectSetting;
  readonly #projects = new Map<string, Project>();
  readonly #pending = new Set<Promise<void>>();
  #ticks = 0;

  constructor(setting: Omit<ProjectSetting, 'track' | 'tick'>) {
    this.dialect = setting.dialect;
    this.key = setting.key;
    this.gitToken = setting.gitToken;
    this.root = setting.root;
    this.signal = setting.signal;
    this.idempotency = new IdempotencyKeys(setting.dialect);
    this.domains = new ConnectedDomains(setting.dialect);
    this.registered = new RegisteredDomains(setting.dialect);
    this.#setting = { ...setting, track: (work) => this.track(work), tick: () => this.#tick() };
  }

  /** All projects, in order of creation. */
  get projects(): readonly Project[] {
    return [...this.#projects.values()];
  }

  /** Makes a project with its repository, as somebody else would. */
  async createProject(name?: string): Promise<Project> {
    const project = new Project(this.#setting, name);
    await project.repository.ready();
    return this.#add(project);
  }

  /** Makes projects whose repositories are made when they are first needed, as somebody else would. */
  createProjects(count: number): Project[] {
    return Array.from({ length: count }, () => this.#add(new Project(this.#setting)));
  }

  /** Starts to make a project as a client asks for it. With `provisionMs` 0 it waits for the end of that. */
  async requestProject(): Promise<Project> {
    const project = this.#add(new Project(this.#setting));
    const provisioned = project.provision();
    const { provisionMs, provisioningEnds } = this.dialect;
    if (provisionMs === 0 && provisioningEnds !== 'never') await provisioned;
    return project;
  }

  #add(project: Project): Project {
    this.#projects.set(project.id, project);
    return project;
  }

  /** A number that is higher each time. */
  #tick(): number {
    this.#ticks += 1;
    return this.#ticks;
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
    const connected = this.domains.find(host);
    const bound = this.registered.find(host)?.boundProjectId;
    const projectId = connected ? connected.projectId : bound;
    return byOwnHost ?? this.projects.find(({ id }) => id === projectId);
  }

  /**
   * Connects a domain whatever the dialect says, as somebody else would.
   * @throws if the hostname is malformed or connected, or if there is no such project
   */
  connectDomain(hostname: string, projectId: string | null = null): ConnectedDomain {
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

  /**
   * Registers a domain, bound to a project if one is given, as somebody else would.
   * @throws if it is registered already, or if there is no such project
   */
  registerDomain(name: string, options: RegistrationOptions = {}): RegisteredDomain {
    const { projectId = null } = options;
    const bound = projectId === null ? null : this.project(projectId).id;
    return this.registered.register(name, { ...options, projectId: bound });
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
