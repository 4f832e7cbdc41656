/** A JSON value of the service with its texts made printable, keys as they are. */
export function cleanTexts<Value extends object>(
  json: Value,
  sanitize: (text: string) => string,
): Record<string, unknown> {
  return JSON.parse(JSON.stringify(json), (_, value: unknown) =>
    typeof value === 'string' ? sanitize(value) : value,
  );
}
