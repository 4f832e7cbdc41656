// What docs/troubleshooting.md says of each code: the page is the source of the type `Code`.

/** What the page says of an error or a warning. */
export interface Entry {
  code: string;
  /** What happened, in a few words. */
  title: string;
  meaning: string;
  /** What to do. */
  remedy: string;
  /** A message of a real run, with its code. */
  example: string;
}

/** One section of the page. */
export interface Section {
  text: string;
  entries: readonly Entry[];
}

const entryPattern =
  /^### (?<code>SD\d{4})\n\n\*\*(?<title>[^\n]+)\.\*\* (?<meaning>[^\n]+)\n\n\*\*What to do:\*\* (?<remedy>[^\n]+)\n\n```text\n(?<example>[^\n]+)\n```\n$/;

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
 * Reads the page.
 *
 * @throws if an entry is not of the form that all have
 */
export function readSections(page: string): Section[] {
  const [, ...sections] = page.split(/^(?=## )/m);
  return sections.map((text) => ({
    text,
    entries: text
      .split(/^(?=### )/m)
      .slice(1)
      .map(entryOf),
  }));
}

/** The page with the list of each section made anew from its entries. */
export function withLists(page: string): string {
  const [head = ''] = page.split(/^## /m, 1);
  const sections = readSections(page).map(({ text, entries }) => {
    const list = entries.map(({ code, title }) => `- [${code}](#${code.toLowerCase()}) ${title}\n`);
    return text.replace(/(?:^- \[SD\d{4}\].*\n)*(?=\n### )/m, list.join(''));
  });
  return head + sections.join('');
}

/** The source of the type `Code`. */
export function renderCodes(page: string): string {
  const codes = readSections(page).flatMap(({ entries }) => entries.map(({ code }) => code));
  return [
    '// Generated from docs/troubleshooting.md by npm run generate. Do not edit.',
    '',
    '/** The code of an error or a warning. It is never given to another one, and is not used again. */',
    'export type Code =',
    `${codes.map((code) => `  | '${code}'`).join('\n')};`,
    '',
  ].join('\n');
}
