import type { z } from 'zod';
import { check } from '../../checks/model/check-schema.ts';
import { connectedDomain, dnsRecord, registeredDomain } from '../../domains/model/domain-schema.ts';
import { clean } from '../../kernel/text/clean.ts';
import type { Path } from '../../site-file/position.ts';
import { suggestion } from '../../site-file/suggest.ts';
import { variable } from '../../variables/model/variable-schema.ts';
import { siteFileSchema } from './schema.ts';

const keysOf = (schema: z.ZodObject) => Object.keys(schema.shape);

/** The keys that each mapping may have, by the words of the schema on the way to it. */
const allowedKeys: Readonly<Record<string, readonly string[]>> = {
  '': keysOf(siteFileSchema),
  environment: keysOf(variable),
  'connected-domains': keysOf(connectedDomain),
  'registered-domains': keysOf(registeredDomain),
  'registered-domains dns': keysOf(dnsRecord),
  checks: keysOf(check),
};

/**
 * What to say of a key that a mapping does not have. Among variables it is shown only if it is near a known
 * one: it may be a value that somebody pasted.
 *
 * @param path the way to the mapping; names and indices are every second step of it
 */
export function describeUnknownKey(key: string, path: Path): string {
  const known = allowedKeys[path.filter((_, index) => index % 2 === 0).join(' ')] ?? [];
  const near = suggestion(key, known);
  if (near !== '') return `unknown key "${clean(key, 60)}"${near}`;
  const shown = path[0] === 'environment' ? '' : ` "${clean(key, 60)}"`;
  return `unknown key${shown}; allowed here: ${known.join(', ')}`;
}
