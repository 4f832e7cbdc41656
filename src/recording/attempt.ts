import type { Coded } from '../kernel/catalogue/coded.ts';
import { describeTrouble, type Permission } from '../records/trouble.ts';

/** Tells GitHub something; what fails is a warning. */
export type GitHubAttempt = (
  doing: string,
  permission: Permission,
  work: () => Promise<void>,
) => Promise<void>;

/** Makes the {@link GitHubAttempt} of a run, which warns of each permission once. */
export function attemptWith(warn: (text: Coded<string>) => void): GitHubAttempt {
  const warned = new Set<Permission>();
  return async (doing, permission, work) => {
    try {
      await work();
    } catch (error) {
      if (!warned.has(permission)) warn(describeTrouble(doing, error, permission));
      warned.add(permission);
    }
  };
}
