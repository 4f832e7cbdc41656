import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { DeploymentEnd, Dialect } from '../dialect.ts';

/** A status word and when the deployment took it, in milliseconds since the epoch. */
export interface StatusChange {
  readonly status: string;
  readonly at: number;
}

/** Something that happened in a deployment, in the order in which a stream tells it. */
export type DeploymentEvent =
  | { readonly kind: 'status'; readonly status: string }
  | { readonly kind: 'step'; readonly name: string }
  | { readonly kind: 'log'; readonly line: string };

/** One deployment. Times are in milliseconds since the epoch. */
export interface EmulatedDeployment {
  readonly id: string;
  readonly commit: string;
  readonly idempotencyKey: string | null;
  readonly createdAt: number;
  readonly status: string;
  readonly history: readonly StatusChange[];
  /** When it ended, or null while it runs. */
  readonly endedAt: number | null;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  readonly events: readonly DeploymentEvent[];
}

/** What a deployment does to its project. */
export interface Site {
  /** Builds a commit and gives the folder. */
  build(commit: string): Promise<string>;
  /** Makes a built folder the one that is served, at once. */
  publish(folder: string): void;
}

/** A deployment that runs on its own from creation to end. */
export class Deployment implements EmulatedDeployment {
  readonly id = randomUUID();
  readonly commit: string;
  readonly idempotencyKey: string | null;
  readonly createdAt = Date.now();
  readonly history: StatusChange[] = [];
  readonly events: DeploymentEvent[] = [];
  endedAt: number | null = null;
  /** Emits `change` after each event. */
  readonly changes = new EventEmitter().setMaxListeners(0);
  readonly #dialect: Dialect;
  readonly #site: Site;
  readonly #fails: boolean;
  readonly #ending = Promise.withResolvers<void>();
  readonly ended = this.#ending.promise;

  constructor(options: {
    commit: string;
    idempotencyKey: string | null;
    dialect: Dialect;
    site: Site;
    /** It fails whatever the dialect says. */
    fails?: boolean;
  }) {
    this.commit = options.commit;
    this.idempotencyKey = options.idempotencyKey;
    this.#dialect = options.dialect;
    this.#site = options.site;
    this.#fails = options.fails ?? false;
    this.#enter(options.dialect.deploymentWords.queued, this.createdAt);
  }

  get status(): string {
    return this.history.at(-1)?.status ?? '';
  }

  /**
   * Takes the deployment through its steps. The real work is done in the first step; the switch to the new
   * site comes right before the end.
   * @throws an AbortError when the signal is aborted
   */
  async run(signal: AbortSignal): Promise<void> {
    const { deploymentWords: words, buildMs } = this.#dialect;
    const wanted = this.#wantedEnd();
    const steps = this.#fails ? words.steps.slice(0, 1) : words.steps;
    const pause = buildMs / (words.steps.length + 1);
    await delay(pause, undefined, { signal });
    const building = this.#build();
    for (const [index, step] of steps.entries()) {
      this.#enter(step);
      if (index === 0) this.#log();
      await Promise.all([delay(pause, undefined, { signal }), building]);
      if (this.#dialect.stream.stepEvents) this.#tell({ kind: 'step', name: step });
    }
    const folder = await building;
    signal.throwIfAborted();
    this.#end(wanted, folder);
  }

  #wantedEnd(): DeploymentEnd {
    const { deploymentEnds } = this.#dialect;
    if (this.#fails) return 'failure';
    return typeof deploymentEnds === 'function' ? deploymentEnds(this) : deploymentEnds;
  }

  async #build(): Promise<string | null> {
    // A commit that cannot be built fails the deployment, as any build error does.
    return await this.#site.build(this.commit).catch(() => null);
  }

  #end(wanted: DeploymentEnd, folder: string | null): void {
    if (wanted === 'never') return;
    const { success, failure } = this.#dialect.deploymentWords;
    const published = wanted === 'success' && folder !== null;
    if (published) this.#site.publish(folder);
    this.endedAt = Date.now();
    this.#enter(published ? success : failure);
    this.#ending.resolve();
  }

  #log(): void {
    const { stream, hostileText } = this.#dialect;
    for (const line of stream.logLines) this.#tell({ kind: 'log', line });
    if (this.#fails) this.#tell({ kind: 'log', line: 'error: this build fails on request' });
    if (hostileText !== null) this.#tell({ kind: 'log', line: hostileText });
  }

  #enter(status: string, at = Date.now()): void {
    this.history.push({ status, at });
    this.#tell({ kind: 'status', status });
  }

  #tell(event: DeploymentEvent): void {
    this.events.push(event);
    this.changes.emit('change');
  }
}
