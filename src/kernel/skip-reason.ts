import { type SafeText, safe } from './text/safe.ts';

/** The reasons, by the output `skipped-reason`, as the end of a sentence. */
export const skipReasons = {
  'not-allowed': safe`the user who started it is not allowed to`,
  fork: safe`pull requests from forks get no secrets`,
  dependabot: safe`Dependabot gets no secrets of Actions`,
  'branch-deleted': safe`its branch, tag or release was removed`,
  'pull-request-closed': safe`the pull request is closed`,
  'pull-request-open': safe`the pull request is open`,
  'no-open-pull-request': safe`its commit is not the newest of an open pull request`,
  'no-free-preview-project': safe`all preview projects are in use`,
  'no-preview': safe`the pull request has no preview`,
  'older-commit': safe`a newer commit is deployed`,
  'not-needed': safe`this commit is live already`,
  'rolled-back': safe`this commit was rolled back`,
} as const satisfies Readonly<Record<string, SafeText>>;

/** Why a run is skipped. */
export type SkipReason = keyof typeof skipReasons;
