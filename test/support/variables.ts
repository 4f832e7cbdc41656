import type { DesiredVariable, RemovalSource, Removals } from '../../src/variables/intent.ts';

/** A declared variable with everything that a test does not care about filled in. */
export function desired(name: string, fields: Partial<DesiredVariable> = {}): DesiredVariable {
  const value = `fake value of ${name}`;
  return {
    name,
    value,
    kind: 'secret',
    preview: true,
    production: true,
    source: 'env-from',
    ...fields,
  };
}

/** Variables to delete, as `env-remove` names them. */
export const removing = (...names: readonly string[]): Removals =>
  new Map(names.map((name): [string, RemovalSource] => [name, 'env-remove']));
