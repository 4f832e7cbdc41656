import type { VariableKind } from '../../contract/environment.ts';
import type { Problem } from '../problem.ts';
import type { SiteVariable } from '../site-file/site-file.ts';
import { clean } from '../text/clean.ts';
import { parseDotenv } from './dotenv.ts';
import { foreignSource } from './foreign-source.ts';
import { checkGiven, type Given } from './given.ts';
import { lookUp, reservedProblem } from './source.ts';

/** The runtimes that a variable applies to (section "Environment variable"). */
export interface Targets {
  preview: boolean;
  production: boolean;
}

/** A variable as the workflow asks for it. */
export interface DesiredVariable extends Targets {
  name: string;
  /** Byte for byte what the workflow gave; it is never printed. */
  value: string;
  kind: VariableKind;
  /** The input that it came from. */
  source: string;
  /** The variable of the step's environment that its value is; absent if it was written out. */
  from?: string;
}

/** The texts and settings that variables are read from, in the order in which they win. */
export interface DesiredSources {
  /** The input `env`: dotenv text. */
  env: string;
  /** The items of the input `env-from`: `NAME` or `NAME=SOURCE`. */
  envFrom: readonly string[];
  /** The files of the input `env-file`, read. */
  envFiles: readonly { path: string; text: string }[];
  /** The `environment:` of the site file that the input `config` names. */
  siteVariables: readonly SiteVariable[];
  /** True if the site file may be a stranger's: it may name only those sources then that `env-from` names. */
  isForeign: boolean;
  /** The step's own environment, in which `env-from` and the site file look their values up. */
  stepEnvironment: Readonly<Record<string, string | undefined>>;
  /** The values of the action's secret inputs, which no variable may have. */
  secretInputs: readonly string[];
  kind: VariableKind;
  targets: Targets;
}

/** `SOURCE` or `NAME=SOURCE`. A source is the name of an environment variable, as shells have them. */
const itemPattern = /^(?:([^\s=]{1,256})\s*=\s*)?([A-Za-z_][\w.-]{0,127})$/;

/** True if nobody would take it for a pasted value: capitals, in words or without a digit. */
const looksLikeVariable = (text: string): boolean =>
  /^[A-Z][A-Z0-9_]*$/.test(text) && (text.includes('_') || !/\d/.test(text));

function readDotenv(source: string, text: string, problems: Problem[]): Given[] {
  const parsed = parseDotenv(text);
  for (const { line, message } of parsed.problems) {
    problems.push({ input: source, message: `line ${line} ${message}` });
  }
  return parsed.entries;
}

function readFrom(sources: DesiredSources, problems: Problem[]): Given[] {
  return sources.envFrom.flatMap((item, index) => {
    const [, given, from] = itemPattern.exec(item) ?? [];
    if (from === undefined) {
      const message = `item ${index + 1} is neither NAME nor NAME=SOURCE, where SOURCE is the name of an environment variable of the step (it is not shown, in case it is a value)`;
      problems.push({ input: 'env-from', message });
      return [];
    }
    const reserved = reservedProblem(
      from,
      `item ${index + 1}`,
      given && clean(given, 80),
      (name, source) => `${name}=${source}`,
    );
    if (reserved !== undefined) {
      problems.push({ input: 'env-from', message: reserved });
      return [];
    }
    const value = lookUp(from, sources.stepEnvironment);
    if (value !== undefined) return [{ name: given ?? from, value, from }];
    if (!looksLikeVariable(from)) {
      const what = given === undefined ? `item ${index + 1}` : `the source of ${clean(given, 80)}`;
      const message = `${what} is not in the step's environment, or is empty (it is not shown, in case it is a value)`;
      problems.push({ input: 'env-from', message });
      return [];
    }
    problems.push({
      input: 'env-from',
      message: `the step's environment has no ${from}, or it is empty. Add it to the step's env: (${from}: \${{ secrets.${from} }}), and see that the secret exists and that this event may read it`,
    });
    return [];
  });
}

/** What is wrong with the source that a variable of the site file names, if it names one. */
function reservedIn(variable: SiteVariable): string | undefined {
  if ('value' in variable) return undefined;
  const { name, from, line } = variable;
  const target = name === from ? undefined : clean(name, 80);
  const write = (own: string, source: string) => `${own}: { from: ${source} }`;
  return reservedProblem(from, `line ${line}`, target, write);
}

