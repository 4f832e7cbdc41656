import type { SafeText } from '../kernel/text/safe.ts';
import type { ConfirmedBy } from './model/confirmation.ts';

/** How what was followed ended. */
export interface End {
  outcome: 'succeeded' | 'failed' | 'unconfirmed';
  /** Who said so; absent if nobody did. */
  confirmedBy?: ConfirmedBy;
  /** What the service said beside a failure, or why nothing could be confirmed. */
  message?: SafeText;
}
