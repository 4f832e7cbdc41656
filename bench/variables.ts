/** So many new variables, each with a value that is plainly no secret and as long as a usual API key. */
export function makeVariables(count: number): Record<string, string> {
  const names = Array.from({ length: count }, (_, index) => `VARIABLE_${index}`);
  return Object.fromEntries(
    names.map((name) => [name, `not a real value of ${name}`.padEnd(64, '.')]),
  );
}
