import type { SafeText } from '../kernel/text/safe.ts';

/** What a run is about, as shown to users. It can be saved as JSON. */
export interface Subject {
  /** `Preview of #7`, `Production`, or the name of the environment. */
  name: SafeText;
  /** Distinguishes it from others of the same pull request: the beginning of the project's id. */
  mark?: SafeText;
  /** The repository's page, such as `https://github.com/owner/name`. */
  repositoryUrl: string;
}
