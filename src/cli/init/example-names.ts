import { clean } from '../../kernel/text/safe.ts';
import { readFileBelow } from '../../machine.ts';
import { isReserved, parseDotenv, resemblesVariable } from '../../variables/model/source.ts';
import { UsageError } from '../arguments.ts';
import { previewSecret } from './starter.ts';

/** The names of a dotenv file of examples. The first one that is there counts. */
const usual = ['.env.example', '.env.sample', '.env.template', '.env.dist'];

/** The names of variables in a dotenv file of examples. */
export interface ExampleNames {
  /** The file; undefined if there is none. */
  file?: string;
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
    if ('text' in found) return { file, ...namesIn(found.text) };
    if (given !== undefined || found.isMissing === undefined) {
      throw new UsageError(`--env-example: ${clean(file, 100)} ${found.problem}`);
    }
  }
  return { names: [], leftOut: [] };
}

/** Names that programs of the runner, Node or git read, and those of this command. */
const ofPrograms =
  /^(?:SITE|NODE(?!_ENV$)|NPM|GIT|LD|DYLD|OPENSSL|SSL)_|^(?:CI|HOME|PATH|SHELL|USER|TMPDIR)$|_PROXY$/;

/** The names in a dotenv text. One that may be a piece of a value is not shown. */
export function namesIn(text: string): Pick<ExampleNames, 'names' | 'leftOut'> {
  const { entries, problems } = parseDotenv(text);
  const found = [...entries, ...problems].toSorted((one, other) => one.line - other.line);
  const unclear = found.filter(({ name = '' }) => !resemblesVariable(name));
  const all = [...new Set(found.map(({ name = '' }) => name).filter(resemblesVariable))];
  const whyLeftOut = (name: string): string | undefined => {
    if (isReserved(name) || ofPrograms.test(name)) {
      return 'the runner, Node, git or this command reads it';
    }
    const other = all.find((one) => previewSecret(one) === name);
    return other && `${other} of previews has the secret of this name`;
  };
  const leftOut = all.flatMap((name) => {
    const why = whyLeftOut(name);
    return why === undefined ? [] : [`${name} is left out: ${why}`];
  });
  if (unclear.length > 0) {
    const lines = [...new Set(unclear.map(({ line }) => line))].join(', ');
    leftOut.push(
      `line ${lines}: no name in capitals, and not shown because it may be a value. To add one: site-deploy add-variable NAME`,
    );
  }
  return { names: all.filter((name) => whyLeftOut(name) === undefined), leftOut };
}
