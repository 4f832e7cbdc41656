/** The choices about connected domains (sections "Connected domain" and "Connected domains"). */
export interface DomainDialect {
  /** The words of the four status fields. */
  domainWords: DomainWords;
  /** Milliseconds from a domain's connection to the end of its verification, split evenly among its stages. */
  verifyMs: number;
  /** The result of a verification. It is decided again whenever a failed domain is revalidated. */
  domainEnds: DomainEnd | ((hostname: string) => DomainEnd);
  /** The check that fails or never ends, according to {@link domainEnds}. */
  domainStopsAt: DomainCheck;
  /** `verificationErrors` lists what is missing while a check is in progress, not only when it failed. */
  earlyVerificationErrors: boolean;
  /**
   * The effect of `revalidate=true`: only it advances a domain, by at least one stage and as far as the elapsed time
   * allows (`advances`); none, domains advance with time alone (`ignored`); domains advance with time, and the response
   * takes {@link revalidateMs} (`slow`).
   */
  revalidation: 'advances' | 'ignored' | 'slow';
  /** Milliseconds before a slow revalidation checks the domain. */
  revalidateMs: number;
  /** How `projectId` is written when no project is assigned. */
  unassigned: 'null' | 'absent' | 'empty';
  /** Assigning a verified domain to a project checks its routing again. */
  assignmentReroutes: boolean;
  /** The response to connecting a connected hostname; `same` returns that domain, assigned as requested. */
  duplicateHostname: '409' | 'same';
  /** The response to an unknown `projectId`. */
  unknownProject: '404' | '422';
  /** The response to assigning a domain that is assigned to another project. */
  assignedElsewhere: 'moves' | '409';
  /** The response of `POST /connected-domains/status` for a hostname that is not connected. */
  unknownInStatuses: 'left-out' | '404';
}

/** The checks of a verification, which follow each other in this order. */
export type DomainCheck = 'ownership' | 'certificate' | 'routing';

/** How a domain's verification ends; `never` leaves it in the check at which it stops. */
export type DomainEnd = 'success' | 'failure' | 'never';

/** The values of one status field: before its check, while it is in progress, and its two results. */
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
  /** `unassigned` is used wherever no project is assigned. */
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
