import { type MarkerSeal, markerSeal } from '../../core/comment/marker.ts';
import { deriveLedgerKeys, type LedgerKeys } from '../../core/ledger/keys.ts';
import type { GitHubAccess } from '../../github/api.ts';
import type { RunContext } from '../../github/runner.ts';

/** The inputs that hold the key. */
export interface KeyValues {
  'api-key': string;
  'env-ledger-key'?: string | undefined;
}

/** The keys of what a step keeps and marks: other steps with the same secret have the same. */
export function keysOf(values: KeyValues): LedgerKeys {
  return deriveLedgerKeys(values['env-ledger-key'] ?? values['api-key']);
}

/** The seal of a step's comments on an issue or a pull request. */
export function sealFor(values: KeyValues, repository: string, number: number): MarkerSeal {
  return markerSeal(keysOf(values).marker, repository, number);
}

/** The number of a run; 0 if a runner of another kind has other ids. */
export const runNumber = ({ identity }: RunContext): number => {
  const number = Number(identity.runId);
  return Number.isSafeInteger(number) ? number : 0;
};

/** The input that holds the token. */
export interface TokenValues {
  'github-token': string | undefined;
}

/** How a step reaches GitHub. */
export function accessOf(
  { 'github-token': token = '' }: TokenValues,
  { apiUrl, repository }: Pick<RunContext, 'apiUrl' | 'repository'>,
): GitHubAccess {
  return { apiUrl, repository, token };
}
