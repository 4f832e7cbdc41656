import type { StepEnvironment } from '../platform.ts';
import { UsageError } from './arguments.ts';
import type { CiContext } from './ci-context.ts';
import { type LocalGit, readGitReference, readLocalGit } from './local-git.ts';

/** What the command line says otherwise than the CI. */
export interface Overrides {
  branch?: string | undefined;
  pullRequest?: string | undefined;
  commitSha?: string | undefined;
  /** True if the preview of the pull request is to be ended. */
  close?: boolean;
}

function readNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError('--pull-request must be a number');
}

/** A field that is left out if it is not known. */
const known = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, Value>>;

/** Describes a run by the command line, the CI, and the repository of the folder, in this order. */
export async function readCi(
  environment: StepEnvironment,
  folder: string,
  { branch, pullRequest, commitSha, close = false }: Overrides,
): Promise<{ ci: CiContext; git: LocalGit | undefined }> {
  const git = await readLocalGit(folder);
  // Not needed for help, and slow to load.
  const { ciContext } = await import('./ci.ts');
  const ci: CiContext = {
    ...(await ciContext(environment, {
      ...git,
      readReference: async (name) => git && (await readGitReference(git.root, name)),
    })),
    ...known('branch', branch),
    ...known('commitSha', commitSha),
    ...known('pullRequest', pullRequest === undefined ? undefined : readNumber(pullRequest)),
    ...(close && { stop: true }),
  };
  // Without its number, it would count as merged code.
  if (ci.fromFork !== undefined && ci.pullRequest === undefined) {
    throw new UsageError(
      'the CI reports a pull request without a number: set --pull-request NUMBER',
    );
  }
  if (close && ci.pullRequest === undefined) {
    throw new UsageError('--close needs --pull-request NUMBER, because the CI reports none');
  }
  return { ci, git };
}
