import type { VariableKind } from '../../contract/environment.ts';
import { codePoints, limits, surelyTooLong } from '../../contract/limits.ts';
import { type Diagnostic, diagnose, type Problem } from '../../kernel/diagnostic.ts';
import { clean } from '../../kernel/text/safe.ts';
import type { DesiredVariable, Targets } from '../intent.ts';
import type { SiteVariable } from '../site-file.ts';
import { nameFaults } from './variable-name.ts';

/** A variable in a dotenv text. */
interface DotenvEntry {
  name: string;
  value: string;
  /** The line, from 1, on which it starts. */
  line: number;
  /** Why the value may stand for another, as a predicate; undefined if it doesn't. */
  reference: string | undefined;
}

const start = /^[^\S\n]*(?:export[^\S\n]+)?([A-Za-z_][\w.-]*)[^\S\n]*=/;
const blank = /^[^\S\n]*(?:#[^\r\n\u2028\u2029]*)?(?:\n|$)/;

type Quote = '"' | "'" | '`' | '';

/** A value as it is in the text, between its quotes. */
interface RawValue {
  raw: string;
  quote: Quote;
}

type Read = (RawValue | { error: string }) & { length: number };

const lineLength = (text: string): number => {
  const end = text.indexOf('\n');
  return end === -1 ? text.length : end + 1;
};

/** What a value in quotes must not contain, as parsers read it differently. */
function quotedAmbiguity({ raw, quote }: RawValue): string | undefined {
  const [found] = quote === '"' ? (/\\["\\t]/.exec(raw) ?? []) : [];
  if (found !== undefined) {
    return `has the escape ${found}, which parsers read differently: write the value without escapes in single quotes ('), or use env-from`;
  }
  if (raw.endsWith('\\')) {
    return `has a backslash before the closing ${quote}, which parsers read differently: write the value without quotes, or use env-from`;
  }
  return raw.includes('\r')
    ? 'has a carriage return in quotes that ends no line, which parsers read differently: write \\r in double quotes, or use env-from'
    : undefined;
}

/** The value in quotes that a text begins with. */
function readQuoted(text: string, quote: Exclude<Quote, ''>): Read {
  const pattern =
    quote === '"' ? /^"((?:[^"\\]|\\.)*)"/s : new RegExp(`^${quote}([^${quote}]*)${quote}`);
  const match = pattern.exec(text);
  if (match === null) {
    return { error: `has an opening ${quote} but no closing one`, length: lineLength(text) };
  }
  const [whole, raw = ''] = match;
  const rest = blank.exec(text.slice(whole.length));
  if (rest === null) {
    return {
      error: `has text after the closing ${quote}: quote the value with another kind of quote`,
      length: whole.length + lineLength(text.slice(whole.length)),
    };
  }
  const length = whole.length + rest[0].length;
  const error = quotedAmbiguity({ raw, quote });
  return error === undefined ? { raw, quote, length } : { error, length };
}

