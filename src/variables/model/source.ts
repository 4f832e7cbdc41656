import type { VariableKind } from '../../contract/environment.ts';
import { codePoints, limits, surelyTooLong } from '../../contract/limits.ts';
import { type Diagnostic, diagnose } from '../../kernel/diagnostic.ts';
import type { Problem } from '../../kernel/problem.ts';
import { clean } from '../../kernel/text/clean.ts';
import type { DesiredVariable, Targets } from '../intent.ts';
import type { SiteVariable } from '../site-file.ts';

/**
 * What the runner keeps for itself: the action's own inputs and state, the tokens of the job, and what describes
 * the run. In any case of letters, because Windows knows none.
 */
const reserved = /^(?:INPUT|STATE|ACTIONS|GITHUB|RUNNER)_/i;

/** True if a source may not be named: see {@link reservedProblem}. */
export const isReserved = (source: string): boolean => reserved.test(source);

/** A name that nobody has reserved, made of one that is. */
function rename(source: string): string {
  return source.replace(reserved, 'SITE_').toUpperCase().replace(/\W/g, '_');
}

/**
 * Why a source may not be named, and how to name it otherwise: what only the action may know must not be put where
 * the site's code reads it, whether an input names it or a file.
 *
 * @param place what names it, such as "item 2"
 * @param target the variable that it is for; absent: the one of the same name
 * @param write how a variable and its source are written there
 * @returns undefined if it may be named
 */
function reservedProblem(
  source: string,
  place: string,
  target: string | undefined,
  write: (target: string, source: string) => string,
): string | undefined {
  if (!isReserved(source)) return undefined;
  // A token of GitHub's may have been pasted: it begins like a reserved name, but in small letters.
  const isShown = source === source.toUpperCase();
  const what = isShown ? source : 'a name that is not shown, in case it is a value';
  const other = isShown ? rename(source) : 'SITE_VALUE';
  const rewritten = write(target ?? (isShown ? source : 'NAME'), other);
  return `${place} takes a value from ${what}: names that begin with INPUT_, STATE_, ACTIONS_, GITHUB_ or RUNNER_ are the runner's and this action's own. Give the value another name in the step's env: (${other}: \${{ … }}), and write ${rewritten}`;
}

/**
 * What is wrong with a source that a stranger's site file names and no input does. Whether the step's environment has
 * it is not told.
 *
 * @param line where the file names it
 */
export function foreignProblem(from: string, line: number): string {
  const shown = clean(from, 80);
  return `line ${line} wants ${shown} from the step's environment. In a run that others than the repository's writers can cause, a site file may name only what the input env-from names: add ${shown} to env-from, where the action has that input, or leave it to a run after the merge`;
}

/** The same of a variable that a site file would delete. */
export const foreignRemoval = (name: string, line: number): string =>
  `line ${line} deletes ${clean(name, 80)}. In a run that others than the repository's writers can cause, a site file may delete only what the input env-remove names: add it there, or leave it to a run after the merge`;

/** How somebody gives a step the source that it lacks. */
export const howToGive = (shown: string): string =>
  `Add it to the step's env: (${shown}: \${{ secrets.${shown} }}), and see that the secret exists and that this event may read it`;

/** `SOURCE` or `NAME=SOURCE`. A source is the name of an environment variable, as shells have them. */
const itemPattern = /^(?:([^\s=]{1,256})\s*=\s*)?([A-Za-z_][\w.-]{0,127})$/;

/** True if nobody would take it for a pasted value: capitals, in words or without a digit. */
const looksLikeVariable = (text: string): boolean =>
  /^[A-Z][A-Z0-9_]*$/.test(text) && (text.includes('_') || !/\d/.test(text));

/** An item of `env-from`: the variable that it is for, if it says one, and its source; nothing if it is neither. */
export function readItem(item: string): {
  target?: string | undefined;
  source?: string | undefined;
} {
  const [, target, source] = itemPattern.exec(item) ?? [];
  return { target, source };
}

