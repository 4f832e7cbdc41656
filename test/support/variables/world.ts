import type { Variable, VariableKind } from '../../../src/contract/environment.ts';
import { emptyLedger, type Ledger } from '../../../src/ledger/model/ledger.ts';
import { observedVariable } from './builders.ts';

/** A variable of a model of the service: what is shown of it, and what never is. */
export interface Stored {
  shown: Variable;
  value: string;
  /** True if this action created it. */
  isOurs: boolean;
}

/** A model of a project, and what this action remembers of it. */
export interface World {
  stored: readonly Stored[];
  /** Every ledger that was ever kept, the latest last. */
  ledgers: readonly Ledger[];
  /** How many variables were ever created: no id is given twice. */
  ids: number;
}

/** What somebody else does on the service. */
export interface ForeignWrite {
  what: 'create' | 'write' | 'retarget' | 'remove';
  name: string;
  value: string;
  kind: VariableKind;
  preview: boolean;
  production: boolean;
  step: number;
}

/** A project without a variable, of which nothing is remembered. */
export const emptyWorld: World = { stored: [], ledgers: [emptyLedger], ids: 0 };

/** The ledger that was kept last. */
export const latestLedger = ({ ledgers }: World): Ledger => ledgers.at(-1) ?? emptyLedger;

/** What the service shows. */
export const shownBy = ({ stored }: World): Variable[] => stored.map(({ shown }) => shown);

/** The variables of a name. */
export const called = ({ stored }: World, name: string): readonly Stored[] =>
  stored.filter(({ shown }) => shown.name === name);

/** The project with one variable more. */
export function create(
  world: World,
  { value, step, ...fields }: Omit<ForeignWrite, 'what'>,
  isOurs: boolean,
): World {
  const { name, kind, preview, production } = fields;
  const id = `id-${world.ids}`;
  const shown = observedVariable({ id, name, kind, preview, production, version: step });
  return { ...world, ids: world.ids + 1, stored: [...world.stored, { shown, value, isOurs }] };
}

/** The project after a write to the variables that are meant. */
export function change(
  world: World,
  isIt: (variable: Variable) => boolean,
  fields: Partial<Variable>,
  { step, value }: { step: number; value?: string },
): World {
  const stored = world.stored.map((one) => {
    if (!isIt(one.shown)) return one;
    const { version, updatedAt } = one.shown;
    // Later by one write, in a clock that only tells order.
    const shown = { ...one.shown, ...fields, version: version + step, updatedAt: `${updatedAt}+` };
    return { ...one, shown, value: value ?? one.value };
  });
  return { ...world, stored };
}

/** The project after somebody else's action. */
export function doElsewhere(world: World, action: ForeignWrite): World {
  const { what, name, value, kind, preview, production, step } = action;
  const isIt = (variable: Variable) => variable.name === name;
  if (what === 'create') return create(world, action, false);
  if (what === 'write') return change(world, isIt, { kind }, { step, value });
  if (what === 'retarget') return change(world, isIt, { preview, production }, { step });
  return { ...world, stored: world.stored.filter(({ shown }) => !isIt(shown)) };
}
