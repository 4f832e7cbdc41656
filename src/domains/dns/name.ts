import { domainToASCII } from 'node:url';

/** The dots that part labels, in any script. */
const dot = /[.\u3002\uff0e\uff61]/;
const isAscii = /^\p{ASCII}*$/u;
/** What a URL's host would read as something other than a letter of the label. */
const isSpecial = /[\s%/?#\\:@[\]]/;

function asciiLabel(label: string): string {
  if (isAscii.test(label) || isSpecial.test(label)) return label;
  // With a label after it, one that maps to digits is not read as an IPv4 address.
  const ascii = domainToASCII(`${label}.invalid`);
  return ascii === '' ? label : ascii.slice(0, -'.invalid'.length);
}

/** A name with its labels of other scripts in punycode, and nothing else changed. */
export function asciiName(name: string): string {
  return name.split(dot).map(asciiLabel).join('.');
}

/** Some services show the wildcard's `*` as a zone file's escape. */
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

/** True if a target is one label without a dot, which services read either as it is or as relative. */
export function isOneLabel(target: string): boolean {
  return !dot.test(target.trim()) && target.trim() !== '@';
}

/**
 * What the target of a record may mean: lower case, in punycode, without the last dot. `@` is the apex, and
 * `.` stands for no target.
 *
 * @returns one name, or two for one label without a dot: as it is, and relative to the domain
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
 * What is wrong with a full name, as {@link fullName} or {@link targetReadings} give it.
 *
 * @returns undefined if nothing is
 */
export function nameFault(name: string): string | undefined {
  if (name.length > 253) return `has ${name.length} characters; a name has at most 253`;
  const labels = name.split('.');
  const long = labels.find((label) => label.length > 63);
  if (long !== undefined) return `has a label of ${long.length} characters; at most 63 are allowed`;
  if (labels.includes('')) return 'has an empty label: look for a dot too many';
  return labels.every((label) => properLabel.test(label))
    ? undefined
    : 'may hold only letters, digits, "_" and "-", and "-" not at the edge of a label';
}
