/** The choices about the projects' git repositories, of which the interface only says that there are some. */
export interface GitDialect {
  /** Whether git must send the token, or may come without. */
  gitAuth: 'token' | 'none';
  /** The only user name that goes with the token, or null for any. */
  gitUsername: string | null;
  /** Branches that nobody may push to. */
  protectedBranches: string[];
  /** The largest pack that a push may bring, in bytes, or null for any: there is no room for more. */
  largestPush: number | null;
  /** Whether a fetch may ask for a part of the objects only (`--filter`). */
  partialFetch: boolean;
  /** Milliseconds until the version history knows what a push brought that came while this was not 0. */
  pushSeenAfterMs: number;
  /** What counts as the version history: each commit in the repository, or HEAD and its ancestors. */
  versionHistory: 'repository' | 'head';
}

export const gitDefaults: GitDialect = {
  gitAuth: 'token',
  gitUsername: null,
  protectedBranches: [],
  largestPush: null,
  partialFetch: false,
  pushSeenAfterMs: 0,
  versionHistory: 'repository',
};
