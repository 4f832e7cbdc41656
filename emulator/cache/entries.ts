/** One thing in the cache. Times do not matter: what was made later is newer. */
export interface CacheEntry {
  readonly id: number;
  /** The branch that it belongs to: `refs/heads/main`. */
  readonly scope: string;
  readonly key: string;
  /** What a client names the form of its entries by. */
  readonly version: string;
  /** What was uploaded; may be changed, to hand out something else. Undefined until there is anything. */
  content: Buffer | undefined;
  /** Whether its upload was declared complete: no other entry is ever found. */
  complete: boolean;
}

/** Which entry is meant: those of other scopes and versions are not there for it. */
export type EntryName = Pick<CacheEntry, 'scope' | 'key' | 'version'>;

/** What is looked for: in each scope in turn, each key in turn, whole and then as a beginning. */
export interface Search {
  scopes: readonly string[];
  keys: readonly string[];
  version: string;
}

/** The entries of a cache, oldest first. A key never gets a second content. */
export class CacheEntries {
  readonly all: CacheEntry[] = [];

  /** Makes an entry that waits for its upload; undefined if its name is taken. */
  reserve(name: EntryName): CacheEntry | undefined {
    if (this.named(name) !== undefined) return undefined;
    const entry = { ...name, id: this.all.length + 1, content: undefined, complete: false };
    this.all.push(entry);
    return entry;
  }

  /** The entry of exactly this name, complete or not. */
  named({ scope, key, version }: EntryName): CacheEntry | undefined {
    return this.all.find(
      (entry) => entry.scope === scope && entry.key === key && entry.version === version,
    );
  }

  /** The newest complete entry of the first scope and the first key that have one. */
  find({ scopes, keys, version }: Search): CacheEntry | undefined {
    for (const scope of scopes) {
      const visible = this.all.filter(
        (entry) => entry.complete && entry.scope === scope && entry.version === version,
      );
      for (const key of keys) {
        const whole = visible.find((entry) => entry.key === key);
        const found = whole ?? visible.findLast((entry) => entry.key.startsWith(key));
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }
}
