// What docs/troubleshooting.md says of each code: the page is the source of the type `Code`.

/** What the page says of an error or a warning. */
export interface Entry {
  code: string;
  /** What happened, in a few words. */
  title: string;
  /** What the message does not say of it; may be empty. */
  meaning: string;
  /** What to do. */
  remedy: string;
  /** A message of a real run, with its code. */
  example: string;
}

const entryPattern =
  /^### (?<code>SD\d{4})\n\n\*\*(?<title>[^\n]+)\.\*\*(?: (?<meaning>[^\n]+))?\n\n\*\*What to do:\*\* (?<remedy>[^\n]+)\n\n```text\n(?<example>[^\n]+)\n```\n$/;

function entryOf(text: string): Entry {
  const found = entryPattern.exec(`${text.trimEnd()}\n`)?.groups;
  if (found === undefined) {
    const [heading] = text.split('\n', 1);
    throw new Error(
      `docs/troubleshooting.md: ${heading} must have a paragraph that begins with its title in bold, one that begins with **What to do:**, and an example`,
    );
  }
  const { code = '', title = '', meaning = '', remedy = '', example = '' } = found;
  return { code, title, meaning, remedy, example };
}

/**
 * The entries of the page.
 *
 * @throws if an entry is not of the form that all have
 */
export function readEntries(page: string): Entry[] {
  const parts = page.split(/^(?=##)/m);
  return parts.filter((part) => part.startsWith('### ')).map(entryOf);
}

/** The source of the type `Code`. */
export function renderCodes(page: string): string {
  const codes = readEntries(page).map(({ code }) => code);
  return [
    '// Generated from docs/troubleshooting.md by npm run generate. Do not edit.',
    '',
    '/** The code of an error or a warning. It is never given to another one, and is not used again. */',
    'export type Code =',
    `${codes.map((code) => `  | '${code}'`).join('\n')};`,
    '',
  ].join('\n');
}
