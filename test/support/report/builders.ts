import { sha } from '../../../src/contract/commit.ts';
import type { DeployReport } from '../../../src/deploy/model/report.ts';
import type { PlannedChange } from '../../../src/kernel/change.ts';
import { unsafeText } from '../../../src/kernel/text/safe.ts';
import type { Subject } from '../../../src/report/closing.ts';
import type {
  EnvironmentResult,
  VariableOutcome,
  VariableResult,
} from '../../../src/variables/result.ts';

/** What became of a variable. */
export function variableResult(
  name: string,
  outcome: VariableOutcome,
  fields: Partial<VariableResult> = {},
): VariableResult {
  return {
    name: unsafeText(name),
    outcome,
    retargeted: false,
    reason: unsafeText('because'),
    ...fields,
  };
}

/** A change of a variable, as a plan lists it. */
export function plannedChange(name: string, action: string): PlannedChange {
  return {
    type: 'environment',
    resource: 'variable',
    name: unsafeText(name),
    action,
    reason: unsafeText('because'),
  };
}

/** A sync of nothing unless told otherwise. */
export function environmentResult(fields: Partial<EnvironmentResult> = {}): EnvironmentResult {
  return {
    isPlanned: false,
    variables: [],
    ambiguous: [],
    undeclared: [],
    requiredMissing: [],
    changes: [],
    digest: '',
    runtime: {
      stale: undefined,
      pending: undefined,
    },
    ...fields,
  };
}

/** A pull request's preview, unless told otherwise. */
export const subject = (fields: Partial<Subject> = {}): Subject => ({
  name: unsafeText('Preview of #7'),
  commitsUrl: 'https://github.com/o/r/commit/',
  ...fields,
});

/** The report of a deploy that succeeded unless told otherwise. */
export function deployReport(fields: Partial<DeployReport> = {}): DeployReport {
  return {
    outcome: 'succeeded',
    subject: subject(),
    projectId: '11111111-1111-4111-8111-111111111111',
    commit: sha('a'.repeat(40)),
    phases: [],
    requests: 3,
    durationMs: 12_345,
    ...fields,
  };
}
