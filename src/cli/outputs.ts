import { defuseOutputs } from '../kernel/text/safe.ts';
import { outputTexts, type RunResult } from '../report/outputs.ts';

/** The most values that GitLab reads from a dotenv report by default. */
const most = 20;

/** A value that every reader of such files takes as it is: one line without quotes, spaces and escapes. */
const isPlain = (value: string): boolean => /^[\w.,:;/@%+=~?&-]+$/.test(value);

/** The name of an output in the environment of later jobs: never that of an input. */
const nameOf = (output: string): string => `SITE_OUT_${output.replaceAll('-', '_').toUpperCase()}`;

/** The outputs as lines `SITE_OUT_NAME=value`, as GitLab reads them: the first that have a plain value. */
export function dotenv(result: RunResult): string {
  return Object.entries(defuseOutputs(outputTexts(result)))
    .filter(([, value]) => isPlain(value))
    .slice(0, most)
    .map(([name, value]) => `${nameOf(name)}=${value}\n`)
    .join('');
}
