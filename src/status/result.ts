import type { ConnectedReport } from '../domains/result.ts';
import type { Code } from '../kernel/code.ts';
import type { SafeText } from '../kernel/text/safe.ts';
import type { RunReport } from '../report/closing.ts';
import type { RuntimeState } from '../variables/result.ts';
import type { ReleaseReport } from './evaluate.ts';

/** What is known of a project; what could not be read is absent. */
export interface StatusState extends Partial<RuntimeState> {
  live?: ReleaseReport;
  domains?: readonly ConnectedReport[];
  previews?: readonly ReleaseReport[];
  unknown: readonly { why: SafeText; code?: Code }[];
}

/** The report of the command `status`. */
export interface StatusReport extends RunReport, StatusState {}
