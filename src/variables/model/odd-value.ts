import { type Diagnostic, diagnose } from '../../kernel/diagnostic.ts';
import { listNames } from '../../kernel/names.ts';
import { clean, unsafeText } from '../../kernel/text/safe.ts';
import type { DesiredVariable } from '../intent.ts';

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
export function warnOfOdd(variables: readonly DesiredVariable[]): Diagnostic<string>[] {
  const phrases = [...Map.groupBy(variables, oddityOf)].flatMap(([oddity, odd]) =>
    oddity === undefined
      ? []
      : [`${oddity} ${listNames(odd, ({ name }) => unsafeText(clean(name, 60)))}`],
  );
  if (phrases.length === 0) return [];
  const text = `These values are written unchanged, but may have been copied wrong: ${phrases.join('; ')}`;
  return [diagnose('SD1214', text)];
}
