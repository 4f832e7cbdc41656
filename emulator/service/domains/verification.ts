import type { Dialect } from '../../dialect.ts';

/** What a domain's verification goes through, in order. */
export const stages = ['accepted', 'ownership', 'certificate', 'routing', 'passed'] as const;
export type Stage = (typeof stages)[number];

/** How far a verification is. */
export interface VerificationProgress {
  /** The check under way; before them `accepted`, after them `passed`. */
  readonly stage: Stage;
  /** True if that check failed. */
  readonly failed: boolean;
  /** When the service last looked at the domain's DNS, or null if it has not yet. */
  readonly checkedAt: Date | null;
}

/** The verification of one domain, which moves on as the live dialect says: with time, or when asked. */
export class Verification {
  readonly #hostname: string;
  readonly #dialect: Dialect;
  #index = 0;
  #failed = false;
  #enteredAt = Date.now();
  #checkedAt: number | null = null;

  constructor(hostname: string, dialect: Dialect) {
    this.#hostname = hostname;
    this.#dialect = dialect;
  }

  /** How far it is now. */
  look(): VerificationProgress {
    if (this.#dialect.revalidation !== 'advances') this.#catchUp(Date.now());
    return {
      stage: this.#stage,
      failed: this.#failed,
      checkedAt: this.#checkedAt === null ? null : new Date(this.#checkedAt),
    };
  }

  /** Looks at the domain's DNS because a request asks for it (`revalidate=true`). */
  revalidate(): void {
    const { revalidation } = this.#dialect;
    if (revalidation === 'ignored') return;
    const now = Date.now();
    this.#forgive(now);
    const before = this.#index;
    this.#catchUp(now);
    if (revalidation === 'advances' && this.#index === before) this.#step(now);
    this.#checkedAt = now;
  }

  /** Ends it well at once, whatever the dialect says. */
  pass(): void {
    this.#failed = false;
    this.#index = stages.indexOf('passed');
    this.#checkedAt = Date.now();
  }

  /** Checks the routing of a verified domain anew. */
  reroute(): void {
    if (this.look().stage !== 'passed') return;
    this.#index = stages.indexOf('routing');
    this.#enteredAt = Date.now();
  }

  get #stage(): Stage {
    return stages[this.#index] ?? 'passed';
  }

  /** Takes a failed check up again if nothing stands in its way any more. */
  #forgive(now: number): void {
    if (!this.#failed || this.#end() === 'failure') return;
    this.#failed = false;
    this.#enteredAt = now;
  }

  /** Goes as far as the time allows. */
  #catchUp(now: number): void {
    const pause = this.#dialect.verifyMs / (stages.length - 1);
    let next = this.#enteredAt + pause;
    while (next <= now && this.#step(next)) next += pause;
  }

  /** Goes one stage on, or fails. Gives false if neither is possible. */
  #step(at: number): boolean {
    if (this.#failed || this.#stage === 'passed') return false;
    const end = this.#stage === this.#dialect.domainStopsAt ? this.#end() : 'success';
    if (end === 'never') return false;
    if (end === 'failure') this.#failed = true;
    else this.#index += 1;
    this.#enteredAt = at;
    this.#checkedAt = at;
    return true;
  }

  #end() {
    const { domainEnds } = this.#dialect;
    return typeof domainEnds === 'function' ? domainEnds(this.#hostname) : domainEnds;
  }
}
