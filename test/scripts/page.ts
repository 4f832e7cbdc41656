import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../scripts/player/play.ts';

/** The words of a line as a shell takes them, as far as quotes go. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));

/** What each command `npm run <script> -- …` of docs/trying-it.md hands to the script. */
export async function commandsOf(script: string): Promise<string[][]> {
  const page = await readFile(join(root, 'docs/trying-it.md'), 'utf8');
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
  const lines = blocks.flatMap((block) => block.trim().split('\n'));
  const start = `npm run ${script} -- `;
  return lines
    .filter((line) => line.startsWith(start))
    .map((line) => wordsOf(line.slice(start.length)));
}
