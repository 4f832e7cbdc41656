import type { Permissions } from '../github/access.ts';
import { find, readValue, type Token } from './expressions.ts';

/** What GitHub gives the token of a new repository's job that asks for nothing. */
const standard: Permissions = { contents: 'read', packages: 'read' };

const literal = { contexts: {} };

/** What a job's token may do, by the job's `permissions:` or else the workflow's. */
export function permissionsOf(job: Token, workflow: Token): Permissions | 'all' {
  const token = find(job, 'permissions') ?? find(workflow, 'permissions');
  if (token === undefined) return standard;
  const given = readValue(token, literal);
  if (given === 'write-all') return 'all';
  if (given === 'read-all') {
    const names = ['actions', 'contents', 'deployments', 'issues', 'pull-requests'];
    return Object.fromEntries(names.map((name) => [name, 'read']));
  }
  const entries = Object.entries((given ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    entries.filter((one): one is [string, 'read' | 'write'] =>
      ['read', 'write'].includes(String(one[1])),
    ),
  );
}
