import type { VariableKind } from '../../contract/environment.ts';
import { type Diagnostic, diagnose, type Problem } from '../../kernel/diagnostic.ts';
import { listNames } from '../../kernel/names.ts';
import { clean, unsafeText } from '../../kernel/text/safe.ts';
import type { DesiredVariable, RemovalSource, Removals, Targets } from '../intent.ts';
import type { SiteRemoval, SiteVariable } from '../site-file.ts';
import {
  decorationProblem,
  describeUnset,
  expressionProblem,
  foreignProblem,
  foreignRemoval,
  type Given,
  isReserved,
  itemProblem,
  nameProblem,
  parseDotenv,
  problemOf,
  readItem,
  reservedIn,
  type Withheld,
  warnOfAlike,
  withheldProblem,
} from './source.ts';

/** The sources of variables, in order of precedence, and their settings. */
export interface DesiredSources {
  /** The input `env`: dotenv text. */
  env: string;
  /** The items of the input `env-from`: `NAME` or `NAME=SOURCE`. */
  envFrom: readonly string[];
  /** The contents of the files of the input `env-file`. */
  envFiles: readonly { path: string; text: string }[];
  /** The `environment:` of the site file that the input `config` names. */
  siteVariables: readonly SiteVariable[];
  /** The names of the input `env-remove`. */
  envRemove: readonly string[];
  /** The variables of the site file that have `remove: true`. */
  siteRemovals: readonly SiteRemoval[];
  /** True if the site file is not trusted: it may then use only sources that `env-from` names. */
  isForeign: boolean;
  /** True of a variable that no site may have, which the step's environment here doesn't have either. */
  isWithheld?: ((variable: string) => boolean) | undefined;
  /** The step's environment, which has the values for `env-from` and the site file. */
  stepEnvironment: Readonly<Record<string, string | undefined>>;
  /** The values of the action's secret inputs, which no variable may have. */
  secretInputs: readonly string[];
  /** The secrets of the platform, which no variable may contain. */
  tokens: readonly string[];
  targets: Targets;
}

/** A shorter text would be a part of other values by chance. */
const shortestToken = 8;

/**
 * Gathers the declared variables. `env` wins over `env-from`, that over `env-file` (the earlier file over the later),
 * and that over the site file. All problems are reported, without values.
 *
 * @returns the variables sorted by name, complete only if there is no problem; `secrets`, the values to mask
 */
export function gatherDesired(sources: DesiredSources) {
  const problems: Problem[] = [];
  const secrets = new Set<string>();
  const withheld = {
    secretInputs: new Set(sources.secretInputs.map((value) => value.trim())),
    tokens: sources.tokens.filter(({ length }) => length >= shortestToken),
  };
  withheld.secretInputs.delete('');
  const files = sources.envFiles.map(({ path, text }) => {
    const source = `env-file ${clean(path, 80)}`;
    return { source, given: readDotenv(source, text, 'secret', problems) };
  });
  const inOrder = [
    { source: 'env', given: readDotenv('env', sources.env, 'plain', problems) },
    { source: 'env-from', given: readFrom(sources, problems) },
    ...files,
  ];
  const byInputs = new Set(inOrder.flatMap(({ given }) => given.map(({ name }) => name)));
  inOrder.push({ source: 'config', given: readSite(sources, byInputs, problems) });
  const byName = new Map<string, DesiredVariable>();
  for (const { source, given } of inOrder) {
    const unset = given.filter(({ name }) => !byName.has(name));
    checkLiterals(source, unset, problems);
    for (const variable of eachOnce(source, given, withheld, problems)) {
      const { name, value, from, kind, targets = sources.targets } = variable;
      if (byName.has(name)) continue;
      const desired = { name, value, kind, ...targets, source, from };
      byName.set(name, desired);
      if (!isOpenValue(desired)) secrets.add(value);
    }
  }
  const variables = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    removals: readRemovals(sources, byName, problems),
    variables,
    secrets: [...secrets],
    problems,
    warnings: [...warnOfAlike(variables), ...warnOfOdd(variables)],
  };
}

