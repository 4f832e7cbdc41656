import { defuseJson, defuseOutputs } from '../kernel/text/safe.ts';

/** The most values that GitLab reads from a dotenv report by default. */
const most = 20;

/** A value that every reader of such files takes as it is: one line without quotes, spaces and escapes. */
const isPlain = (value: string): boolean => /^[\w.,:;/@%+=~?&-]+$/.test(value);

/** The name of an output in the environment of later jobs: never that of an input. */
const nameOf = (output: string): string => `SITE_OUT_${output.replaceAll('-', '_').toUpperCase()}`;

/** The outputs as lines `SITE_OUT_NAME=value`, as GitLab reads them: the first that have a plain value. */
export function dotenv(outputs: Readonly<Record<string, string>>): string {
  return Object.entries(defuseOutputs(outputs))
    .filter(([, value]) => isPlain(value))
    .slice(0, most)
    .map(([name, value]) => `${nameOf(name)}=${value}\n`)
    .join('');
}

/** All outputs, as they are, as one line of JSON without a command of an agent. */
export const json = (outputs: Readonly<Record<string, string>>): string =>
  `${defuseJson(JSON.stringify(outputs))}\n`;
