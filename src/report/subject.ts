import type { SafeText } from '../kernel/text/safe.ts';

/** What a run is about, as people know it. It can be kept as JSON. */
export interface Subject {
  /** `Preview of #7`, `Production`, or the name of the environment. */
  name: SafeText;
  /** Tells it from others of the same pull request: the beginning of the project's id. */
  mark?: SafeText;
  /** The repository's page on its own server: `https://github.com/owner/name`. */
  repositoryUrl: string;
}
