import type { GitHubAccess } from '../github/client.ts';
import { deriveLedgerKeys, type LedgerKeys } from '../ledger/model/keys.ts';
import type { RunContext } from '../platform.ts';

/** The inputs with the service's address and key. */
export interface ServiceValues {
  'base-url': string;
  'api-key': string;
}

/** The inputs that contain the key. */
export interface KeyValues {
  'api-key': string;
  'env-ledger-key'?: string | undefined;
}

/** The keys with which a step encrypts and signs: other steps with the same secret have the same. */
export function keysOf(values: KeyValues): LedgerKeys {
  return deriveLedgerKeys(values['env-ledger-key'] ?? values['api-key']);
}

/** The input that contains the token. */
export interface TokenValues {
  'github-token': string | undefined;
}

/** How a step reaches GitHub. */
export function accessOf(
  { 'github-token': token = '' }: TokenValues,
  { apiUrl, repository, comments }: Pick<RunContext, 'apiUrl' | 'repository' | 'comments'>,
): GitHubAccess {
  return { apiUrl, repository, token, comments };
}
