// What docs/troubleshooting.md says of each code: the page is the source of the type `Code`.

/** What the page says of an error or a warning. */
export interface Entry {
  code: string;
  /** What happened, in a few words. */
  title: string;
  /** The causes that the message leaves out, and what to do. */
  text: string;
}

const entryPattern = /^### (?<code>SD\d{4})\n\n\*\*(?<title>[^\n]+?)\.\*\* (?<text>[^\n]+)\n$/;

function entryOf(source: string): Entry {
  const found = entryPattern.exec(`${source.trimEnd()}\n`)?.groups;
  if (found === undefined) {
    const [heading] = source.split('\n', 1);
    throw new Error(
      `docs/troubleshooting.md: ${heading} must have one paragraph: its title in bold, and what to do`,
    );
  }
  const { code = '', title = '', text = '' } = found;
  return { code, title, text };
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
