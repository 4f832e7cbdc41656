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

/** So many new variables, each with a value of 30 lines, 1,319 characters: as long as a small private key. */
export function makeLongVariables(count: number): NamedValue[] {
  return makeVariables(count).map(({ name }) => {
    const lines = Array.from({ length: 30 }, (_, line) =>
      `not real: ${line} of ${name}`.padEnd(43, '.'),
    );
    return { name, value: lines.join('\n') };
  });
}
