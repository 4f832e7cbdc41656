import { cut } from '../../kernel/text/cut.ts';

/** The most characters of a value that are looked at. */
const longest = 320;

/**
 * The value at a path of own keys and indices, such as `build.commit` or `items.0.name`; a key that holds a dot itself
 * is found, too.
 *
 * @returns undefined if nothing is there
 */
export function valueAt(value: unknown, path: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, path)) return Reflect.get(value, path);
  const dot = path.indexOf('.');
  if (dot < 0) return undefined;
  const key = path.slice(0, dot);
  return Object.hasOwn(value, key)
    ? valueAt(Reflect.get(value, key), path.slice(dot + 1))
    : undefined;
}

/** A value of JSON as text, not more of it than anybody reads: a string as it is, anything else as JSON has it. */
export const showValue = (value: unknown): string =>
  typeof value === 'string' ? value : cut(JSON.stringify(value) ?? '', longest);