/** The value of a source; undefined if it is not in the step's environment, or empty. */
function sourceValue(source: string, { stepEnvironment }: DesiredSources): string | undefined {
  const value = Object.hasOwn(stepEnvironment, source) ? stepEnvironment[source] : undefined;
  return value === '' ? undefined : value;
}

/** The variables of a dotenv text, all of one kind. */
function readDotenv(
  source: string,
  text: string,
  kind: VariableKind,
  problems: Problem[],
): Given[] {
  const whole = find(encryptedTexts, text.trimStart());
  if (whole !== undefined) {
    const message = `the whole text is ${whole}. Decrypt it in an earlier step, and use env-from`;
    problems.push({ input: source, code: 'SD1213', message });
    return [];
  }
  const parsed = parseDotenv(text);
  for (const { line, message } of parsed.problems) {
    problems.push({ input: source, code: 'SD1205', message: `line ${line} ${message}` });
  }
  return parsed.entries.map((entry) => ({ ...entry, kind }));
}

function readFrom(sources: DesiredSources, problems: Problem[]): Given[] {
  return sources.envFrom.flatMap((item, index) => {
    const { target, source: from } = readItem(item);
    const value = from === undefined || isReserved(from) ? undefined : sourceValue(from, sources);
    if (from !== undefined && value !== undefined) {
      return [{ name: target ?? from, value, from, kind: 'secret' }];
    }
    const isEmpty = from !== undefined && Object.hasOwn(sources.stepEnvironment, from);
    problems.push({
      input: 'env-from',
      ...itemProblem(item, `item ${index + 1}`, sources.isWithheld, isEmpty),
    });
    return [];
  });
}

/** The site file's variables that no input declares. */
function readSite(
  sources: DesiredSources,
  given: ReadonlySet<string>,
  problems: Problem[],
): Given[] {
  const { siteVariables, envFrom, isForeign } = sources;
  const named = new Set(envFrom.map((item) => readItem(item).source));
  return siteVariables.flatMap((variable): Given[] => {
    const { name, targets: list, kind, line } = variable;
    const reserved = reservedIn(variable);
    if (reserved !== undefined)
      problems.push({ input: 'config', code: 'SD1203', message: reserved });
    if (reserved !== undefined || given.has(name)) return [];
    const targets = list && {
      preview: list.includes('preview'),
      production: list.includes('production'),
    };
    if ('value' in variable) {
      const { value } = variable;
      const reference = value.includes(`\${{`)
        ? `contains \${{ … }}, which is replaced only in workflow files. Use from: and a variable of the step's env:`
        : undefined;
      return [{ name, value, kind, targets, line, reference }];
    }
    const { from } = variable;
    const foreign = isForeign && !named.has(from) ? foreignProblem(from, line) : undefined;
    if (foreign !== undefined) {
      problems.push({ input: 'config', code: 'SD1204', message: foreign });
      return [];
    }
    const value = sourceValue(from, sources);
    if (value !== undefined) return [{ name, value, from, kind, targets }];
    const shown = clean(from, 80);
    if (sources.isWithheld?.(from)) {
      const message = withheldProblem(from, `line ${line}`);
      problems.push({ input: 'config', code: 'SD1203', message });
      return [];
    }
    const message =
      expressionProblem(from, `line ${line}`, true) ??
      `line ${line}: ${describeUnset(shown, Object.hasOwn(sources.stepEnvironment, from))}`;
    problems.push({ input: 'config', code: 'SD1202', message });
    return [];
  });
}

