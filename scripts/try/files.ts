import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { renderPage, type Shown } from '../page/page.ts';

/** Files that a run left, each with what it is called. */
export type Written = readonly (readonly [string, string])[];

const issueText = ({ title, state, body }: Shown['issues'][number]): string =>
  `# ${title} (${state})\n\n${body}`;

/**
 * Writes what a run left behind: comment, issue and summary as Markdown, the log, and all of it as a page. Files that an
 * earlier run left, and this one did not, are removed.
 */
export async function writeFiles(folder: string, shown: Shown): Promise<Written> {
  const write = async (name: string, content: string): Promise<string> => {
    const file = join(folder, name);
    if (content === '') await rm(file, { force: true });
    else await writeFile(file, content);
    return content === '' ? '(none)' : file;
  };
  return [
    ['comment', await write('comment.md', shown.comments.join('\n\n---\n\n'))],
    ['issue', await write('issue.md', shown.issues.map(issueText).join('\n\n---\n\n'))],
    ['summary', await write('summary.md', shown.summary)],
    ['log', await write('log.txt', shown.log.map((line) => `${line}\n`).join(''))],
    ['page', pathToFileURL(await write('index.html', renderPage(shown))).href],
  ];
}
