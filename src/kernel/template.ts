/**
 * Replaces `{name}` placeholders. Unknown ones are kept.
 *
 * @param values the text for each name, inserted as it is
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{([a-zA-Z-]+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}
