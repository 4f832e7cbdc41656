/** What stands for each sign of a filter pattern in a regular expression. */
const signs: readonly (readonly [RegExp, string])[] = [
  [/^\*\*\//, '(?:.*/)?'],
  [/^\*\*/, '.*'],
  [/^\*/, '[^/]*'],
  [/^[?+]/, '$&'],
  [/^\[[^\]]*\]/, '$&'],
  [/^\\(.)/s, '\\$1'],
];

/** A filter pattern of GitHub's (`release/**`, `v[12].[0-9]+`) as a regular expression. */
function expressionOf(pattern: string): RegExp {
  let rest = pattern;
  let source = '';
  while (rest !== '') {
    const [sign, replacement] = signs.find(([one]) => one.test(rest)) ?? [/^./su, undefined];
    const [found = ''] = sign.exec(rest) ?? [];
    source += replacement === undefined ? RegExp.escape(found) : found.replace(sign, replacement);
    rest = rest.slice(found.length);
  }
  return new RegExp(`^${source}$`, 'su');
}

/** Whether a name passes a list of patterns: the last one that fits decides, and `!` excludes. */
export function passes(name: string, patterns: readonly string[]): boolean {
  let isIn = false;
  for (const pattern of patterns) {
    const isExclusion = pattern.startsWith('!');
    if (expressionOf(isExclusion ? pattern.slice(1) : pattern).test(name)) isIn = !isExclusion;
  }
  return isIn;
}
