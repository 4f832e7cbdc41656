import type { Dialect } from '../../dialect.ts';
import type { DomainCheck } from '../../domain-dialect.ts';
import { ownershipRecord, routingTarget } from './instructions.ts';
import { type Stage, stages, type VerificationProgress } from './verification.ts';

/** The fields of a connected domain that its verification moves (section "Connected domain"). */
export interface DomainStatuses {
  readonly state: string;
  readonly ownershipStatus: string;
  readonly certificateStatus: string;
  readonly routingStatus: string;
  readonly verificationErrors: readonly string[];
  /** When the service last looked at the domain's DNS, or null if it has not yet. */
  readonly checkedAt: Date | null;
}

/** Tells how far a verification is in the dialect's words. */
export function describeProgress(
  progress: VerificationProgress,
  domain: { readonly hostname: string; readonly projectId: string | null },
  dialect: Dialect,
): DomainStatuses {
  const { domainWords: words } = dialect;
  const word = (check: DomainCheck) => words[check][phase(progress, check)];
  return {
    state: words.state[overall(progress)],
    ownershipStatus: word('ownership'),
    certificateStatus: word('certificate'),
    routingStatus: domain.projectId === null ? words.routing.unassigned : word('routing'),
    verificationErrors: verificationErrors(progress, domain.hostname, dialect),
    checkedAt: progress.checkedAt,
  };
}

type Phase = 'waiting' | 'working' | 'good' | 'bad';

function overall({ stage, failed }: VerificationProgress): Phase {
  if (stage === 'accepted') return 'waiting';
  if (stage === 'passed') return 'good';
  return failed ? 'bad' : 'working';
}

function phase({ stage, failed }: VerificationProgress, check: DomainCheck): Phase {
  const ahead = stages.indexOf(check) - stages.indexOf(stage);
  if (ahead === 0) return failed ? 'bad' : 'working';
  return ahead > 0 ? 'waiting' : 'good';
}

const lacks: Record<DomainCheck, (hostname: string) => string> = {
  ownership: (hostname) => `The TXT record ${ownershipRecord(hostname)} was not found.`,
  certificate: (hostname) => `No certificate could be issued for ${hostname}.`,
  routing: (hostname) => `${hostname} does not point to ${routingTarget}.`,
};

function verificationErrors(
  { stage, failed }: VerificationProgress,
  hostname: string,
  { earlyVerificationErrors, hostileText }: Dialect,
): string[] {
  if (!isCheck(stage) || !(failed || earlyVerificationErrors)) return [];
  return [lacks[stage](hostname), ...(hostileText === null ? [] : [hostileText])];
}

function isCheck(stage: Stage): stage is DomainCheck {
  return stage in lacks;
}
