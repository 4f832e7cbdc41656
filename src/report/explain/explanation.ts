import { joinSafe, type SafeText, safe, unsafeText } from '../../kernel/text/safe.ts';
import type { Subject } from '../subject.ts';

/** One thing that a run would do, or why it would not do it. */
export type Statement = {
  /** What it is about, in a word or two. */
  about: SafeText;
} & (
  | { does: SafeText; needs?: readonly Permission[]; hosts?: readonly NamedHost[] }
  | { leaves: SafeText }
);

/** A host that a run connects to, as a rule for outgoing traffic names it. */
export interface NamedHost {
  host: SafeText;
  /** What it is, in a few words. */
  what: SafeText;
}

/** A variable that would be written unless it is unchanged. Never its value. */
export interface ExplainedVariable {
  name: SafeText;
  kind: SafeText;
  targets: SafeText;
  /** Where its value comes from. */
  from: SafeText;
}

/** A check that would be run. */
export interface ExplainedCheck {
  what: SafeText;
  wanted: SafeText;
}

/** The outcome of an explained run; `failed`: it would fail whatever GitHub returns. */
export type ExplainedOutcome = 'planned' | 'skipped' | 'failed';

export interface Explanation {
  subject: Subject;
  /** What it would do; follows "this run would". */
  would: SafeText;
  outcome: ExplainedOutcome;
  statements: readonly Statement[];
  variables: readonly ExplainedVariable[];
  checks: readonly ExplainedCheck[];
  /** The permissions that the job needs. */
  needs: readonly Permission[];
}

export type Said = Omit<Explanation, 'subject'>;

/** The permissions that a job needs for what the statements do. */
export const needsOf = (statements: readonly Statement[]): Permission[] =>
  statements.flatMap((one) => ('does' in one ? (one.needs ?? []) : []));

/** The hosts of what is done, each once, in one line. */
export function describeHosts(hosts: readonly NamedHost[]): SafeText {
  const grouped = Map.groupBy(hosts, ({ host }) => host);
  const named = [...grouped].map(
    ([host, some]) => safe`${host} (${joinSafe([...new Set(some.map(({ what }) => what))], ', ')})`,
  );
  return safe`${joinSafe(named, ', ')}.`;
}

/** The scopes of a job's token that this action may need. */
export type Scope = 'contents' | 'deployments' | 'issues' | 'pull-requests';

/** A line under `permissions:`, and what it is for. */
export interface Permission {
  scope: Scope;
  level: 'read' | 'write';
  why: SafeText;
}

/** The highest level needed of each scope, sorted by scope: `write` includes `read`. */
export function mergePermissions(permissions: readonly Permission[]): Permission[] {
  const scopes = [...Map.groupBy(permissions, ({ scope }) => scope)].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return scopes.map(([scope, some]) => ({
    scope,
    level: some.some(({ level }) => level === 'write') ? 'write' : 'read',
    why: joinSafe([...new Set(some.map(({ why }) => why))], '; '),
  }));
}

/** Permissions as the lines of a job, to be copied. */
export function permissionLines(permissions: readonly Permission[]): SafeText[] {
  const merged = mergePermissions(permissions);
  if (merged.length === 0) return [safe`permissions: {}`];
  const lines = merged.map(({ scope, level }) => unsafeText(`  ${scope}: ${level}`));
  const width = Math.max(...lines.map(({ length }) => length));
  const commented = lines.map((line, index) =>
    unsafeText(`${line.padEnd(width)} # ${merged[index]?.why ?? ''}`),
  );
  return [safe`permissions:`, ...commented];
}
