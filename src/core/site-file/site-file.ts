import type { WriteDnsRecord } from '../../contract/dns-record.ts';
import type { VariableKind } from '../../contract/environment.ts';
import type { DeclaredCheck } from '../checks/check.ts';
import type { Position } from './position.ts';

/** A variable that the site file declares, at the position of its name. */
export type SiteVariable = Position & {
  name: string;
  /** The runtimes that it applies to; absent: not said. */
  targets?: ('preview' | 'production')[];
} & (
    | {
        /** The variable of the step's environment that holds the value. */
        from: string;
        /** Absent: not said. */
        kind?: VariableKind;
      }
    | { value: string; kind: 'plain' }
  );

/** A variable that the site file wants deleted, at the position of its name. */
export type SiteRemoval = Position & { name: string };

/** The project that a domain belongs to: `self`, a project's id, or null for none. Absent: left alone. */
export type SiteProject = 'self' | (string & {}) | null;

/** A domain that must be connected, at the position of its hostname. */
export interface SiteConnectedDomain extends Position {
  hostname: string;
  project?: SiteProject;
}

/** A DNS record that must be there, at the place where it starts. Its type is in upper case. */
export type SiteDnsRecord = WriteDnsRecord['record'] &
  Position & {
    /** Its place in the file's list. */
    index: number;
  };

/** A registered domain, at the position of its name. What is absent is left alone. */
export interface SiteRegisteredDomain extends Position {
  /** As the file has it, not normalised. */
  name: string;
  renewal?: boolean;
  project?: SiteProject;
  dns?: SiteDnsRecord[];
}

/** A check of the site, at the place where it starts. */
export type SiteFileCheck = DeclaredCheck & Position;

/** What a site file declares. */
export interface SiteFile {
  environment: SiteVariable[];
  removals: SiteRemoval[];
  connectedDomains: SiteConnectedDomain[];
  registeredDomains: SiteRegisteredDomain[];
  /** Absent if it has none. */
  checks?: SiteFileCheck[];
}
