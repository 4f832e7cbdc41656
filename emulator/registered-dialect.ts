/**
 * The choices about registered domains (sections "Registered domain", "DNS record", "Domain availability result"
 * and "Registered domains").
 */
export interface RegisteredDialect extends AvailabilityDialect, DnsDialect {
  /** The values of `bindStatus`, such as `bound: 'binding'` for a service that binds later. */
  bindWords: { unbound: string; bound: string };
  /**
   * The response to binding a domain that is bound, to the same project or another: unchanged, moved to
   * the project, or 409.
   */
  boundAlready: 'same' | 'moves' | '409';
  /** The response to unbinding a domain that is not bound. */
  unboundAlready: 'same' | '409';
  /** Whether a bound domain has a record of the system at its apex. */
  bindingRecord: boolean;
  /** The words of `renewal.state`. */
  renewalWords: { on: string; off: string };
}

/** The choices about `POST /domain/check`. */
export interface AvailabilityDialect {
  /** The registry's result for a name. `by-name` derives it from the name: see `askRegistry`. */
  availability: 'by-name' | ((domain: string) => RegistryVerdict);
  /** The factor by which the registry's prices are multiplied. */
  priceMarkup: number;
  /** `pricing` has the marked-up prices, too, not the registry's own. */
  pricingIncludesMarkup: boolean;
  /** The currency of `pricing`, and its exchange rate for a US dollar. */
  priceCurrency: { code: string; perUsd: number };
  /** Which of `pricing` and `registrationPriceMicroUsd` a registrable domain has. */
  priceFields: 'both' | 'pricing' | 'micro-usd' | 'neither';
  /** How a result spells the requested name. */
  checkedNames: 'as-given' | 'lower-case';
  /** Results come in the requested order, or in another fixed one. */
  resultOrder: 'asked' | 'shuffled';
}

/** The registry's result for a domain. Costs are in US dollars, before the markup. */
export type RegistryVerdict =
  | { registrable: true; cost: number; renewalCost?: number; premium?: boolean }
  | { registrable: false; reason: string; premium?: boolean };

/** The choices about DNS records. */
export interface DnsDialect {
  /** Which record types may be written: A, AAAA, CAA, CNAME, MX, NS, SRV and TXT, or any. */
  recordTypes: 'known' | 'any';
  /** Which fields may be written in addition to type, name and content. */
  writableFields: 'all' | readonly WritableField[];
  /** How answers spell a record's name; `relative` is `@` for the apex and the labels below it. */
  recordNames: 'as-given' | 'lower-case' | 'full' | 'full-with-dot' | 'relative';
  /** How answers spell the host name in the content of a CNAME, MX, NS or SRV record. */
  recordTargets: 'as-given' | 'lower-case' | 'with-dot' | 'without-dot';
  /** How answers spell a text: `split` is in strings of at most 255 bytes. */
  txtContents: 'as-given' | 'quoted' | 'unquoted' | 'split';
  /** How answers spell the address of an AAAA record. */
  ipv6Contents: 'as-given' | 'compressed' | 'full';
  /** How answers spell the parameters of an HTTPS or SVCB record. */
  parameterContents: 'as-given' | 'quoted';
  /** Which records have a TTL of the service's: none; the proxied ones, 1; or those with less than 60, 60. */
  ownTtls: 'none' | 'if-proxied' | 'below-60';
  /** Answers put priority, weight, port, flags and tag in front of the content of MX, SRV and CAA records. */
  fieldsInContent: boolean;
  /** The fields that answers carry where a record was written without them. */
  recordDefaults: RecordDefaults;
  /** The order of `records`: that of their creation, or another fixed one. */
  recordOrder: 'created' | 'shuffled';
  /** The words of `managedBy`. */
  managedWords: { customer: string | null; system: string };
  /** The response to an update of a record of the system. */
  managedRefusal: '403' | '409' | '422';
  /** The response to a second record of the same type, name and content. */
  duplicateRecords: 'allow' | '409';
  /** The response to another record for a name with a CNAME. */
  cnameBesideOthers: '422' | 'allow';
  /** A PATCH replaces all customer fields of a record, or only those in the request. */
  patchedRecords: 'replaces' | 'merges';
}

/** A field of a DNS record that a dialect may let a client write. */
export type WritableField =
  | 'ttl'
  | 'comment'
  | 'priority'
  | 'flags'
  | 'tag'
  | 'weight'
  | 'port'
  | 'proxied';

/** Values of fields that a customer did not write. A null is written according to `absentFields`. */
export interface RecordDefaults {
  ttl?: number;
  comment?: string | null;
  priority?: number;
  flags?: number;
  weight?: number;
  port?: number;
  proxied?: boolean;
}

/** The defaults. */
export const registeredDefaults: RegisteredDialect = {
  bindWords: { unbound: 'unbound', bound: 'bound' },
  boundAlready: 'moves',
  unboundAlready: 'same',
  bindingRecord: false,
  renewalWords: { on: 'renewing', off: 'ending' },
  availability: 'by-name',
  priceMarkup: 1.25,
  pricingIncludesMarkup: true,
  priceCurrency: { code: 'USD', perUsd: 1 },
  priceFields: 'both',
  checkedNames: 'as-given',
  resultOrder: 'asked',
  recordTypes: 'known',
  writableFields: 'all',
  recordNames: 'as-given',
  recordTargets: 'as-given',
  txtContents: 'as-given',
  ipv6Contents: 'as-given',
  parameterContents: 'as-given',
  ownTtls: 'none',
  fieldsInContent: false,
  recordDefaults: { ttl: 3600, comment: null, proxied: false },
  recordOrder: 'created',
  managedWords: { customer: 'customer', system: 'system' },
  managedRefusal: '403',
  duplicateRecords: 'allow',
  cnameBesideOthers: '422',
  patchedRecords: 'replaces',
};
