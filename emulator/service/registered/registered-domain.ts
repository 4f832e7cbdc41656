import type { Dialect } from '../../dialect.ts';
import { ServiceError } from '../errors.ts';
import type { EmulatedDnsRecord } from './record.ts';
import { Zone } from './zone.ts';

/** A registered domain, with what a test may look at. Everything but its name is as it is now. */
export interface EmulatedRegisteredDomain {
  readonly name: string;
  readonly status: string;
  readonly autoRenew: boolean;
  /** The bound project, or null. */
  readonly boundProjectId: string | null;
  readonly registeredAt: Date;
  /** The end of the current period. */
  readonly expiresAt: Date;
  /** The DNS records as they were written, in order of creation, those of the system too. */
  readonly records: readonly EmulatedDnsRecord[];
}

/** How somebody registers a domain; everything has a default. */
export interface RegistrationOptions {
  status?: string;
  autoRenew?: boolean;
  /** The project that it is bound to, or null. */
  projectId?: string | null;
  expiresAt?: Date;
}

const year = 365 * 24 * 3_600_000;

/** A domain that the workspace registered (section "Registered domain"). */
export class RegisteredDomain implements EmulatedRegisteredDomain {
  readonly name: string;
  readonly status: string;
  readonly registeredAt = new Date();
  readonly expiresAt: Date;
  readonly zone: Zone;
  readonly #dialect: Dialect;
  #autoRenew: boolean;
  #boundProjectId: string | null = null;
  #bindingRecordId: string | null = null;

  constructor(name: string, options: RegistrationOptions, dialect: Dialect) {
    this.name = name;
    this.status = options.status ?? 'active';
    this.expiresAt = options.expiresAt ?? new Date(this.registeredAt.getTime() + year);
    this.zone = new Zone(name, dialect);
    this.#dialect = dialect;
    this.#autoRenew = options.autoRenew ?? true;
    this.#place(options.projectId ?? null);
  }

  get autoRenew(): boolean {
    return this.#autoRenew;
  }

  get boundProjectId(): string | null {
    return this.#boundProjectId;
  }

  get records(): readonly EmulatedDnsRecord[] {
    return this.zone.records;
  }

  /** Turns annual renewal on or off. Gives true if that changes anything. */
  renew(enabled: boolean): boolean {
    const changed = enabled !== this.#autoRenew;
    this.#autoRenew = enabled;
    return changed;
  }

  /**
   * Binds the domain to a project as the dialect says. Gives true if that changes anything.
   * @throws a `ServiceError` if it is bound and the dialect refuses that
   */
  bind(projectId: string): boolean {
    const { boundAlready } = this.#dialect;
    if (this.#boundProjectId !== null && boundAlready === '409') {
      throw new ServiceError(409, 'domain_bound', `The domain ${this.name} is bound already.`);
    }
    if (this.#boundProjectId !== null && boundAlready === 'same') return false;
    return this.#place(projectId);
  }

  /**
   * Ends the binding. Gives true if there was one.
   * @throws a `ServiceError` if there was none and the dialect refuses that
   */
  unbind(): boolean {
    if (this.#boundProjectId === null && this.#dialect.unboundAlready === '409') {
      throw new ServiceError(409, 'domain_unbound', `The domain ${this.name} is not bound.`);
    }
    return this.#place(null);
  }

  #place(projectId: string | null): boolean {
    if (projectId === this.#boundProjectId) return false;
    this.#boundProjectId = projectId;
    if (this.#bindingRecordId !== null) this.zone.remove(this.#bindingRecordId);
    const wanted = projectId !== null && this.#dialect.bindingRecord;
    this.#bindingRecordId = wanted ? this.zone.put(this.#bindingRecord).id : null;
    return true;
  }

  get #bindingRecord() {
    const managedReason = `Leads ${this.name} to its project.`;
    return { type: 'A', name: this.name, content: '192.0.2.80', managedReason };
  }
}