/** What an unquoted value must not contain. */
const ambiguities: readonly (readonly [RegExp, string])[] = [
  [/\r/, 'has a carriage return in the middle of an unquoted value'],
  [/[\u2028\u2029]/, 'has a line separator (U+2028 or U+2029) in an unquoted value'],
  [/#/, 'has a # in an unquoted value, which some parsers read as a comment'],
  [
    /^\s*-----BEGIN /,
    'has an unquoted key or certificate, of which only the first line would be read',
  ],
];

function readUnquoted(text: string): Read {
  const length = lineLength(text);
  const whole = text.slice(0, length).trimEnd();
  // What may end a line for other parsers is an error, in a comment too.
  const comment = /[\r\u2028\u2029]/.test(whole) ? -1 : whole.search(/\s#/);
  const raw = comment === -1 ? whole : whole.slice(0, comment);
  const doubt = ambiguities.find(([pattern]) => pattern.test(raw));
  if (doubt === undefined) return { raw: raw.trim(), quote: '', length };
  return { error: `${doubt[1]}: put the value in single quotes ('), or use env-from`, length };
}

function readValue(text: string): Read {
  const indent = /^[^\S\r\n]*/.exec(text)?.[0].length ?? 0;
  const first = text[indent];
  if (first !== '"' && first !== "'" && first !== '`') return readUnquoted(text);
  const read = readQuoted(text.slice(indent), first);
  return { ...read, length: read.length + indent };
}

/** What dotenv-expand, a shell and others replace outside single quotes. */
const referencePattern = /\\\$|\$[{(A-Za-z_]/;
const referenceForms: Readonly<Record<string, string>> = {
  '\\$': String.raw`\$`,
  [`\${`]: `\${…}`,
  '$(': '$(…)',
};

function referenceIn(name: string, { raw, quote }: RawValue): string | undefined {
  const [found] = quote === "'" ? [] : (referencePattern.exec(raw) ?? []);
  if (found === undefined) return undefined;
  const what = `contains ${referenceForms[found] ?? '$NAME'}, which some parsers replace`;
  const fitsSingleQuotes = !raw.includes("'") && (quote !== '"' || !/\\[nr]/.test(raw));
  return fitsSingleQuotes
    ? `${what}. Write the full value, in single quotes if it has a dollar sign: ${clean(name, 60)}='…'`
    : `${what}, and can't be written in single quotes as it is. Use env-from for this variable`;
}

/** Only `"` has escapes, those that all parsers know; a backslash before anything else stays. */
const unquote = ({ raw, quote }: RawValue): string =>
  quote === '"' ? raw.replaceAll(String.raw`\n`, '\n').replaceAll(String.raw`\r`, '\r') : raw;

/**
 * Parses dotenv text: `NAME=value`, `export NAME=value`, comments, single, double and back quotes that may
 * span lines. An ambiguous line is a problem, never skipped nor quoted, as it may be part of a secret; nothing is
 * expanded.
 *
 * Custom because existing parsers skip lines that they don't understand and cut values at a `#`.
 *
 * @param source the text; CRLF is LF, also inside quotes, as a checkout may have either
 */
export function parseDotenv(source: string) {
  const entries: DotenvEntry[] = [];
  /** `name`: that before the invalid value, if the line has one. */
  const problems: { line: number; message: string; name?: string }[] = [];
  let rest = source.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  let line = 1;
  const advance = (length: number) => {
    line += rest.slice(0, length).split('\n').length - 1;
    rest = rest.slice(length);
  };
  while (rest !== '') {
    const skipped = blank.exec(rest)?.[0].length ?? 0;
    const head = start.exec(rest);
    if (skipped > 0) {
      advance(skipped);
    } else if (head === null) {
      problems.push({ line, message: 'is not NAME=value, a comment or blank' });
      advance(lineLength(rest));
    } else {
      const [whole, name = ''] = head;
      const read = readValue(rest.slice(whole.length));
      if ('error' in read) problems.push({ line, message: read.error, name });
      else {
        const reference = referenceIn(name, read);
        entries.push({ name, value: unquote(read), line, reference });
      }
      advance(whole.length + read.length);
    }
  }
  return { entries, problems };
}

/**
 * Names reserved for the runner: inputs and state of the action, tokens of the job, and data about the run.
 * Case-insensitive, as environment variables are on Windows.
 */
const reserved = /^(?:INPUT|STATE|ACTIONS|GITHUB|RUNNER)_/i;

/** True if a variable of this name belongs to the runner. */
export const isReserved = (source: string): boolean => reserved.test(source);

/**
 * Why a source is not allowed, and how to rename it. The site's code must not get values that only the action may
 * have.
 *
 * @param label where the source is named, such as "item 2"
 * @param target the variable that it is for; absent: the one with the same name
 * @param write formats a variable and its source for that item
 * @returns undefined if it is allowed
 */
function reservedProblem(
  source: string,
  label: string,
  target: string | undefined,
  write: (target: string, source: string) => string,
): string | undefined {
  if (!isReserved(source)) return undefined;
  // In lower case it may be a pasted GitHub token (such as github_pat_…).
  const isShown = source === source.toUpperCase();
  const what = isShown ? source : 'a name (not shown because it may be a value)';
  const other = isShown ? source.replace(reserved, 'SITE_').replace(/\W/g, '_') : 'SITE_VALUE';
  const rewritten = write(target ?? (isShown ? source : 'NAME'), other);
  return `${label} uses ${what}: the prefixes INPUT_, STATE_, ACTIONS_, GITHUB_ and RUNNER_ are reserved. Rename it in the step's env: (${other}: \${{ … }}) and write ${rewritten}`;
}

/**
 * Why an untrusted site file may not use a source that no input names. Doesn't reveal whether the step's environment
 * has it.
 *
 * @param line its line in the file
 */
export function foreignProblem(from: string, line: number): string {
  const shown = clean(from, 80);
  return `line ${line} uses ${shown}. People without write access can start this run, so the site file may use only sources named in env-from: add ${shown} there, or merge first`;
}

/** The same for a variable that the site file deletes. */
export const foreignRemoval = (name: string, line: number): string =>
  `line ${line} deletes ${clean(name, 80)}. People without write access can start this run, so the site file may delete only variables named in env-remove: add it there, or merge first`;

/** Why a variable of the step has no value, by its printable name: a secret that is not set makes it empty. */
export const describeUnset = (shown: string, isEmpty: boolean): string =>
  isEmpty
    ? `${shown} is empty. Set the secret that the step's env: takes it from, and check that this event can read it`
    : `${shown} is not in the step's environment. Add it to the step's env: (${shown}: \${{ secrets.${shown} }}), and check that the secret exists and is available to this event`;

/** Why a source is refused that no site may have. */
export const withheldProblem = (source: string, label: string): string =>
  `${label} uses ${source.toUpperCase()}, which no site may have: it is an input of this command, or a token of the CI`;

/**
 * How to write a source that is an expression of a workflow, such as `secrets.STRIPE_KEY`; undefined if it is none.
 *
 * @param label where the source is named, such as "item 2"
 * @param isSafe true if the source is surely no pasted value
 */
export function expressionProblem(
  source: string,
  label: string,
  isSafe: boolean,
): string | undefined {
  const [, context, name = ''] = /^(secrets|vars|env)\.(.+)$/.exec(source) ?? [];
  if (context === undefined) return undefined;
  if (!isSafe && !resemblesVariable(name)) return `${label}: write the name without "${context}."`;
  const shown = clean(name, 80);
  const how =
    context === 'env'
      ? ''
      : `, and add it to the step's env: (${shown}: \${{ ${context}.${shown} }})`;
  return `${label}: write ${shown} without "${context}."${how}`;
}

/** `SOURCE` or `NAME=SOURCE`, where SOURCE is the name of an environment variable. */
const itemPattern = /^(?:([^\s=]{1,256})\s*=\s*)?([A-Za-z_][\w.-]{0,127})$/;

/** True if a text is surely a name and not a pasted value: capitals, with an underscore or without a digit. */
export const resemblesVariable = (text: string): boolean =>
  /^[A-Z][A-Z0-9_]*$/.test(text) && (text.includes('_') || !/\d/.test(text));

/** How a list of YAML, a shell or a dotenv file writes a name. */
const decorated = /^(?:-\s|["'[$]|[\w.-]+:\s)|["'\]]$/;

/** Parses an item of `env-from`. Without a source it is invalid. */
export function readItem(item: string) {
  const [, target, source] = itemPattern.exec(item) ?? [];
  return { target, source };
}

/**
 * Why an item of `env-from` gives no variable.
 *
 * @param label which item it is, such as "item 2"
 * @param isWithheld true of a source that no site may have
 * @param isEmpty true if the source is there, without a value
 */
export function itemProblem(
  item: string,
  label: string,
  isWithheld?: (source: string) => boolean,
  isEmpty = false,
): Omit<Problem, 'input'> {
  const { target, source } = readItem(item);
  if (source === undefined) {
    const message = decorated.test(item)
      ? `${label} must be NAME or NAME=SOURCE, one per line, without dash, quotes, brackets, colon or $. SOURCE is the name of a variable in the step's environment`
      : `${label} is not NAME or NAME=SOURCE, with SOURCE the name of a variable in the step's env: (not shown because it may be a value)`;
    return { code: 'SD1201', message };
  }
  const expression = expressionProblem(source, label, false);
  if (expression !== undefined) return { code: 'SD1201', message: expression };
  if (isWithheld?.(source)) return { code: 'SD1203', message: withheldProblem(source, label) };
  const shown = target && clean(target, 80);
  const problem = reservedProblem(source, label, shown, (name, other) => `${name}=${other}`);
  if (problem !== undefined) return { code: 'SD1203', message: problem };
  if (!resemblesVariable(source)) {
    const what = shown === undefined ? label : `the source of ${shown}`;
    const message = `${what} is not in the step's environment, or is empty (not shown because it may be a value)`;
    return { code: 'SD1202', message };
  }
  return { code: 'SD1202', message: describeUnset(source, isEmpty) };
}

/** Why the source of a site file's variable is reserved, if it is. */
export function reservedIn(variable: SiteVariable): string | undefined {
  if ('value' in variable) return undefined;
  const { name, from, line } = variable;
  const target = name === from ? undefined : clean(name, 80);
  const write = (own: string, source: string) => `${own}: { from: ${source} }`;
  return reservedProblem(from, `line ${line}`, target, write);
}

/** A variable as declared in one source. */
export interface Given {
  name: string;
  value: string;
  kind: VariableKind;
  /** The variable in the step's environment that has the value. */
  from?: string;
  targets?: Targets | undefined;
  /** The line on which it is declared; absent for an item of `env-from`. */
  line?: number;
  /** Why the value may stand for another, as a predicate. */
  reference?: string | undefined;
}

/** Why an item of `env-remove` is not written as a name is; the service would allow one in quotes, and find no variable. */
export function decorationProblem(item: string): string | undefined {
  if (!decorated.test(item)) return undefined;
  return `${clean(item, 60)} must be a name alone, without a dash, quotes, brackets, a colon or $`;
}

/** Why a variable's name is invalid, if it is (section "Limits"). */
export function nameProblem(name: string): string | undefined {
  const [fault] = nameFaults(name);
  if (fault === 'characters') return `"${clean(name, 60)}" is not a valid variable name`;
  return fault === 'length'
    ? `a name has ${codePoints(name)} characters; the service allows ${limits.variableName.max}`
    : undefined;
}

/** What no variable may have. */
export interface Withheld {
  /** The values of the action's secret inputs, trimmed. They may be a part of a value, which only a workflow can build. */
  secretInputs: ReadonlySet<string>;
  /** The secrets of the platform. They may be no part of a value either: a CI itself builds URLs with them. */
  tokens: readonly string[];
}

/** Why a variable is invalid, if it is; never with its value. */
export function problemOf(
  { name, value }: Given,
  { secretInputs, tokens }: Withheld,
): string | undefined {
  const shown = clean(name, 60);
  const wrong = nameProblem(name);
  if (wrong !== undefined) return wrong;
  if (surelyTooLong(value, limits.variableValue.max)) {
    return `the value of ${shown} has ${codePoints(value)} characters; the service allows ${limits.variableValue.max}`;
  }
  if (value.includes('\0')) return `the value of ${shown} contains a NUL character`;
  if (secretInputs.has(value.trim())) {
    return `the value of ${shown} is that of a secret input of this action (such as api-key or github-token): use a separate secret for the site`;
  }
  if (tokens.some((token) => value.includes(token))) {
    return `the value of ${shown} has a token of the CI in it, such as CI_JOB_TOKEN, which no site may have: use a separate secret for the site`;
  }
  return undefined;
}

/** The most warnings about such names. */
const maxAlike = 10;

/** Warns of names that differ only by case: the service allows them, but they are usually a mistake. */
export function warnOfAlike(variables: readonly DesiredVariable[]): Diagnostic<string>[] {
  const groups = Map.groupBy(variables, ({ name }) => name.toLowerCase());
  const alike = [...groups.values()].filter((group) => group.length > 1);
  const warnings = alike.slice(0, maxAlike).map((group) => {
    const names = group.map(({ name, source }) => `${clean(name, 60)} (${source})`).join(' and ');
    return diagnose('SD1208', `${names} differ only by case: they are different variables`);
  });
  const more = alike.length - warnings.length;
  return more === 0
    ? warnings
    : [...warnings, diagnose('SD1208', `${more} more groups of names differ only by case`)];
}
