import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Dialect } from '../../dialect.ts';
import type { MessageEnd } from '../../message-dialect.ts';
import type { StatusChange } from '../deployments.ts';
import { untilAborted } from '../until-aborted.ts';
import type { MessageRequest } from './request-shape.ts';

/** Something that happened in a turn, in the order in which a stream tells it. */
export type TurnEvent =
  | { readonly kind: 'status'; readonly status: string }
  | { readonly kind: 'step'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }
  /** So many bytes of text, which nobody holds. */
  | { readonly kind: 'filler'; readonly bytes: number };

/** A message and its turn. Times are in milliseconds since the epoch. */
export interface EmulatedMessage {
  readonly id: string;
  readonly prompt: string;
  /** The message as it was sent. */
  readonly request: MessageRequest;
  readonly createdAt: number;
  readonly status: string;
  readonly history: readonly StatusChange[];
  /** The commit that the turn made, or null while there is none. */
  readonly commit: string | null;
  /** When the turn ended, or null while it has not. */
  readonly endedAt: number | null;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  readonly events: readonly TurnEvent[];
}

/** What a turn does to its project. */
export interface TurnEffects {
  /** Is told that the sandbox is there. */
  started(): void;
  /** Makes the turn's change and gives the commit. The turn fails if it throws. */
  change(): Promise<string>;
  /** Is told right before the turn ends. */
  ending(): void;
}

/** A turn on a project: it waits until it is run, and then goes on its own to its end. */
export class Turn implements EmulatedMessage {
  readonly id = randomUUID();
  readonly projectId: string;
  readonly request: MessageRequest;
  readonly createdAt = Date.now();
  readonly history: StatusChange[] = [];
  readonly events: TurnEvent[] = [];
  commit: string | null = null;
  endedAt: number | null = null;
  /** Emits `change` after each event. */
  readonly changes = new EventEmitter().setMaxListeners(0);
  readonly #dialect: Dialect;
  readonly #ending = Promise.withResolvers<void>();
  readonly ended = this.#ending.promise;

  constructor(projectId: string, request: MessageRequest, dialect: Dialect) {
    this.projectId = projectId;
    this.request = request;
    this.#dialect = dialect;
    this.#enter(dialect.messageWords.queued);
  }

  get prompt(): string {
    return this.request.content;
  }

  get status(): string {
    return this.history.at(-1)?.status ?? '';
  }

  /**
   * Takes the turn through its steps and its text.
   * @throws an AbortError when the signal is aborted, which is all that ends a turn that never does
   */
  async run(effects: TurnEffects, signal: AbortSignal): Promise<void> {
    const { messageWords: words, messageEnds, turnMs, turnText, fillerBytes } = this.#dialect;
    const { hostileText, stream } = this.#dialect;
    const wanted = typeof messageEnds === 'function' ? messageEnds(this) : messageEnds;
    const pieces = hostileText === null ? turnText : [...turnText, hostileText];
    const pause = () =>
      delay(turnMs / (1 + words.steps.length + pieces.length), undefined, { signal });
    await pause();
    effects.started();
    for (const step of words.steps) {
      this.#enter(step);
      await pause();
      if (stream.stepEvents) this.#tell({ kind: 'step', name: step });
    }
    // A change that cannot be made fails the turn.
    if (wanted === 'success') this.commit = await effects.change().catch(() => null);
    for (const text of pieces) {
      this.#tell({ kind: 'text', text });
      await pause();
    }
    if (fillerBytes > 0) this.#tell({ kind: 'filler', bytes: fillerBytes });
    signal.throwIfAborted();
    if (wanted === 'never') await untilAborted(signal);
    effects.ending();
    this.#end(wanted);
  }

  #end(wanted: MessageEnd): void {
    const { success, failure } = this.#dialect.messageWords;
    this.endedAt = Date.now();
    this.#enter(wanted === 'success' && this.commit !== null ? success : failure);
    this.#ending.resolve();
  }

  #enter(status: string): void {
    this.history.push({ status, at: Date.now() });
    this.#tell({ kind: 'status', status });
  }

  #tell(event: TurnEvent): void {
    this.events.push(event);
    this.changes.emit('change');
  }
}
