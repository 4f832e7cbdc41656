import type { Variable } from '../../../src/contract/environment.ts';
import type { DesiredSources, DesiredVariable } from '../../../src/core/environment/desired.ts';

/** A declared variable, secret and for both runtimes unless told otherwise. */
export function desiredVariable(fields: Partial<DesiredVariable> = {}): DesiredVariable {
  return {
    name: 'A',
    value: 'fake-value',
    kind: 'secret',
    preview: true,
    production: true,
    source: 'env',
    ...fields,
  };
}

/** A variable as the service shows it, secret and for both runtimes unless told otherwise. */
export function observedVariable(fields: Partial<Variable> = {}): Variable {
  return {
    id: 'id-1',
    name: 'A',
    kind: 'secret',
    preview: true,
    production: true,
    version: 1,
    ...fields,
  };
}

/** Sources that declare nothing unless told otherwise. */
export function sources(fields: Partial<DesiredSources> = {}): DesiredSources {
  return {
    env: '',
    envFrom: [],
    envFiles: [],
    stepEnvironment: {},
    kind: 'secret',
    targets: { preview: true, production: true },
    ...fields,
  };
}
