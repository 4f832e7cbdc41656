import { joinSafe, type SafeText, safe } from './safe.ts';

/** The most names that a sentence lists. */
const most = 20;

/** The first names as a part of a sentence, and how many more there are: a service may list a million. */
export function listNames<Name>(names: readonly Name[], show: (name: Name) => SafeText): SafeText {
  const named = joinSafe(
    names.slice(0, most).map((name) => show(name)),
    ', ',
  );
  return names.length > most ? safe`${named} and ${names.length - most} more` : named;
}
