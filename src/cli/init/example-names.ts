import { clean } from '../../kernel/text/safe.ts';
import { readFileBelow } from '../../machine.ts';
import { parseDotenv, resemblesVariable } from '../../variables/model/source.ts';
import { UsageError } from '../arguments.ts';
import { whyRefused } from '../secret-names.ts';

/** The names of a dotenv file of examples. The first one that is there counts. */
const usual = ['.env.example', '.env.sample', '.env.template', '.env.dist'];

/** The names of variables in a dotenv file of examples. */
export interface ExampleNames {
  names: readonly string[];
  /** What was left out, and why. */
  leftOut: readonly string[];
}

/**
 * Reads the names of the site's variables. Of the values, nothing is kept.
 *
 * @param root the folder of the repository
 * @param given the file to read in it; undefined: the first one with a usual name
 * @throws UsageError if a file can't be read
 */
export async function readExampleNames(
  root: string,
  given: string | undefined,
): Promise<ExampleNames> {
  for (const file of given === undefined ? usual : [given]) {
    const found = await readFileBelow(root, file);
    if ('text' in found) {
      const { names, leftOut } = namesIn(found.text);
      return { names, leftOut: leftOut.map((one) => `${clean(file, 100)}: ${one}`) };
    }
    if (given !== undefined || found.isMissing === undefined) {
      throw new UsageError(`--env-example: ${clean(file, 100)} ${found.problem}`);
    }
  }
  return { names: [], leftOut: [] };
}

/** The names in a dotenv text. One that may be a piece of a value is not shown. */
export function namesIn(text: string): ExampleNames {
  const { entries, problems } = parseDotenv(text);
  const names = new Set<string>();
  const leftOut = new Set<string>();
  for (const { name = '', line } of [...entries, ...problems].sort((a, b) => a.line - b.line)) {
    const why = whyRefused(name);
    if (!resemblesVariable(name)) {
      leftOut.add(`line ${line}: no name in capitals, and not shown because it may be a value`);
    } else if (why === undefined) names.add(name);
    else leftOut.add(`${name} is left out: ${why}`);
  }
  return { names: [...names], leftOut: [...leftOut] };
}
