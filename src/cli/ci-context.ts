/** What a CI says of the run that it started, in its environment. Everything but its name may be missing. */
export interface CiContext {
  /** The CI's name as people write it, such as `GitLab CI/CD`; `git` outside a CI. */
  service: string;
  /** The commit that the run is for; of a pull or merge request its head, never a merge commit. */
  commitSha?: string;
  /** The branch of that commit. */
  branch?: string;
  /** The number of the pull or merge request, by which people know it. */
  pullRequest?: number;
  /** True if the commit is from another project, whose authors may have no right to this one. */
  fromFork?: boolean;
  /** What tells this run from others of the same CI. */
  runId?: string;
  /** The page of this run. */
  runUrl?: string;
  /** Where the repository can be cloned from, perhaps with credentials, which are to be masked. */
  cloneUrl?: string;
  /** True if the run is there to end the preview of its pull or merge request. */
  stop?: boolean;
}
