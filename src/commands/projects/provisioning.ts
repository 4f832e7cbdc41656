import type { Project } from '../../contract/project.ts';
import { coded } from '../../core/catalogue/coded.ts';
import { createStatusReader } from '../../core/deployment/status.ts';
import { forFreeText, type SafeText, safe } from '../../core/text/safe.ts';
import type { LongRunning } from '../follow/race.ts';
import { EarlyEnd, type Host } from '../host.ts';

const read = createStatusReader(['provisioned'], []);

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
      throw new EarlyEnd('failed', coded('SD5203', message));
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
