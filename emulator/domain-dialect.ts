/** The choices about connected domains (sections "Connected domain" and "Connected domains"). */
export interface DomainDialect {
  /** The words of the four status fields. */
  domainWords: DomainWords;
  /** Milliseconds from a domain's connection to the end of its verification, split evenly among its stages. */
  verifyMs: number;
  /** How a verification ends. It is asked again whenever a failed domain is revalidated. */
  domainEnds: DomainEnd | ((hostname: string) => DomainEnd);
  /** The check that fails, or that never ends, where {@link domainEnds} says so. */
  domainStopsAt: DomainCheck;
  /** `verificationErrors` tells what a check still lacks while it is under way, not only when it failed. */
  earlyVerificationErrors: boolean;
  /**
   * The effect of `revalidate=true`: without it nothing moves, and each takes a domain at least one stage on and
   * as far as the time allows (`advances`); none, everything moves with time alone (`ignored`); everything moves
   * with time, and the answer takes {@link revalidateMs} (`slow`).
   */
  revalidation: 'advances' | 'ignored' | 'slow';
  /** Milliseconds before a slow revalidation looks at the domain. */
  revalidateMs: number;
  /** How `projectId` is written when no project is assigned. */
  unassigned: 'null' | 'absent' | 'empty';
  /** Assigning a verified domain to a project checks its routing anew. */
  assignmentReroutes: boolean;
  /** The answer to connecting a connected hostname; `same` answers that domain, assigned as asked. */
  duplicateHostname: '409' | 'same';
  /** The answer to a `projectId` of no project. */
  unknownProject: '404' | '422';
  /** The answer to assigning a domain that is assigned to another project. */
  assignedElsewhere: 'moves' | '409';
  /** What `POST /connected-domains/status` does about a hostname that is not connected. */
  unknownInStatuses: 'left-out' | '404';
}

/** The checks of a verification, which follow each other in this order. */
export type DomainCheck = 'ownership' | 'certificate' | 'routing';

/** How a domain's verification ends; `never` leaves it in the check at which it stops. */
export type DomainEnd = 'success' | 'failure' | 'never';

/** The words of one status field: before its check, while it is under way, and its two ends. */
export interface CheckWords {
  waiting: string;
  working: string;
  good: string;
  bad: string;
}

/** The words of `state`, `ownershipStatus`, `certificateStatus` and `routingStatus`. */
export interface DomainWords {
  state: CheckWords;
  ownership: CheckWords;
  certificate: CheckWords;
  /** `unassigned` stands wherever no project is assigned. */
  routing: CheckWords & { unassigned: string };
}

/** Some of a dialect's words; the rest has defaults. */
export type DomainWordsOptions = { [Field in keyof DomainWords]?: Partial<DomainWords[Field]> };

/** The defaults. */
export const domainDefaults: DomainDialect = {
  domainWords: {
    state: { waiting: 'pending', working: 'verifying', good: 'active', bad: 'failed' },
    ownership: { waiting: 'pending', working: 'checking', good: 'verified', bad: 'failed' },
    certificate: { waiting: 'pending', working: 'issuing', good: 'issued', bad: 'failed' },
    routing: {
      unassigned: 'unassigned',
      waiting: 'pending',
      working: 'propagating',
      good: 'routed',
      bad: 'failed',
    },
  },
  verifyMs: 150,
  domainEnds: 'success',
  domainStopsAt: 'ownership',
  earlyVerificationErrors: false,
  revalidation: 'ignored',
  revalidateMs: 300,
  unassigned: 'null',
  assignmentReroutes: false,
  duplicateHostname: '409',
  unknownProject: '404',
  assignedElsewhere: 'moves',
  unknownInStatuses: 'left-out',
};

/** All words from some. */
export function completeWords(defaults: DomainWords, given: DomainWordsOptions = {}): DomainWords {
  return {
    state: { ...defaults.state, ...given.state },
    ownership: { ...defaults.ownership, ...given.ownership },
    certificate: { ...defaults.certificate, ...given.certificate },
    routing: { ...defaults.routing, ...given.routing },
  };
}
