import type { Dialect } from '../dialect.ts';

/**
 * A value as the dialect writes it: fields without a value are null, omitted or empty, and unknown fields are
 * added if the dialect says so.
 */
export function applyDialect(dialect: Dialect, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => applyDialect(dialect, item));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    if (field !== null) fields[name] = applyDialect(dialect, field);
    else if (dialect.absentFields !== 'omitted') {
      fields[name] = dialect.absentFields === 'null' ? null : '';
    }
  }
  return dialect.extraFields ? { ...fields, newField: { nested: [1, 'two', null] } } : fields;
}
