import type { Force } from './model/decide.ts';

/** Whether a run pushes the commit to its project's repository, or why it does not. */
export type PushIntent =
  | {
      kind: 'push';
      branch: string;
      /** When the branch may lose commits. */
      force: Force;
      /** True if a project that holds nothing but its template is adopted. */
      adopts: boolean;
      /** The repository of a project: its address without credentials. */
      addressOf(projectId: string): string | undefined;
    }
  /** Nothing is deployed. */
  | { kind: 'none' }
  /** `git-url` is empty. */
  | { kind: 'no-url' }
  /** HEAD of the project's own repository is there already. */
  | { kind: 'head' };