/** The site file's variables that no input gives: each with its value from the step's environment, or its own. */
function readSite(
  { siteVariables, stepEnvironment, envFrom, isForeign }: DesiredSources,
  given: ReadonlySet<string>,
  problems: Problem[],
): Given[] {
  const named = new Set(envFrom.map((item) => itemPattern.exec(item)?.[2] ?? ''));
  return siteVariables.flatMap((variable): Given[] => {
    const { name, targets: list, kind, line } = variable;
    const reserved = reservedIn(variable);
    if (reserved !== undefined) problems.push({ input: 'config', message: reserved });
    if (reserved !== undefined || given.has(name)) return [];
    const targets = list && {
      preview: list.includes('preview'),
      production: list.includes('production'),
    };
    if ('value' in variable) {
      return [{ name, value: variable.value, kind, targets, isHidden: false }];
    }
    const { from } = variable;
    const foreign = isForeign && !named.has(from) ? foreignSource(from, line) : undefined;
    if (foreign !== undefined) {
      problems.push({ input: 'config', message: foreign });
      return [];
    }
    const value = lookUp(from, stepEnvironment);
    // The file is not who says whether what the workflow gives the step may be shown.
    if (value !== undefined) return [{ name, value, from, kind, targets, isHidden: true }];
    const message = `line ${line} wants ${clean(from, 80)} from the step's environment, which has none, or an empty one. Add it to the step's env: (${clean(from, 80)}: \${{ secrets.${clean(from, 80)} }}), and see that the secret exists and that this event may read it`;
    problems.push({ input: 'config', message });
    return [];
  });
}

/** The most pairs of such names that are warned of. */
const maxAlike = 10;

/** Names that are the same but for case: right for the service, and most often a slip. */
function looksAlike(variables: readonly DesiredVariable[]): string[] {
  const groups = Map.groupBy(variables, ({ name }) => name.toLowerCase());
  const alike = [...groups.values()].filter((group) => group.length > 1);
  const told = alike.slice(0, maxAlike).map((group) => {
    const names = group.map(({ name, source }) => `${clean(name, 60)} (${source})`).join(' and ');
    return `${names} differ only by case: they are different variables.`;
  });
  const more = alike.length - told.length;
  return more === 0
    ? told
    : [...told, `${more} more names have others that differ from them only by case.`];
}

/**
 * Gathers the variables that the workflow declares. `env` wins over `env-from`, that over `env-file` (the
 * earlier file over the later), and that over the site file. Every problem is reported, and none holds a value.
 *
 * @returns the variables sorted by name, complete only if there is no problem; which of their values must not be
 * shown; and what to warn of
 */
export function gatherDesired(sources: DesiredSources): {
  variables: DesiredVariable[];
  secrets: string[];
  problems: Problem[];
  warnings: string[];
} {
  const problems: Problem[] = [];
  const secrets = new Set<string>();
  const secretInputs = new Set(sources.secretInputs.map((value) => value.trim()));
  secretInputs.delete('');
  const files = sources.envFiles.map(({ path, text }) => {
    const source = `env-file ${clean(path, 80)}`;
    return { source, given: readDotenv(source, text, problems) };
  });
  const inOrder = [
    { source: 'env', given: readDotenv('env', sources.env, problems) },
    { source: 'env-from', given: readFrom(sources, problems) },
    ...files,
  ];
  const byInputs = new Set(inOrder.flatMap(({ given }) => given.map(({ name }) => name)));
  inOrder.push({ source: 'config', given: readSite(sources, byInputs, problems) });
  const byName = new Map<string, DesiredVariable>();
  for (const { source, given } of inOrder) {
    for (const variable of checkGiven(source, given, secretInputs, problems)) {
      const { name, value, from, kind = sources.kind, targets = sources.targets } = variable;
      if (byName.has(name)) continue;
      byName.set(name, {
        name,
        value,
        kind,
        ...targets,
        source,
        ...(from !== undefined && { from }),
      });
      if (variable.isHidden ?? kind === 'secret') secrets.add(value);
    }
  }
  const variables = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { variables, secrets: [...secrets], problems, warnings: looksAlike(variables) };
}
