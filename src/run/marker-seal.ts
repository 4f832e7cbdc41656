import { type MarkerSeal, markerSeal } from '../core/comment/marker.ts';
import { deriveLedgerKeys } from '../core/ledger/keys.ts';

/** The inputs that hold the key. */
export interface KeyValues {
  'api-key'?: string | undefined;
  'env-ledger-key'?: string | undefined;
}

/** The seal of a step's comments on an issue or a pull request: other steps with the same key have the same. */
export function sealFor(values: KeyValues, repository: string, number: number): MarkerSeal {
  const secret = values['env-ledger-key'] ?? values['api-key'] ?? '';
  return markerSeal(deriveLedgerKeys(secret).marker, repository, number);
}
