import type { ConnectedReport } from '../domains/result.ts';
import type { SafeText } from '../kernel/text/safe.ts';
import type { RunReport } from '../report/closing.ts';
import type { StatusOutputs } from './outputs.ts';

/** The value of an output whose texts are safe to show. */
type Shown<Value> = Value extends object
  ? { -readonly [Key in keyof Value]: Shown<Value[Key]> }
  : string extends Value
    ? SafeText
    : Value;

/** What is known of a project; a field is absent if it could not be read. */
export interface StatusState
  extends Partial<Pick<Shown<StatusOutputs>, 'live' | 'variables' | 'previews'>> {
  domains?: readonly ConnectedReport[];
  unknown: NonNullable<Shown<StatusOutputs['unknown']>>;
}

/** The report of the command `status`. */
export interface StatusReport extends RunReport, StatusState {}