/** Reports values that are in a text, but stand for another: those that a tool wrote once for each kind. */
function checkLiterals(source: string, given: readonly Given[], problems: Problem[]): void {
  const literal = given.filter(({ from }) => from === undefined);
  for (const [what, [first, ...others]] of Map.groupBy(literal, toolText)) {
    if (what === undefined || first === undefined) continue;
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    const message = `line ${first.line}: ${clean(first.name, 60)}${more} is ${what}, not the value. Get the value in an earlier step, and use env-from`;
    problems.push({ input: source, code: 'SD1213', message });
  }
  for (const variable of literal) {
    const { name, line, reference } = variable;
    if (reference === undefined || toolText(variable) !== undefined) continue;
    const message = `line ${line}: ${clean(name, 60)} ${reference}`;
    problems.push({ input: source, code: 'SD1212', message });
  }
}

/**
 * The valid variables of one source, without duplicates.
 *
 * @param problems gets the mistakes, without values
 */
function eachOnce(
  source: string,
  given: readonly Given[],
  withheld: Withheld,
  problems: Problem[],
): Given[] {
  const byName = new Map<string, Given>();
  for (const variable of given) {
    const message = problemOf(variable, withheld);
    const other = byName.get(variable.name);
    if (message !== undefined) problems.push({ input: source, code: 'SD1206', message });
    else if (other === undefined) byName.set(variable.name, variable);
    else if (other.value !== variable.value) {
      const twice = `${variable.name} is declared twice with different values: keep one`;
      problems.push({ input: source, code: 'SD1207', message: twice });
    }
  }
  return [...byName.values()];
}

/** The valid names of variables to delete that are not also declared. */
function readRemovals(
  { envRemove, siteRemovals, isForeign }: DesiredSources,
  declared: ReadonlyMap<string, DesiredVariable>,
  problems: Problem[],
): Removals {
  const removals = new Map<string, RemovalSource>();
  const named = [
    ...envRemove.map((name) => ({ name, source: 'env-remove' as const })),
    ...siteRemovals.map(({ name }) => ({ name, source: 'config' as const })),
  ];
  const foreign = isForeign ? siteRemovals.filter(({ name }) => !envRemove.includes(name)) : [];
  for (const { name, line } of foreign) {
    problems.push({ input: 'config', code: 'SD1204', message: foreignRemoval(name, line) });
  }
  for (const { name, source } of named) {
    // Hides a value given by mistake.
    const shown = name.replace(/=.*/s, '=…');
    const decoration = source === 'env-remove' ? decorationProblem(shown) : undefined;
    const message = decoration ?? nameProblem(shown);
    const twice = declared.get(name);
    if (message !== undefined) problems.push({ input: source, code: 'SD1206', message });
    else if (twice !== undefined) {
      const both = `${clean(name, 60)} is both removed and declared (in ${twice.source}): keep one`;
      problems.push({ input: source, code: 'SD1211', message: both });
    } else if (!removals.has(name)) removals.set(name, source);
  }
  return removals;
}

/**
 * True if a declared value is public, so that it is not masked, and a digest may contain it: the input `env` or the site
 * file has it. The site file can't decide whether a value from the step's environment may be shown.
 */
export const isOpenValue = ({ kind, from }: DesiredVariable): boolean =>
  kind === 'plain' && from === undefined;

/** White space and invisible characters, but not the tags that flags of emoji end in. */
const invisible = String.raw`[[\s\p{Cc}\p{Cf}]--[\u{e0000}-\u{e007f}]]`;
const atEnd = new RegExp(`${invisible}$`, 'v');
const atStart = new RegExp(`^${invisible}`, 'v');
const severalLines = /[^\r\n][\r\n]+[^\r\n]/;
const inQuotes = /^(?:"[^"]*"|'[^']*'|`[^`]*`)$/;

const characters: Readonly<Record<string, string>> = {
  '\n': 'a line break',
  '\r': 'a line break',
  '\t': 'a tab',
  ' ': 'a space',
};
const nameOf = (character: string) => characters[character] ?? 'an invisible character';

