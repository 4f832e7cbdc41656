import { clean } from '../../kernel/text/safe.ts';
import { readFileBelow } from '../../machine.ts';
import { parseDotenv, resemblesVariable } from '../../variables/model/source.ts';
import { UsageError } from '../arguments.ts';
import { whyRefused } from '../secret-names.ts';

/** The names of a dotenv file of examples. The first one that is there counts. */
const usual = ['.env.example', '.env.sample', '.env.template', '.env.dist'];

/**
 * Reads the names of the site's variables. Of the values, nothing is kept.
 *
 * @param root the folder of the repository
 * @param given the file to read in it; undefined: the first one with a usual name
 * @throws UsageError if a file can't be read
 */
export async function readExampleNames(root: string, given: string | undefined) {
  for (const file of given === undefined ? usual : [given]) {
    const found = await readFileBelow(root, file);
    if ('text' in found) return namesIn(found.text);
    if (given !== undefined || found.isMissing === undefined) {
      throw new UsageError(`--env-example: ${clean(file, 100)} ${found.problem}`);
    }
  }
  return namesIn('');
}

/** The names in a dotenv text, and what is left out: by its line if it may be a piece of a value. */
export function namesIn(text: string): { names: string[]; leftOut: string[] } {
  const { entries, problems } = parseDotenv(text);
  const names = new Set<string>();
  const leftOut: string[] = [];
  for (const { name = '', line } of [...entries, ...problems].sort((a, b) => a.line - b.line)) {
    if (!resemblesVariable(name)) leftOut.push(`line ${line}`);
    else if (whyRefused(name) === undefined) names.add(name);
    else leftOut.push(name);
  }
  return { names: [...names], leftOut };
}
