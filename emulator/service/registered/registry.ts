import type { RegistryVerdict } from '../../registered-dialect.ts';

/** What a year costs below each top-level domain that is sold, in US dollars. */
const costs: ReadonlyMap<string, number> = new Map([
  ['com', 10.44],
  ['net', 11.84],
  ['org', 10.11],
  ['dev', 12.18],
  ['example', 9.99],
]);

/** What names that start like this are, whatever their top-level domain. */
const byPrefix: readonly { prefix: string; verdict: RegistryVerdict }[] = [
  { prefix: 'taken', verdict: { registrable: false, reason: 'taken' } },
  { prefix: 'left-out', verdict: { registrable: false, reason: 'no_upstream_result' } },
  { prefix: 'no-quote', verdict: { registrable: false, reason: 'quote_unusable' } },
  { prefix: 'premium', verdict: { registrable: true, cost: 2_500, premium: true } },
];

const domainName = /^(?=.{3,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

/** What the registry says of a name. It goes by the look of the name, so that each run hears the same. */
export function askRegistry(name: string): RegistryVerdict {
  const domain = name.toLowerCase();
  if (!domainName.test(domain)) return { registrable: false, reason: 'invalid_name' };
  const known = byPrefix.find(({ prefix }) => domain.startsWith(prefix));
  if (known) return known.verdict;
  const topLevel = domain.slice(domain.lastIndexOf('.') + 1);
  const cost = costs.get(topLevel);
  return cost === undefined
    ? { registrable: false, reason: 'unsupported_tld' }
    : { registrable: true, cost, renewalCost: cost };
}
