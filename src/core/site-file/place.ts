/** A place in the site file. Both count from 1; a column is one UTF-16 unit, as editors count. */
export interface Place {
  line: number;
  column: number;
}

/** Something wrong with the site file. Never holds a value that stands in it. */
export interface Mistake extends Place {
  /** What is wrong there and what to do. */
  message: string;
}

/** The way to a key or item of the site file, such as `['registered-domains', 'example.com', 'dns', 0]`. */
export type Path = readonly PropertyKey[];

/** A mistake as one line for people: `line 3, column 5: …`. */
export function showMistake({ line, column, message }: Mistake): string {
  return `line ${line}, column ${column}: ${message}`;
}

/**
 * All mistakes, sorted by place. Each stands once, although what an anchor holds is read wherever an alias
 * names it; and what is no good as YAML is not judged a second time.
 *
 * @param asYaml what is wrong with the file as YAML
 * @param asSiteFile what is wrong with what it says
 */
export function inOrder(asYaml: readonly Mistake[], asSiteFile: readonly Mistake[]): Mistake[] {
  const at = ({ line, column }: Place) => `${line}:${column}`;
  const judged = new Set(asYaml.map(at));
  const all = [...asYaml, ...asSiteFile.filter((mistake) => !judged.has(at(mistake)))];
  const once = new Map(all.map((mistake) => [showMistake(mistake), mistake]));
  return [...once.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}
