import { randomBytes } from 'node:crypto';
import type { OperationId } from './description.ts';
import { type OperationGroup, operationGroups } from './trouble.ts';

/** What a job's `permissions:` give its token, by GitHub's names; what is not listed, the token may not do. */
export type Permissions = Readonly<Record<string, 'read' | 'write'>>;

/** Whom a token stands for, and what it may do. */
export type Access = {
  /** A person, or an app: `github-actions[bot]`. */
  login: string;
  permissions: Permissions | 'all';
};

/** What each group of operations needs; one of several is enough. */
const needed: Readonly<Record<OperationGroup, readonly string[]>> = {
  actions: ['actions'],
  comments: ['issues', 'pull-requests'],
  commits: ['contents'],
  deployments: ['deployments'],
  git: ['contents'],
  issues: ['issues'],
  pulls: ['pull-requests'],
  user: [],
};

/** Whether a token may read, or write, what a group of operations is about. */
export function mayUse(
  { permissions }: Access,
  group: OperationGroup,
  level: 'read' | 'write',
): boolean {
  const names = needed[group];
  if (permissions === 'all' || names.length === 0) return true;
  return names.some((name) => {
    const given = permissions[name];
    return given === 'write' || given === level;
  });
}

/** Whether a token may send this request. */
export const mayCall = (access: Access, operationId: OperationId, method: string): boolean =>
  mayUse(access, operationGroups[operationId], method === 'GET' ? 'read' : 'write');

/** The tokens that GitHub accepts. */
export class Tokens {
  readonly #known = new Map<string, Access>();

  /** @param token the first, which may do everything */
  constructor(token: string, login: string) {
    this.#known.set(token, { login, permissions: 'all' });
  }

  /** What a token stands for; undefined if it is not accepted. */
  of(token: string): Access | undefined {
    return this.#known.get(token);
  }

  /** Makes a token that is plainly not real. */
  issue(access: Access): string {
    const token = `fake-job-token-${randomBytes(12).toString('hex')}`;
    this.#known.set(token, access);
    return token;
  }

  /** Ends a token, as the end of its job does. */
  revoke(token: string): void {
    this.#known.delete(token);
  }
}
