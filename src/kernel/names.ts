import { joinSafe, type SafeText, safe, shorten } from './text/safe.ts';

/** Orders by name, then by id, so that the order never depends on the input's. */
export function byNameAndId<Named extends { id: string; name: string }>(a: Named, b: Named) {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

/** The first names as a subject with one of two verbs: `A and 3 more differ`. Each is cut to so many characters. */
export function namesDiffer(
  names: readonly SafeText[],
  { most, longest }: { most: number; longest: number },
  [one, several]: readonly [SafeText, SafeText] = [safe`differs`, safe`differ`],
): SafeText {
  const listed = listNames(names, (name) => shorten(name, longest), most);
  return safe`${listed} ${names.length === 1 ? one : several}`;
}

/** The first names as a part of a sentence, and how many more there are: a service may list a million. */
export function listNames<Name>(
  names: readonly Name[],
  show: (name: Name) => SafeText,
  most = 20,
): SafeText {
  const named = joinSafe(
    names.slice(0, most).map((name) => show(name)),
    ', ',
  );
  return names.length > most ? safe`${named} and ${names.length - most} more` : named;
}
