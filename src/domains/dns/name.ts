import { domainToASCII } from 'node:url';

/** The dots between labels, in any script. */
const dot = /[.\u3002\uff0e\uff61]/;
const isAscii = /^\p{ASCII}*$/u;
/** Characters with a special meaning in a URL's host. */
const isSpecial = /[\s%/?#\\:@[\]]/;

function asciiLabel(label: string): string {
  if (isAscii.test(label) || isSpecial.test(label)) return label;
  // The suffix prevents that a label of digits is read as an IPv4 address.
  const ascii = domainToASCII(`${label}.invalid`);
  return ascii === '' ? label : ascii.slice(0, -'.invalid'.length);
}

/** A name with its non-ASCII labels in punycode, otherwise unchanged. */
export function asciiName(name: string): string {
  return name.split(dot).map(asciiLabel).join('.');
}

/** Some services return the wildcard `*` as a zone file escape. */
const fold = (name: string): string =>
  asciiName(name.trim()).toLowerCase().replaceAll('\\052', '*');

const withoutDot = (name: string): string => (name.endsWith('.') ? name.slice(0, -1) : name);

/**
 * The full name of a record: lower case, in punycode, without the last dot. `@`, an empty name and the
 * domain itself are the apex; a name that ends in the domain or in a dot is full; any other is relative.
 */
export function fullName(domain: string, name: string): string {
  const zone = withoutDot(fold(domain));
  const folded = fold(name);
  if (folded === '' || folded === '@') return zone;
  if (folded.endsWith('.')) return withoutDot(folded);
  return isInZone(zone, folded) ? folded : `${folded}.${zone}`;
}

/** True if a full name is a zone's apex or below it. Both are as {@link fullName} gives them. */
export function isInZone(zone: string, name: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}

/** True if a target is one label without a dot, which services read either as absolute or as relative. */
export function isOneLabel(target: string): boolean {
  return !dot.test(target.trim()) && target.trim() !== '@';
}

/**
 * The possible meanings of a target: lower case, in punycode, without the last dot. `@` is the apex, `.` is no target.
 *
 * @returns one name, or two for a label without a dot: absolute, and relative to the domain
 */
export function targetReadings(domain: string, target: string): [string, ...string[]] {
  const folded = fold(target);
  if (folded === '.') return ['.'];
  if (folded === '@') return [fullName(domain, '@')];
  if (!isOneLabel(folded)) return [withoutDot(folded)];
  return [folded, fullName(domain, folded)];
}

const properLabel = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/;

/**
 * Why a full name from {@link fullName} or {@link targetReadings} is invalid.
 *
 * @returns undefined if it is valid
 */
export function nameFault(name: string): string | undefined {
  if (name.length > 253) return `has ${name.length} characters; the limit is 253`;
  const labels = name.split('.');
  const long = labels.find((label) => label.length > 63);
  if (long !== undefined) return `has a label of ${long.length} characters; the limit is 63`;
  if (labels.includes('')) return 'has an empty label: remove the extra dot';
  return labels.every((label) => properLabel.test(label))
    ? undefined
    : 'may contain only letters, digits, "_" and "-", with no "-" at the edge of a label';
}
