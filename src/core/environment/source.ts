/**
 * What the runner keeps for itself: the action's own inputs and state, the tokens of the job, and what describes
 * the run. In any case of letters, because Windows knows none.
 */
const reserved = /^(?:INPUT|STATE|ACTIONS|GITHUB|RUNNER)_/i;

/** What a source holds; undefined if it is not in the step's environment, or empty. */
export function lookUp(
  source: string,
  stepEnvironment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const value = Object.hasOwn(stepEnvironment, source) ? stepEnvironment[source] : undefined;
  return value === '' ? undefined : value;
}

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
export function reservedProblem(
  source: string,
  place: string,
  target: string | undefined,
  write: (target: string, source: string) => string,
): string | undefined {
  if (!reserved.test(source)) return undefined;
  // A token of GitHub's may have been pasted: it begins like a reserved name, but in small letters.
  const isShown = source === source.toUpperCase();
  const what = isShown ? source : 'a name that is not shown, in case it is a value';
  const other = isShown ? rename(source) : 'SITE_VALUE';
  const rewritten = write(target ?? (isShown ? source : 'NAME'), other);
  return `${place} takes a value from ${what}: names that begin with INPUT_, STATE_, ACTIONS_, GITHUB_ or RUNNER_ are the runner's and this action's own. Give the value another name in the step's env: (${other}: \${{ … }}), and write ${rewritten}`;
}
