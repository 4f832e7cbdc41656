import type { DesiredVariable } from '../../src/core/environment/desired.ts';

/** A declared variable with everything that a test does not care about filled in. */
export function desired(name: string, fields: Partial<DesiredVariable> = {}): DesiredVariable {
  const value = `fake value of ${name}`;
  return { name, value, kind: 'secret', preview: true, production: true, source: 'env', ...fields };
}
