import type { Dialect } from '../../dialect.ts';
import { applyDialect } from '../apply-dialect.ts';
import type { Environment, StoredVariable } from '../environment-store.ts';

/** The answer of every environment operation (section "Environment metadata response"). */
export function metadata(environment: Environment, dialect: Dialect): unknown {
  const preview = environment.runtime('preview');
  const production = environment.runtime('production');
  return applyDialect(dialect, {
    variables: environment.variables.map((variable) => describe(variable, dialect)),
    preview: {
      revision: preview.revision,
      appliedRevision: preview.appliedRevision,
      ...flag(dialect, 'stale', preview.outdated),
    },
    production: {
      revision: production.revision,
      publishedRevision: production.appliedRevision,
      ...flag(dialect, 'pending', production.outdated),
    },
  });
}

function flag(dialect: Dialect, name: 'stale' | 'pending', outdated: boolean) {
  if (dialect.pendingFlags === 'absent') return {};
  return { [name]: dialect.pendingFlags === 'honest' && outdated };
}

/** Section "Environment variable": everything but the value. */
function describe(
  { value: _, createdAt, updatedAt, ...variable }: StoredVariable,
  dialect: Dialect,
) {
  return {
    ...variable,
    purpose: dialect.extraFields ? 'integration' : variable.purpose,
    ...(dialect.variableTimes === 'honest' && { createdAt, updatedAt }),
  };
}
