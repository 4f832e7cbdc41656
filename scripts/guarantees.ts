// What docs/guarantees.md links: tests by their full names, each as the title of a link to its file.
//
//     [rivals](../test/git/rivals.test.ts "somebody pushes %s and we force (%s): theirs is kept")

/** A test that the page names. */
interface NamedTest {
  /** Its line in the page. */
  line: number;
  /** The path of its file from the root. */
  file: string;
  /** With the placeholders of its table, such as `%s` and `$name`. */
  name: string;
}

/** What Vitest's reporter `json` writes, as far as it is read here. */
export interface TestResults {
  testResults: readonly {
    /** The path of the file. */
    name: string;
    assertionResults: readonly { fullName: string; status: string }[];
  }[];
}

/** The tests that the page names. */
export const namedTests = (page: string): NamedTest[] =>
  page
    .split('\n')
    .flatMap((text, index) =>
      [...text.matchAll(/\]\(\.\.\/([^\s)]+\.test\.ts)(?: "([^"]*)")?\)/g)].map(
        ([, file = '', name = '']) => ({ line: index + 1, file, name }),
      ),
    );

/** The names of a test's rows: any text can be in place of a placeholder. */
const patternOf = (name: string): RegExp =>
  new RegExp(
    `^${name
      .split(/%[a-z]|\$[\w.]+/)
      .map(RegExp.escape)
      .join('[^]*')}$`,
  );

/** What is wrong with the tests that the page names: one that is not there, or did not run and pass. */
export function wrongIn(page: string, results: readonly TestResults[]): string[] {
  const files = results.flatMap(({ testResults }) => testResults);
  return namedTests(page).flatMap(({ line, file, name }) => {
    const pattern = patternOf(name);
    const rows = files
      .filter((one) => one.name.replaceAll('\\', '/').endsWith(`/${file}`))
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ fullName }) => pattern.test(fullName));
    const [wrong] = rows.filter(({ status }) => status !== 'passed');
    const where = `docs/guarantees.md:${line}: ${file}`;
    if (rows.length === 0) return `${where}: no test has the name "${name}"`;
    return wrong === undefined ? [] : `${where}: "${wrong.fullName}" is ${wrong.status}`;
  });
}
