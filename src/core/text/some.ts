/** The most names that a sentence lists. */
const most = 20;

/** The first of some names as a part of a sentence, and how many more there are: a service may list a million. */
export function nameSome(names: readonly string[], clean: (text: string) => string): string {
  const named = names
    .slice(0, most)
    .map((name) => clean(name))
    .join(', ');
  return names.length > most ? `${named} and ${names.length - most} more` : named;
}