/** What is probably a mistake in a value of one line: the beginning of a phrase that ends with the variable's name. */
function oddityOf({ name, value, from }: DesiredVariable): string | undefined {
  if (severalLines.test(value)) return undefined;
  const [last] = atEnd.exec(value) ?? [];
  if (last !== undefined) return `${nameOf(last)} at the end of`;
  const [first] = atStart.exec(value) ?? [];
  if (first !== undefined) return `${nameOf(first)} at the start of`;
  if (inQuotes.test(value)) return 'quotes around';
  const hasName = [name, from].some((own) => own !== undefined && value.startsWith(`${own}=`));
  return hasName ? 'NAME= at the start of' : undefined;
}

/** Warns once of all values that were probably copied with more than the value. They are written unchanged. */
function warnOfOdd(variables: readonly DesiredVariable[]): Diagnostic<string>[] {
  const phrases = [...Map.groupBy(variables, oddityOf)].flatMap(([oddity, odd]) =>
    oddity === undefined
      ? []
      : [`${oddity} ${listNames(odd, ({ name }) => unsafeText(clean(name, 60)))}`],
  );
  if (phrases.length === 0) return [];
  const text = `These values are written unchanged, but may have been copied wrong: ${phrases.join('; ')}`;
  return [diagnose('SD1214', text)];
}

type Row = readonly [pattern: RegExp, what: string];

/** Names of variables that a tool adds to a file. */
const toolNames: readonly Row[] = [
  [/^sops_(?:(?:version|mac|lastmodified)$|.+__(?:list|map)_)/, 'SOPS metadata'],
  [/^DOTENV_PUBLIC_KEY(?:_|$)/, 'a dotenvx key'],
  [/^DOTENV_VAULT(?:_|$)/, 'dotenv-vault data'],
];

/** What a tool makes of a whole file, or of a value. */
const encryptedTexts: readonly Row[] = [
  [/^\$ANSIBLE_VAULT;/, 'Ansible Vault ciphertext'],
  [/^-----BEGIN AGE ENCRYPTED FILE-----/, 'age ciphertext'],
  [/^-----BEGIN PGP MESSAGE-----/, 'PGP ciphertext'],
];

/** Ciphertext and references, by their tools' documentation. Without those that a site may resolve itself, such as an ARN. */
const toolValues: readonly Row[] = [
  ...encryptedTexts,
  [/^ENC\[AES256_GCM,/, 'SOPS ciphertext'],
  [/^ENC\[(?:PKCS7|GPG|KMS),/, 'eyaml ciphertext'],
  [/^ENC\([\w+/=-]+\)$/, 'Jasypt ciphertext'],
  [/^EJ\[\d+:/, 'EJSON ciphertext'],
  [/^encrypted:B[\w+/=-]{99,}$/, 'dotenvx ciphertext'],
  [/^vault:v\d+:/, 'Vault ciphertext'],
  [/^(?:>>)?vault:[\w./-]+#./, 'a Vault reference'],
  [/^(?:secret)?ref\+[a-z\d]+:\/\//, 'a vals reference'],
  [/^(?:\{\{ *)?op:\/\//i, 'a 1Password reference'],
  [/^(?:\{\{ *)?pass:\/\//, 'a Proton Pass reference'],
  [/^(?:\{\{ *)?dl:\/\//, 'a Dashlane reference'],
  [/^keeper:\/\//, 'a Keeper reference'],
  [/^sm:\/\//, 'a Secret Manager reference'],
  [/^berglas:\/\//, 'a Berglas reference'],
  [/\{\{resolve:(?:ssm|ssm-secure|secretsmanager):/, 'an AWS dynamic reference'],
  [/^@Microsoft\.(?:KeyVault|AppConfiguration)\(/, 'an Azure reference'],
];

const find = (rows: readonly Row[], text: string): string | undefined =>
  rows.find(([pattern]) => pattern.test(text))?.[1];

/** What a tool wrote for a variable instead of its value, such as "SOPS ciphertext"; undefined if none did. */
const toolText = ({ name, value }: { name: string; value: string }): string | undefined =>
  find(toolValues, value) ?? find(toolNames, name);