/**
 * Why an item of `env-from` gives no variable.
 *
 * @param place which item it is, such as "item 2"
 */
export function itemProblem(item: string, place: string): Omit<Problem, 'input'> {
  const { target, source } = readItem(item);
  if (source === undefined) {
    const message = `${place} is neither NAME nor NAME=SOURCE, where SOURCE is the name of an environment variable of the step (it is not shown, in case it is a value)`;
    return { code: 'SD1201', message };
  }
  const shown = target && clean(target, 80);
  const problem = reservedProblem(source, place, shown, (name, other) => `${name}=${other}`);
  if (problem !== undefined) return { code: 'SD1203', message: problem };
  if (!looksLikeVariable(source)) {
    const what = shown === undefined ? place : `the source of ${shown}`;
    const message = `${what} is not in the step's environment, or is empty (it is not shown, in case it is a value)`;
    return { code: 'SD1202', message };
  }
  const message = `the step's environment has no ${source}, or it is empty. ${howToGive(source)}`;
  return { code: 'SD1202', message };
}

/** What is wrong with the source that a variable of the site file names, if it names one. */
export function reservedIn(variable: SiteVariable): string | undefined {
  if ('value' in variable) return undefined;
  const { name, from, line } = variable;
  const target = name === from ? undefined : clean(name, 80);
  const write = (own: string, source: string) => `${own}: { from: ${source} }`;
  return reservedProblem(from, `line ${line}`, target, write);
}

/** A variable as one source gives it. */
export interface Given {
  name: string;
  value: string;
  /** True: whatever its kind, it must not be shown. Absent: as its kind says, which then comes from an input. */
  isHidden?: boolean;
  /** True: it stands in the workflow as it is, where the runner has printed it already. */
  isLiteral?: boolean;
  /** Absent: not said. */
  kind?: VariableKind | undefined;
  /** The variable of the step's environment that the value is. */
  from?: string;
  targets?: Targets | undefined;
}

const validName = /^[^\s=\p{Cc}\p{Cf}]+$/u;

/** What is wrong with a variable's name (section "Limits"). */
export function nameProblem(name: string): string | undefined {
  if (!validName.test(name)) return `"${clean(name, 60)}" is no name of a variable`;
  return surelyTooLong(name, limits.variableName.max)
    ? `a name has ${codePoints(name)} characters; the service takes at most ${limits.variableName.max}`
    : undefined;
}

/**
 * What is wrong with a variable, without its value.
 *
 * @param secretInputs the values of the action's secret inputs, trimmed
 */
export function problemOf(
  { name, value }: Given,
  secretInputs: ReadonlySet<string>,
): string | undefined {
  const shown = clean(name, 60);
  const wrong = nameProblem(name);
  if (wrong !== undefined) return wrong;
  if (surelyTooLong(value, limits.variableValue.max)) {
    return `the value of ${shown} has ${codePoints(value)} characters; the service takes at most ${limits.variableValue.max}`;
  }
  if (value.includes('\0')) return `the value of ${shown} holds a NUL character`;
  if (secretInputs.has(value.trim())) {
    return `the value of ${shown} is that of a secret input of this action, such as api-key or github-token, which only the action may know: give the site a secret of its own`;
  }
  return undefined;
}

/** The most pairs of such names that are warned of. */
const maxAlike = 10;

/** Tells of names that are the same but for case: right for the service, and most often a slip. */
export function warnOfAlike(variables: readonly DesiredVariable[]): Diagnostic<string>[] {
  const groups = Map.groupBy(variables, ({ name }) => name.toLowerCase());
  const alike = [...groups.values()].filter((group) => group.length > 1);
  const told = alike.slice(0, maxAlike).map((group) => {
    const names = group.map(({ name, source }) => `${clean(name, 60)} (${source})`).join(' and ');
    return diagnose('SD1208', `${names} differ only by case: they are different variables`);
  });
  const more = alike.length - told.length;
  return more === 0
    ? told
    : [
        ...told,
        diagnose('SD1208', `${more} more names have others that differ from them only by case`),
      ];
}
