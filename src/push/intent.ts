import type { Force } from './model/decide.ts';

/** Whether a run pushes the commit to its project's repository, and if not, why. */
export type PushIntent =
  | {
      kind: 'push';
      branch: string;
      /** When the branch may lose commits. */
      force: Force;
      /** True if a project that contains only its template is adopted. */
      adopts: boolean;
      /** The URL of a project's repository, without credentials. */
      addressOf(projectId: string): string | undefined;
    }
  /** Nothing is deployed. */
  | { kind: 'none' }
  /** `git-url` is empty. */
  | { kind: 'no-url' }
  /** HEAD is always in the project's repository. */
  | { kind: 'head' };
