import { type Alias, isAlias, isMap, isNode, isScalar, isSeq, type Pair } from 'yaml';
import type { Mistake, Position } from './position.ts';

/** Where a mapping's key stands, and where its value does. For an item of a list, both are the same. */
export interface EntryPosition {
  key: Position;
  value: Position;
}

/** How many nodes aliases may stand for in all, so that a small file cannot mean a huge one. */
const maxAliasedNodes = 10_000;

/**
 * Turns parsed nodes into plain values, and keeps the position of each. A mapping has no prototype, so that
 * `__proto__` and `constructor` are names like others. An alias gives the very object that its anchor gave.
 *
 * Written here because the library's own conversion forgets positions, and ends at the first mistake.
 */
export class PlainReader {
  /** What is wrong with keys and aliases, in no order. */
  readonly mistakes: Mistake[] = [];
  readonly #positionAt: (offset: number) => Position;
  readonly #positions = new WeakMap<object, ReadonlyMap<PropertyKey, EntryPosition>>();
  readonly #anchors = new Map<string, { value: unknown; size: number }>();
  /** How many nodes were read, those that aliases stand for included. */
  #size = 0;
  #aliased = 0;

  /** @param positionAt gives the position of an offset in the text */
  constructor(positionAt: (offset: number) => Position) {
    this.#positionAt = positionAt;
  }

  /** Where a key or an item of a mapping or list that this reader gave stands. */
  entryPositionOf(container: unknown, key: PropertyKey): EntryPosition | undefined {
    const isContainer = typeof container === 'object' && container !== null;
    return isContainer ? this.#positions.get(container)?.get(key) : undefined;
  }

  /**
   * The value of a node; of what is wrong (see {@link PlainReader.mistakes}), undefined.
   *
   * @param node a node, or null where nothing stands
   * @param outside the position of what holds it
   */
  read(node: unknown, outside: Position): unknown {
    const place = this.#positionOf(node) ?? outside;
    if (isAlias(node)) return this.#fromAlias(node, place);
    const before = this.#size;
    this.#size += 1;
    const value = this.#fromContent(node, place);
    const anchor = isNode(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.#anchors.set(anchor, { value, size: this.#size - before });
    return value;
  }

  #fromContent(node: unknown, place: Position): unknown {
    if (isMap(node)) return this.#fromPairs(node.items, place);
    if (isSeq(node)) return this.#fromItems(node.items, place);
    return isScalar(node) ? node.value : null;
  }

  #fromAlias({ source }: Alias, place: Position): unknown {
    const anchored = this.#anchors.get(source);
    if (anchored === undefined) {
      const message =
        'a text that starts with * must stand in quotes; an alias needs an anchor (&)';
      this.mistakes.push({ ...place, code: 'SD2008', message: `${message} of its name before it` });
      return undefined;
    }
    this.#size += anchored.size;
    this.#aliased += anchored.size;
    if (this.#aliased <= maxAliasedNodes) return anchored.value;
    this.mistakes.push({
      ...place,
      code: 'SD2008',
      message: 'aliases (*) stand for too much: write it out',
    });
    return undefined;
  }

  #fromItems(items: readonly unknown[], outside: Position): unknown {
    const places = items.map((item) => this.#positionOf(item) ?? outside);
    const list = items.map((item) => this.read(item, outside));
    this.#positions.set(
      list,
      new Map(places.map((place, index) => [index, { key: place, value: place }])),
    );
    return list;
  }

  #fromPairs(pairs: readonly Pair[], outside: Position): unknown {
    const mapping: Record<string, unknown> = Object.create(null);
    const positions = new Map<string, EntryPosition>();
    for (const { key, value } of pairs) {
      const name = isScalar(key) ? String(key.value) : '';
      const place = this.#positionOf(key) ?? outside;
      const content = this.read(value, place);
      const message = this.#objection(name, positions.get(name));
      if (message !== undefined) {
        this.mistakes.push({ ...place, code: 'SD2008', message });
      } else {
        mapping[name] = content;
        positions.set(name, { key: place, value: this.#positionOf(value) ?? place });
      }
    }
    this.#positions.set(mapping, positions);
    return mapping;
  }

  #objection(name: string, earlier: EntryPosition | undefined): string | undefined {
    if (name === '<<') return 'merge keys (<<) are not read: write out what it would bring';
    if (earlier === undefined) return undefined;
    return `this key stands in line ${earlier.key.line} already: keep one of them`;
  }

  #positionOf(node: unknown): Position | undefined {
    return isNode(node) && node.range ? this.#positionAt(node.range[0]) : undefined;
  }
}
