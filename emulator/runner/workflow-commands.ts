/** A workflow command as it was written to stdout or stderr. Names of commands and properties are lower case. */
export type WorkflowCommand = {
  name: string;
  properties: ReadonlyMap<string, string>;
  data: string;
};

type Syntax = {
  separator: string;
  unescapeProperty: (text: string) => string;
  unescapeData: (text: string) => string;
};

/** Undoes percent-escapes one after the other, `%25` last, so that `%250A` becomes `%0A`. */
const unescaper = (tokens: string) => (text: string) => {
  let unescaped = text;
  for (const token of [...tokens, '%']) {
    const code = token.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0');
    unescaped = unescaped.replaceAll(`%${code}`, token);
  }
  return unescaped;
};

const current: Syntax = {
  separator: ',',
  unescapeProperty: unescaper('\r\n:,'),
  unescapeData: unescaper('\r\n'),
};
const old: Syntax = {
  separator: ';',
  unescapeProperty: unescaper(';\r\n]'),
  unescapeData: unescaper(';\r\n]'),
};

/**
 * Reads the command in a line of output: `::name key=value,…::data` at the line's start after white space, or
 * the old `##[name key=value;…]data` anywhere in the line.
 * @param isCommand tells whether a name (lower case) is a command; other names are plain output.
 */
export function parseCommand(
  line: string,
  isCommand: (name: string) => boolean,
): WorkflowCommand | undefined {
  const [, info, data] = /^\s*::(.*?)::(.*)$/s.exec(line) ?? [];
  const [, oldInfo, oldData] = /##\[([^\]]*)\](.*)$/s.exec(line) ?? [];
  return (
    command(current, isCommand, info ?? '', data ?? '') ??
    command(old, isCommand, oldInfo ?? '', oldData ?? '')
  );
}

function command(
  syntax: Syntax,
  isCommand: (name: string) => boolean,
  info: string,
  data: string,
): WorkflowCommand | undefined {
  const space = info.indexOf(' ');
  const name = (space < 0 ? info : info.slice(0, space)).toLowerCase();
  if (!isCommand(name)) return undefined;
  const properties = new Map<string, string>();
  for (const property of space > 0 ? info.slice(space).trim().split(syntax.separator) : []) {
    const [, key, value] = /^=*([^=]+)=+([^=].*)$/s.exec(property) ?? [];
    if (key !== undefined && value !== undefined) {
      properties.set(key.toLowerCase(), syntax.unescapeProperty(value));
    }
  }
  return { name, properties, data: syntax.unescapeData(data) };
}
