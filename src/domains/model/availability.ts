import { limits } from '../../contract/limits.ts';
import type { Availability } from '../../contract/registered-domain.ts';
import { mapTexts } from '../../kernel/json.ts';
import { type SafeText, safe } from '../../kernel/text/safe.ts';
import type { SanitizeLine } from '../dns/content.ts';
import { fullName, nameFault } from '../dns/name.ts';

/** Parts a list into pieces of at most `size`, in order. */
export function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** The result for one checked name, for reports and the output `availability`. */
export interface AvailabilityRow {
  /** As given. */
  name: string;
  /** The service's result with cleaned texts; absent if the response lacks the name. */
  result?: Availability;
  registrable: boolean;
  /** In US dollars; undefined if unknown. */
  price: number | undefined;
  renewalPrice: number | undefined;
  premium: boolean;
  /** Why it cannot be registered; empty if it can. */
  reason: SafeText;
}

function showPrice(price: number | undefined): string {
  return price === undefined ? 'price unknown' : `${price.toFixed(2)} USD`;
}

const dollars = (code: string | null | undefined): boolean => (code ?? '').toUpperCase() === 'USD';

/** The price of a name (section "Domain availability result"): with the markup, otherwise the registry's. */
function priceOf({ registrationPriceMicroUsd, pricing }: Availability): number | undefined {
  if (typeof registrationPriceMicroUsd === 'number') return registrationPriceMicroUsd / 1_000_000;
  return dollars(pricing?.currency) ? (pricing?.registrationCost ?? undefined) : undefined;
}

/** A name as sent: in lower case and punycode, without the last dot. */
function checkedName(name: string): string {
  return fullName(name, '@');
}

/** Names as sent, each once, grouped by request. */
export function checkedTogether(names: readonly string[]): string[][] {
  return chunk([...new Set(names.map(checkedName))], limits.checkedDomains.max);
}

/**
 * Why a name can't be checked.
 *
 * @returns undefined if it can
 */
export function checkedNameFault(name: string): string | undefined {
  const checked = checkedName(name);
  if (!checked.includes('.')) return 'has no dot: use a name such as example.com';
  return nameFault(checked);
}

/**
 * The rows of a check, in the given order. The results may have another order, so they are matched by name.
 *
 * @param clean makes outside text printable
 */
export function availabilityRows(
  checked: readonly string[],
  results: readonly Availability[],
  clean: SanitizeLine,
): AvailabilityRow[] {
  const byName = new Map(results.map((result) => [checkedName(result.name), result]));
  return checked.map((name) => {
    const result = byName.get(checkedName(name));
    const none = { price: undefined, renewalPrice: undefined, premium: false };
    if (result === undefined) {
      return {
        name,
        registrable: false,
        ...none,
        reason: safe`missing from the response`,
      };
    }
    const { registrable, premium, pricing } = result;
    const renewal = dollars(pricing?.currency) ? pricing?.renewalCost : undefined;
    return {
      name,
      result: mapTexts(result, clean),
      registrable,
      price: priceOf(result),
      renewalPrice: renewal ?? undefined,
      premium: premium === true,
      reason: registrable ? safe`` : clean(result.reason ?? '') || safe`no reason given`,
    };
  });
}

/** A row as a log line: `example.com: can be registered, 13.05 USD, renewal 13.05 USD`. */
export function describeAvailability(row: AvailabilityRow): string {
  const { name, registrable, premium, reason } = row;
  if (!registrable) return `${name}: cannot be registered: ${reason}`;
  const price = showPrice(row.price);
  const renewal = `renewal ${showPrice(row.renewalPrice)}`;
  const parts = ['can be registered', price, renewal];
  if (premium) parts.push('premium');
  return `${name}: ${parts.join(', ')}`;
}

/** The names that cost more than allowed, or have no price in US dollars, with their price. */
export function tooExpensive(rows: readonly AvailabilityRow[], most: number): string[] {
  return rows.flatMap(({ name, registrable, price }) => {
    if (!registrable) return [];
    if (price === undefined) return [`${name} (no price in USD)`];
    return price > most ? [`${name} (${price.toFixed(2)} USD)`] : [];
  });
}
