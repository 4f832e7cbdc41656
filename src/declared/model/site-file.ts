import type { SiteFileCheck } from '../../checks/model/site-check.ts';
import type { SiteDomains } from '../../domains/model/site-domains.ts';
import type { SiteRemoval, SiteVariable } from '../../variables/model/site-variable.ts';

/** What a site file declares. */
export interface SiteFile extends SiteDomains {
  environment: SiteVariable[];
  removals: SiteRemoval[];
  /** Absent if it has none. */
  checks?: SiteFileCheck[];
}
