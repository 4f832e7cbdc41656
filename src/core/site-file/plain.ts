import { type Alias, isAlias, isMap, isNode, isScalar, isSeq, type Pair } from 'yaml';
import type { Mistake, Place } from './place.ts';

/** Where a mapping's key stands, and where its value does. For an item of a list, both are the same. */
export interface Spot {
  key: Place;
  value: Place;
}

/** How many nodes aliases may stand for in all, so that a small file cannot mean a huge one. */
const maxAliasedNodes = 10_000;

/**
 * Turns parsed nodes into plain values, and keeps the place of each. A mapping has no prototype, so that
 * `__proto__` and `constructor` are names like others. An alias gives the very object that its anchor gave.
 *
 * Written here because the library's own conversion forgets places, and ends at the first mistake.
 */
export class PlainReader {
  /** What is wrong with keys and aliases, in no order. */
  readonly mistakes: Mistake[] = [];
  readonly #placeAt: (offset: number) => Place;
  readonly #spots = new WeakMap<object, ReadonlyMap<PropertyKey, Spot>>();
  readonly #anchors = new Map<string, { value: unknown; size: number }>();
  /** How many nodes were read, those that aliases stand for included. */
  #size = 0;
  #aliased = 0;

  /** @param placeAt gives the place of an offset in the text */
  constructor(placeAt: (offset: number) => Place) {
    this.#placeAt = placeAt;
  }

  /** Where a key or an item of a mapping or list that this reader gave stands. */
  spotOf(container: unknown, key: PropertyKey): Spot | undefined {
    const isContainer = typeof container === 'object' && container !== null;
    return isContainer ? this.#spots.get(container)?.get(key) : undefined;
  }

  /**
   * The value of a node; of what is wrong (see {@link PlainReader.mistakes}), undefined.
   *
   * @param node a node, or null where nothing stands
   * @param outside the place of what holds it
   */
  read(node: unknown, outside: Place): unknown {
    const place = this.#placeOf(node) ?? outside;
    if (isAlias(node)) return this.#fromAlias(node, place);
    const before = this.#size;
    this.#size += 1;
    const value = this.#fromContent(node, place);
    const anchor = isNode(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, { value, size: this.#size - before });
    return value;
  }

  #fromContent(node: unknown, place: Place): unknown {
    if (isMap(node)) return this.#fromPairs(node.items, place);
    if (isSeq(node)) return this.#fromItems(node.items, place);
    return isScalar(node) ? node.value : null;
  }

  #fromAlias({ source }: Alias, place: Place): unknown {
    const anchored = this.#anchors.get(source);
    if (anchored === undefined) {
      const message =
        'a text that starts with * must stand in quotes; an alias needs an anchor (&)';
      this.mistakes.push({ ...place, message: `${message} of its name before it` });
      return undefined;
    }
    this.#size += anchored.size;
    this.#aliased += anchored.size;
    if (this.#aliased <= maxAliasedNodes) return anchored.value;
    this.mistakes.push({ ...place, message: 'aliases (*) stand for too much: write it out' });
    return undefined;
  }

  #fromItems(items: readonly unknown[], outside: Place): unknown {
    const places = items.map((item) => this.#placeOf(item) ?? outside);
    const list = items.map((item) => this.read(item, outside));
    this.#spots.set(
      list,
      new Map(places.map((place, index) => [index, { key: place, value: place }])),
    );
    return list;
  }

  #fromPairs(pairs: readonly Pair[], outside: Place): unknown {
    const mapping: Record<string, unknown> = Object.create(null);
    const spots = new Map<string, Spot>();
    for (const { key, value } of pairs) {
      const name = isScalar(key) ? String(key.value) : '';
      const place = this.#placeOf(key) ?? outside;
      const content = this.read(value, place);
      const message = this.#objection(name, spots.get(name));
      if (message !== undefined) {
        this.mistakes.push({ ...place, message });
      } else {
        mapping[name] = content;
        spots.set(name, { key: place, value: this.#placeOf(value) ?? place });
      }
    }
    this.#spots.set(mapping, spots);
    return mapping;
  }

  #objection(name: string, earlier: Spot | undefined): string | undefined {
    if (name === '<<') return 'merge keys (<<) are not read: write out what it would bring';
    if (earlier === undefined) return undefined;
    return `this key stands in line ${earlier.key.line} already: keep one of them`;
  }

  #placeOf(node: unknown): Place | undefined {
    return isNode(node) && node.range ? this.#placeAt(node.range[0]) : undefined;
  }
}
