/** A variable's name and its value, which is plainly no secret. */
export interface NamedValue {
  name: string;
  value: string;
}

/** So many new variables, each with a value as long as a usual API key. */
export function makeVariables(count: number): NamedValue[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `VARIABLE_${index}`;
    return { name, value: `not a real value of ${name}`.padEnd(64, '.') };
  });
}
