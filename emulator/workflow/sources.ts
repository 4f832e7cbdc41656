import { lstat, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { isWithin } from '../runner/within.ts';

/** A variable of the site, and the variable of the step's environment that has its value. */
export type Source = { name: string; source: string };

/** What names of variables begin with that the runner sets, or that the programs and libraries of a step read. */
const families =
  'ACTIONS_ ASAN_ BASH BOX64_ BOX86_ CARES_ CTLOG_ CURL_ DYLD_ FAKECHROOT GCONV_ GITHUB_ GIT_ GLIBC_ GNUTLS_ ICU_ INPUT_ KRB5 LC_ LD_ MALLOC NIX_ NODE_(?!ENV$) NPM_ OPENSSL_ OSSL_ PERL PYTHON QEMU_ QLOG RES_ RESOLV_ RUBY RUNNER_ SIMDUTF_ SSH_ SSL STATE_ UV_ V8_ WINE XDG_ ZDOTDIR __';

/** Whole names of such variables. */
const names =
  'ALLUSERSPROFILE APPDATA CDPATH CI COLUMNS COMSPEC DEVELOPER_DIR EDITOR EMAIL ENV FPATH HOME HOMEDRIVE HOMEPATH HOSTALIASES IFS LANG LANGUAGE LIBPATH LINES LOCALAPPDATA LOCALDOMAIN LOCPATH LOGNAME NETRC NLSPATH OLDPWD PAGER PATH PATHEXT POSIXLY_CORRECT PROGRAMDATA PROGRAMFILES PROMPT_COMMAND PS[0-4] PWD RANDFILE SHELL SHELLOPTS SHLVL SYSTEMDRIVE SYSTEMROOT TEMP TERM TERMINFO TMP TMPDIR TZ TZDIR USER USERNAME USERPROFILE VISUAL WATCH_REPORT_DEPENDENCIES WINDIR';

const either = (words: string) => words.replaceAll(' ', '|');

/** Windows doesn't tell upper case from lower case. */
const reserved = new RegExp(`^(?:(?:${either(families)}).*|${either(names)}|.*_PROXY)$`, 'i');

/** Whether a variable of this name may come from a file: it is one name, and no program of a step reads it. */
export const isFree = (name: string): boolean =>
  /^[A-Za-z_][\w.-]*$/.test(name) && !reserved.test(name);

const asMapping = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** The variables that a site file takes from the step; none if it is no such file, which the action itself says best. */
function inSiteFile(siteFile: string): Source[] {
  try {
    return Object.entries(asMapping(asMapping(parse(siteFile))['environment'])).flatMap(
      ([name, given]) => {
        const { value, from = name } = asMapping(given);
        return value === undefined ? [{ name, source: String(from) }] : [];
      },
    );
  } catch {
    return [];
  }
}

/** The variables that the input `env-from` and a site file take from the step's environment. */
export function sourcesOf(inputs: Readonly<Record<string, string>>, siteFile: string): Source[] {
  const lines = (inputs['env-from'] ?? '').split(/[\r\n]+/).filter((line) => !/^\s*#/.test(line));
  const items = lines.flatMap((line) => line.split(',')).filter((item) => item.trim() !== '');
  const fromInput = items.map((item) => {
    const [name = '', source = name] = item.split('=', 2).map((part) => part.trim());
    return { name, source };
  });
  return [...fromInput, ...inSiteFile(siteFile)];
}

/** The text of the site file that a step names; empty if there is none in its workspace. */
export async function readSiteFile(workspace: string, config: string): Promise<string> {
  const file = resolve(workspace, config);
  if (!isWithin(workspace, file)) return '';
  const isFile = await lstat(file).then(
    (found) => found.isFile(),
    () => false,
  );
  return isFile ? await readFile(file, 'utf8') : '';
}
