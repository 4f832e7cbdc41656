import type { WriteDnsRecord } from '../../contract/dns-record.ts';
import type { Position } from '../../site-file/position.ts';

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

/** The domains that a site file declares. */
export interface SiteDomains {
  connectedDomains: SiteConnectedDomain[];
  registeredDomains: SiteRegisteredDomain[];
}
