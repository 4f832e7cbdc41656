interface Named {
  id: string;
  name: string;
}

/** Orders by name, and those of one name by id, so that the order is the same whatever it was before. */
export function byNameAndId(a: Named, b: Named): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}
