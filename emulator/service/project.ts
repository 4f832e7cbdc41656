import { randomUUID } from 'node:crypto';
import type { Dialect } from '../dialect.ts';
import { Deployment, type EmulatedDeployment } from './deployments.ts';
import { Environment, type StoredVariable, type VariableByHand } from './environment-store.ts';
import { ProjectRepository } from './turns/project-repository.ts';
import { Provisioning } from './turns/provisioning.ts';
import type { MessageRequest } from './turns/request-shape.ts';
import type { EmulatedMessage, Turn } from './turns/turn.ts';
import { TurnQueue } from './turns/turn-queue.ts';

/** What a project needs from the world around it. */
export interface ProjectSetting {
  readonly dialect: Dialect;
  /** The emulator's folder of temporary files. */
  readonly root: string;
  readonly template: string;
  /** The emulator's address and base path, without a slash at the end. */
  readonly url: string;
  /** The password of the repositories. */
  readonly gitToken: string;
  readonly key: string;
  /** Aborted when the emulator closes. */
  readonly signal: AbortSignal;
  /** Keeps a promise that must be settled before the temporary files go. */
  track(work: Promise<void>): void;
  /** A number that is higher each time: it orders what happens within one millisecond. */
  tick(): number;
}

/** A project of the emulated service, with what a test may look at or do as "somebody else". */
export interface EmulatedProject {
  readonly id: string;
  name: string;
  starred: boolean;
  createdByUserId: string;
  /**
   * For `git clone` and `git push`: an HTTP URL that holds the credentials. A process that runs the emulator
   * must not wait for git by a synchronous call, because git then waits for that process.
   */
  readonly gitUrl: string;
  /** The same without credentials, as the action is given it. */
  readonly gitAddress: string;
  /** The host name that the site is served at: `{id}.localhost`. */
  readonly host: string;
  /** All host names that the site is served at, in lower case. May be added to. */
  readonly hosts: Set<string>;
  /** The site at {@link host}. Node's resolver may not know names below `localhost`; browsers and curl do. */
  readonly siteUrl: string;
  /** The same site below a path of the emulator's own address, for clients that cannot resolve the host. */
  readonly sitePathUrl: string;
  /** The variables with their values, in order of creation. */
  readonly variables: readonly StoredVariable[];
  /** The values that each runtime got with the latest publication, by name. */
  readonly running: Environment['running'];
  /** Creates or changes a variable by hand, which raises its version. */
  setVariable(fields: VariableByHand): StoredVariable;
  /** Deletes a variable by hand, if there is one of that name. */
  deleteVariable(name: string): void;
  /** True: the next deployment fails whatever the dialect says. That deployment sets it back. */
  failsNextBuild: boolean;
  /** The deployments in order of creation. */
  readonly deployments: readonly EmulatedDeployment[];
  /** The messages in order of creation, those that a client sent too. */
  readonly messages: readonly EmulatedMessage[];
  /** Sends a message, as somebody else would. Its turn runs when all earlier ones have ended. */
  sendMessage(request: MessageRequest): EmulatedMessage;
  /** The commit that HEAD names; rejects if it names none. */
  head(): Promise<string>;
  /** The folder of the bare repository. What is written there came without a push. */
  gitFolder(): Promise<string>;
}

/** The user that the key's owner is. */
export const callerId = 'user-of-the-key';

/** A project: a repository, an environment, turns, deployments, and the folder that is served. */
export class Project implements EmulatedProject {
  readonly id: string;
  name: string;
  starred = false;
  failsNextBuild = false;
  createdByUserId = callerId;
  readonly createdAt = new Date();
  lastActivityAt = this.createdAt;
  /** Higher for the project that was active later. */
  activity: number;
  readonly gitUrl: string;
  readonly gitAddress: string;
  readonly host: string;
  readonly hosts: Set<string>;
  readonly siteUrl: string;
  readonly sitePathUrl: string;
  readonly environment: Environment;
  readonly repository: ProjectRepository;
  readonly provisioning = new Provisioning();
  readonly turns: TurnQueue;
  readonly deployments: Deployment[] = [];
  /** The folder that is served, or null before the first publication. */
  served: string | null = null;
  readonly #setting: ProjectSetting;

  constructor(setting: ProjectSetting, name?: string) {
    const { url, gitToken, dialect } = setting;
    const id = randomUUID();
    this.id = id;
    this.name = name ?? `project-${id.slice(0, 8)}`;
    this.activity = setting.tick();
    this.repository = new ProjectRepository({ ...setting, id });
    this.environment = new Environment(dialect);
    this.gitAddress = `${url}/git/${id}.git`;
    this.gitUrl = withCredentials(this.gitAddress, gitToken);
    this.host = `${id}.localhost`;
    this.hosts = new Set([this.host]);
    this.siteUrl = `http://${this.host}:${new URL(url).port}/`;
    this.sitePathUrl = `${url}/sites/${id}/`;
    this.#setting = setting;
    this.turns = new TurnQueue({
      ...setting,
      projectId: id,
      repository: this.repository,
      provisioning: this.provisioning,
      touch: () => this.touch(),
    });
  }

  get variables(): readonly StoredVariable[] {
    return this.environment.variables;
  }

  get running(): Environment['running'] {
    return this.environment.running;
  }

  get messages(): readonly EmulatedMessage[] {
    return this.turns.turns;
  }

  setVariable(fields: VariableByHand): StoredVariable {
    return this.environment.set(fields);
  }

  deleteVariable(name: string): void {
    const variable = this.variables.find((candidate) => candidate.name === name);
    if (variable) this.environment.remove(variable);
  }

  sendMessage(request: MessageRequest): Turn {
    return this.turns.send(request);
  }

  head(): Promise<string> {
    return this.repository.head();
  }

  gitFolder(): Promise<string> {
    return this.repository.folder();
  }

  /** Notes that somebody did something with the project. */
  touch(): void {
    this.lastActivityAt = new Date();
    this.activity = this.#setting.tick();
  }

  /** Makes the project's repository over the dialect's time. Resolves at the end of that, good or bad. */
  provision(): Promise<void> {
    const { dialect, signal, track } = this.#setting;
    this.provisioning.start(() => this.repository.ready(), dialect, signal);
    track(this.provisioning.ended);
    return this.provisioning.ended;
  }

  /** Starts a deployment of a commit and gives it while it is queued. */
  deploy(commit: string, idempotencyKey: string | null): Deployment {
    const { dialect, signal } = this.#setting;
    const site = {
      build: (wanted: string) => this.repository.build(wanted),
      publish: (folder: string) => {
        this.served = folder;
        this.environment.publish();
      },
    };
    const fails = this.failsNextBuild;
    this.failsNextBuild = false;
    const deployment = new Deployment({ commit, idempotencyKey, dialect, site, fails });
    this.deployments.push(deployment);
    this.#setting.track(deployment.run(signal));
    return deployment;
  }
}

function withCredentials(href: string, token: string): string {
  const url = new URL(href);
  url.username = 'git';
  url.password = token;
  return url.href;
}
