import { randomUUID } from 'node:crypto';
import type { Dialect } from '../../dialect.ts';
import { type DomainStatuses, describeProgress } from './statuses.ts';
import { Verification } from './verification.ts';

/** A connected domain, with what a test may look at. Everything but its name is as it is now. */
export interface EmulatedDomain extends DomainStatuses {
  readonly hostname: string;
  /** The assigned project, or null. */
  readonly projectId: string | null;
  readonly createdAt: Date;
}

/** A domain that the organisation connected (section "Connected domain"). */
export class ConnectedDomain implements EmulatedDomain {
  readonly hostname: string;
  readonly createdAt = new Date();
  /** What the owner puts into DNS to prove that the domain is theirs. */
  readonly ownershipToken = randomUUID();
  readonly #dialect: Dialect;
  readonly #verification: Verification;
  #projectId: string | null;

  constructor(hostname: string, projectId: string | null, dialect: Dialect) {
    this.hostname = hostname;
    this.#projectId = projectId;
    this.#dialect = dialect;
    this.#verification = new Verification(hostname, dialect);
  }

  get projectId(): string | null {
    return this.#projectId;
  }

  /** All statuses at one moment. */
  get statuses(): DomainStatuses {
    return describeProgress(this.#verification.look(), this, this.#dialect);
  }

  get state(): string {
    return this.statuses.state;
  }

  get ownershipStatus(): string {
    return this.statuses.ownershipStatus;
  }

  get certificateStatus(): string {
    return this.statuses.certificateStatus;
  }

  get routingStatus(): string {
    return this.statuses.routingStatus;
  }

  get verificationErrors(): readonly string[] {
    return this.statuses.verificationErrors;
  }

  get checkedAt(): Date | null {
    return this.statuses.checkedAt;
  }

  /** Assigns a project, or none. Gives true if that changes anything. */
  assign(projectId: string | null): boolean {
    if (projectId === this.#projectId) return false;
    this.#projectId = projectId;
    if (projectId !== null && this.#dialect.assignmentReroutes) this.#verification.reroute();
    return true;
  }

  /** Verifies the domain at once whatever the dialect says, as its owner's DNS records would. */
  verify(): void {
    this.#verification.pass();
  }

  /** Looks at the domain's DNS because a request asks for it. */
  revalidate(): void {
    this.#verification.revalidate();
  }
}
