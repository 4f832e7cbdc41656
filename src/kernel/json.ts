import { isExcessive } from '../contract/json-value.ts';

/** A JSON object of unknown shape. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value as an object; undefined for anything else, such as an array or null. */
export function asObject(value: unknown): JsonObject | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonObject) : undefined;
}

/** The first of the named fields that is a non-blank string. */
export function firstString(
  object: JsonObject | undefined,
  names: readonly string[],
): string | undefined {
  for (const name of names) {
    const value = object?.[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

/** The parsed text; undefined if it is not JSON, or excessive (see `isExcessive`). */
export function parseJson(text: string): unknown {
  if (isExcessive(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A JSON value with other texts and the same keys. */
export function mapTexts<Value>(json: Value, map: (text: string) => string): Value {
  return JSON.parse(JSON.stringify(json), (_, value: unknown) =>
    typeof value === 'string' ? map(value) : value,
  );
}
