/**
 * Fills `{name}` placeholders in. One that is not given stays as it is.
 *
 * @param values what stands for each name; inserted as it is
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{([a-zA-Z-]+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}
