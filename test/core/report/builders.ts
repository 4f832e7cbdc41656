import type {
  DeployReport,
  EnvironmentResult,
  VariableOutcome,
  VariableResult,
} from '../../../src/core/report/report.ts';

/** What became of a variable. */
export function variableResult(
  name: string,
  outcome: VariableOutcome,
  fields: Partial<VariableResult> = {},
): VariableResult {
  return { name, outcome, retargeted: false, reason: 'because', ...fields };
}

/** A sync of nothing unless told otherwise. */
export function environmentResult(fields: Partial<EnvironmentResult> = {}): EnvironmentResult {
  return { variables: [], ambiguous: [], undeclared: [], changes: [], digest: '', ...fields };
}

/** The report of a deploy that succeeded unless told otherwise. */
export function deployReport(fields: Partial<DeployReport> = {}): DeployReport {
  return {
    outcome: 'succeeded',
    projectId: '11111111-1111-4111-8111-111111111111',
    commit: 'a'.repeat(40),
    phases: [],
    requests: 3,
    durationMs: 12_345,
    ...fields,
  };
}
