/** The settings of the projects' git repositories, which the interface does not specify. */
export interface GitDialect {
  /** Whether git must send the token. */
  gitAuth: 'token' | 'none';
  /** The required user name, or null for any. */
  gitUsername: string | null;
  /** Protected branches, which reject every push. */
  protectedBranches: string[];
  /** The largest pack of a push, in bytes, or null for no limit. */
  largestPush: number | null;
  /** Whether a fetch may request only some objects (`--filter`). */
  partialFetch: boolean;
  /** Milliseconds until a pushed commit is in the version history. */
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
