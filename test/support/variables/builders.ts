import type { Variable } from '../../../src/contract/environment.ts';
import { deriveLedgerKeys } from '../../../src/ledger/model/keys.ts';
import {
  emptyLedger,
  fingerprintsOf,
  type LedgerEntry,
  valueMarksOf,
} from '../../../src/ledger/model/ledger.ts';
import type { DesiredVariable } from '../../../src/variables/intent.ts';
import { type DesiredSources, gatherDesired } from '../../../src/variables/model/desired.ts';
import { type LedgerReader, readLedger } from '../../../src/variables/model/variable-plan.ts';
import type { PlanRules } from '../../../src/variables/plan.ts';
import type { SiteVariable } from '../../../src/variables/site-file.ts';

/** The project of every test here. */
export const projectId = '11111111-1111-4111-8111-111111111111';

const keys = deriveLedgerKeys('not-a-real-key');

/** The fingerprints of that project. */
export const projectFingerprint = fingerprintsOf(projectId, keys.fingerprint);

/** The marks of its values, by a key. */
export const marksBy = (secret: string) => valueMarksOf(projectId, deriveLedgerKeys(secret));

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
    updatedAt: 'then',
    ...fields,
  };
}

/** The ledger's entry of a variable into which we wrote the value that {@link desiredVariable} declares. */
export function ledgerEntry(variable: Variable): LedgerEntry {
  const { id, name, version, updatedAt } = variable;
  const { value, kind } = desiredVariable();
  const fingerprint = projectFingerprint({ id, name, kind, version, value });
  return {
    id,
    name,
    version,
    fingerprint,
    ...(updatedAt ? { updatedAt } : {}),
  };
}

/** A memory of having written these variables, each as it is here. */
export function remember(variables: readonly Variable[]): LedgerReader {
  const entries = variables.map((one) => ledgerEntry(one));
  return readLedger({ entries }, projectFingerprint);
}

/** A memory of nothing. */
const nothingRemembered = readLedger(emptyLedger, projectFingerprint);

/** Rules that overwrite, delete nothing and remember nothing unless told otherwise. */
export function planRules(fields: Partial<PlanRules> = {}): PlanRules {
  return {
    projectId,
    policy: 'overwrite',
    remove: new Map(),
    ledgerReader: nothingRemembered,
    marks: valueMarksOf(projectId, keys),
    ...fields,
  };
}

/** Sources that declare nothing unless told otherwise. */
export function sources(fields: Partial<DesiredSources> = {}): DesiredSources {
  return {
    env: '',
    envFrom: [],
    envFiles: [],
    siteVariables: [],
    envRemove: [],
    siteRemovals: [],
    isForeign: false,
    stepEnvironment: {},
    secretInputs: [],
    tokens: [],
    targets: { preview: true, production: true },
    ...fields,
  };
}

/** What is gathered of sources that declare nothing unless told otherwise. */
export const gather = (fields: Partial<DesiredSources>) => gatherDesired(sources(fields));

/** A plain variable of the site file whose value is in the file, on its line 4. */
export const plainVariable = (name: string, value: string): SiteVariable => ({
  name,
  value,
  kind: 'plain',
  line: 4,
  column: 5,
});
