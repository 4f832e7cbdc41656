import type { Variable } from '../../../src/contract/environment.ts';
import { type Ledger, updateLedger } from '../../../src/ledger/model/ledger.ts';
import type { ConflictPolicy, DesiredVariable } from '../../../src/variables/intent.ts';
import { readLedger, type VariablePlan } from '../../../src/variables/model/variable-plan.ts';
import { type EnvironmentPlan, planEnvironment } from '../../../src/variables/plan.ts';
import { removing } from '../variables.ts';
import { planRules, projectFingerprint } from './builders.ts';
import { change, create, latestLedger, shownBy, type World } from './world.ts';

/** A sync as a workflow asks for it. */
export interface Sync {
  desired: readonly DesiredVariable[];
  policy: ConflictPolicy;
  /** The names to delete. */
  remove: readonly string[];
  /** How far each of its writes moves a version. */
  step: number;
}

function write(world: World, { desired, observed, actions }: VariablePlan, step: number): World {
  const { kind, preview, production, value } = desired;
  const isIt = ({ id }: Variable) => id === observed?.id;
  return actions.reduce((now, action) => {
    if (action === 'create') return create(now, { ...desired, step }, true);
    if (action === 'replace') return change(now, isIt, { kind }, { step, value });
    return change(now, isIt, { preview, production }, { step });
  }, world);
}

/** Plans a sync with what a ledger says. */
export function planSync(
  world: World,
  { desired, policy, remove }: Sync,
  ledger: Ledger = latestLedger(world),
): EnvironmentPlan {
  const ledgerReader = readLedger(ledger, projectFingerprint);
  const rules = planRules({ policy, remove: removing(...remove), ledgerReader });
  return planEnvironment(desired, { variables: shownBy(world) }, rules);
}

/** The project after a sync that was planned, and what is remembered of it. */
export function applyPlan(
  world: World,
  plan: EnvironmentPlan,
  step: number,
  ledger: Ledger,
): World {
  const deleted = new Set(
    plan.deletions.flatMap(({ observed, left }) => (left === undefined ? [observed.id] : [])),
  );
  const written = plan.variables.reduce((now, one) => write(now, one, step), world);
  const stored = written.stored.filter(({ shown }) => !deleted.has(shown.id));
  const confirmed = plan.variables
    .filter(({ left }) => left === undefined)
    .flatMap(({ desired: { name, value, kind } }) =>
      stored
        .filter(({ shown }) => shown.name === name)
        .map(({ shown }) => ({ variable: shown, value, kind })),
    );
  const actions = { before: shownBy(world), confirmed, deleted };
  const next = updateLedger(ledger, projectFingerprint, actions);
  return { ...written, stored, ledgers: [...world.ledgers, next] };
}

/** Plans a sync and carries it out. */
export function runSync(world: World, sync: Sync): World {
  return applyPlan(world, planSync(world, sync), sync.step, latestLedger(world));
}
