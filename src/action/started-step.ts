import type { Explained, Prepared } from '../frame/action.ts';
import type { LedgerStores } from '../frame/ledgers/stores.ts';
import type { OpenLog } from '../frame/open-log.ts';
import type { RunAborted, Step } from '../frame/step.ts';
import type { ActionName } from '../inputs.ts';
import type { Kept } from '../platform.ts';
import type { Transport } from '../service/http.ts';
import type { Bounds } from './preflight/inputs.ts';

/** A prepared step. */
export interface StartedStep<Name extends ActionName, Read, Work> {
  /** When it began, in milliseconds since the epoch. */
  started: number;
  step: Step<Name>;
  bounds: Bounds;
  kept: Kept;
  read: Read;
  opened: OpenLog;
  prepared: Prepared<Work> | Explained | RunAborted;
  /** The transport to the service; undefined if nothing is to be sent. */
  transport: Transport | undefined;
  /** Its ledger stores, if one is being read already. */
  stores: LedgerStores | undefined;
}
