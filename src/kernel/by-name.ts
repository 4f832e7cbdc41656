interface Named {
  id: string;
  name: string;
}

/** Orders by name, then by id, so that the order never depends on the input's. */
export function byNameAndId(a: Named, b: Named): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}
