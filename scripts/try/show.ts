import { stripVTControlCharacters, styleText } from 'node:util';
import { SecretMasker } from '../../emulator/runner/masks.ts';
import type { ActionResult, AnnotationLevel } from '../../emulator/runner.ts';

type Style = Parameters<typeof styleText>[0];

/** What a line of the log begins with, and how it looks on a terminal. */
const styles: readonly (readonly [RegExp, Style])[] = [
  [/^\s*Error: /, 'red'],
  [/^\s*Warning: /, 'yellow'],
  [/^\s*Notice: /, 'cyan'],
  [/^\s*##\[debug\]/, 'magenta'],
  [/^[▾▸] /, 'bold'],
];

const levels: Readonly<Record<AnnotationLevel, Style>> = {
  error: 'red',
  warning: 'yellow',
  notice: 'cyan',
};

/** Takes a line for the person. */
export type Print = (line: string) => void;

/** Colours only on a terminal that wants them: what {@link styleText} leaves plain, stays plain. */
const onTerminal = process.stdout.isTTY === true;

function styled(line: string): string {
  const style = styles.find(([pattern]) => pattern.test(line))?.[1];
  const shown = onTerminal ? line : stripVTControlCharacters(line);
  return style === undefined ? shown : styleText(style, shown);
}

/**
 * Gives what writes the lines of a step's log, as people see them on GitHub: groups are folded to their titles.
 * @param unfold shows what is in the groups too
 */
export function logWriter(print: Print, unfold: boolean): Print {
  let isFolded = false;
  return (line) => {
    const isTitle = line.startsWith('▾ ');
    isFolded = !unfold && (isTitle || (isFolded && (line === '' || line.startsWith('  '))));
    if (!isFolded) print(styled(line));
    else if (isTitle) print(styled(line.replace('▾', '▸')));
  };
}

/** Writes a heading of our own. */
export function showTitle(print: Print, title: string): void {
  print(`\n${styleText(['bold', 'underline'], title)}`);
}

/** Writes rows of names and what stands for them; the further lines of a text are indented. */
export function showRows(print: Print, rows: readonly (readonly [string, string])[]): void {
  const width = Math.max(0, ...rows.map(([name]) => name.length)) + 2;
  for (const [name, value] of rows) {
    const shown = stripVTControlCharacters(value)
      .split('\n')
      .join(`\n${' '.repeat(width + 2)}`);
    print(`  ${styleText('dim', name.padEnd(width))}${shown}`);
  }
}

/** Writes the messages that GitHub shows beside a run. */
function showAnnotations(print: Print, { annotations }: ActionResult): void {
  if (annotations.length === 0) return;
  showTitle(print, 'Annotations');
  for (const { level, title, message } of annotations) {
    const titled = title === undefined ? message : `${title}: ${message}`;
    print(`  ${styleText(levels[level], level)}  ${stripVTControlCharacters(titled)}`);
  }
}

/** Writes the outputs as a later step's log would show them: masked. */
function showOutputs(print: Print, { outputs, masks }: ActionResult): void {
  const masker = new SecretMasker();
  for (const mask of masks) masker.add(mask);
  const names = Object.keys(outputs);
  const empty = names.filter((name) => outputs[name] === '');
  const filled = names.filter((name) => outputs[name] !== '');
  showTitle(print, 'Outputs');
  showRows(
    print,
    filled.map((name) => [name, masker.mask(outputs[name] ?? '')]),
  );
  if (empty.length > 0) showRows(print, [['empty', empty.join(', ')]]);
}

/**
 * Writes what a step left behind.
 * @param isOwnCode whether its exit code is that of the command too
 */
export function showEnd(print: Print, result: ActionResult, isOwnCode: boolean): void {
  showAnnotations(print, result);
  showOutputs(print, result);
  const { conclusion, exitCode } = result;
  const code = exitCode === null ? 'no exit code' : `exit code ${exitCode}`;
  const hint = isOwnCode || exitCode === 0 ? '' : '; add --exit-code to exit with it';
  showTitle(print, `Conclusion: ${conclusion}, ${code}${hint}`);
}
