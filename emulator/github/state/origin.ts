/** What everything on GitHub is made with: addresses, ids and times, and whom the token stands for. */
export class Origin {
  /** The base URL of the API, without a slash at its end. */
  readonly api: string;
  /** The login that the token stands for. */
  readonly login: string;
  #lastId = 1000;

  constructor(api: string, login: string) {
    this.api = api;
    this.login = login;
  }

  /** An id that nothing has yet. Later ones are larger. */
  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** The time as GitHub writes it: ISO 8601, in seconds. */
  now(): string {
    return new Date().toISOString().replace(/\.\d+/, '');
  }
}

/** The list of a key; if there is none, a new one is put there. */
export function listAt<Item>(lists: Map<string, Item[]>, key: string): Item[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
