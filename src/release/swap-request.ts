import type { ChecksRequest } from '../checks/site-checks.ts';

/** Two projects, of which one serves some domains: what is deployed goes to the other, and then the domains do. */
export interface SwapRequest {
  projects: readonly [string, string];
  domains: readonly string[];
  /** What the site must answer, as it was declared; absent if nothing is asked. */
  checks?: ChecksRequest;
}

/** How the domains of a run stood when it began to deploy. */
export interface Swap extends SwapRequest {
  /** The project that serves them; undefined if neither does. */
  from: string | undefined;
  /** The idle one, which is deployed to. */
  to: string;
  /** Each connected domain, with its project; undefined: none. */
  seats: ReadonlyMap<string, string | undefined>;
  /** Where the domains were gathered first, if an earlier move had been interrupted. */
  gathered?: string;
}
