import { domainToASCII } from 'node:url';
import type { RegisteredDialect } from '../../registered-dialect.ts';

/**
 * The whole name that a record's name stands for, in lower case, in ASCII and without a dot at its end. `@` is the
 * domain itself; a name that ends with the domain or with a dot is whole; any other is below the domain.
 * @param domain the registered domain
 */
export function wholeName(name: string, domain: string): string {
  const apex = domain.toLowerCase();
  const given = (/\P{ASCII}/u.test(name) ? domainToASCII(name) : name).toLowerCase();
  if (given === '@') return apex;
  if (given.endsWith('.')) return given.slice(0, -1);
  return isWithin(given, apex) ? given : `${given}.${apex}`;
}

/** What is wrong with a record's name, or null. */
export function nameProblem(name: string, domain: string): string | null {
  const whole = wholeName(name, domain);
  if (!isWithin(whole, domain.toLowerCase())) return `the name ${name} is not within ${domain}`;
  const fits = whole.length <= 253 && whole.split('.').every((label) => /^.{1,63}$/.test(label));
  return fits ? null : `the name ${name} is malformed or too long`;
}

/** A record's name as the dialect writes it in an answer. */
export function spellName(
  name: string,
  domain: string,
  { recordNames }: Pick<RegisteredDialect, 'recordNames'>,
): string {
  if (recordNames === 'as-given') return name;
  if (recordNames === 'lower-case') return name.toLowerCase();
  const whole = wholeName(name, domain);
  if (recordNames === 'full') return whole;
  if (recordNames === 'full-with-dot') return `${whole}.`;
  return whole === domain.toLowerCase() ? '@' : whole.slice(0, -domain.length - 1);
}

function isWithin(name: string, apex: string): boolean {
  return name === apex || name.endsWith(`.${apex}`);
}
