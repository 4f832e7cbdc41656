import type { Dialect } from '../../dialect.ts';
import type { SandboxWords } from '../../message-dialect.ts';
import { headline } from './page.ts';
import type { ProjectRepository } from './project-repository.ts';
import type { Provisioning } from './provisioning.ts';
import type { MessageRequest } from './request-shape.ts';
import { Turn } from './turn.ts';

/** What the turns of a project need from it. */
export interface TurnPlace {
  readonly projectId: string;
  readonly dialect: Dialect;
  readonly repository: ProjectRepository;
  readonly provisioning: Provisioning;
  /** Aborted when the emulator closes. */
  readonly signal: AbortSignal;
  /** Keeps a promise that must be settled before the temporary files go. */
  track(work: Promise<void>): void;
  /** Is told that the project was active. */
  touch(): void;
}

/** The messages of a project, whose turns run one after the other. */
export class TurnQueue {
  /** In order of creation. */
  readonly turns: Turn[] = [];
  /** The sandbox is made by the first turn and kept. */
  sandbox: keyof SandboxWords = 'none';
  readonly #place: TurnPlace;
  #last: Promise<void> = Promise.resolve();

  constructor(place: TurnPlace) {
    this.#place = place;
  }

  /** The turn that runs or comes next, or null if all have ended. */
  get active(): Turn | null {
    return this.turns.find(({ endedAt }) => endedAt === null) ?? null;
  }

  /** Accepts a message, whose turn runs when all earlier ones have ended, and gives it while it is queued. */
  send(request: MessageRequest): Turn {
    const { projectId, dialect, track, touch } = this.#place;
    const turn = new Turn(projectId, request, dialect);
    this.turns.push(turn);
    this.#last = this.#last.then(() => this.#play(turn));
    track(this.#last);
    touch();
    return turn;
  }

  async #play(turn: Turn): Promise<void> {
    const { provisioning, repository, signal, touch } = this.#place;
    await provisioning.ended;
    if (this.sandbox === 'none') this.sandbox = 'starting';
    const number = this.turns.indexOf(turn) + 1;
    const change = async () => {
      if (provisioning.state === 'failed') throw new Error('The project was never made');
      const text = headline(turn.prompt);
      return await repository.addToPage(text, `Turn ${number}: ${text}`);
    };
    const started = () => {
      this.sandbox = 'running';
    };
    await turn.run({ started, change, ending: touch }, signal);
  }
}
