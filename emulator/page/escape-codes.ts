import { type Html, html, longText } from './html.ts';

const colors = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;

/** What a code switches on, as a class. Those of the same kind replace each other. */
const looks = new Map<number, readonly [kind: string, look: string]>([
  [1, ['weight', 'bold']],
  [2, ['weight', 'faint']],
  [3, ['slant', 'italic']],
  [4, ['line', 'underlined']],
  ...colors.flatMap((color, index) => [
    [30 + index, ['color', color]] as const,
    [90 + index, ['color', `bright-${color}`]] as const,
    [40 + index, ['back', `on-${color}`]] as const,
    [100 + index, ['back', `on-bright-${color}`]] as const,
  ]),
]);

const ends = new Map([
  [22, 'weight'],
  [23, 'slant'],
  [24, 'line'],
  [39, 'color'],
  [49, 'back'],
]);

/** How many codes one of the 256 colors, or one of all colors, takes. They are shown as no color. */
const lengths: Readonly<Record<number, number>> = { 5: 3, 2: 5 };

function apply(codes: readonly number[], look: Map<string, string>): void {
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    const [kind = '', name = ''] = looks.get(code) ?? [];
    if (code === 0) look.clear();
    else if (kind !== '') look.set(kind, name);
    else if (code === 38 || code === 48) at += (lengths[codes[at + 1] ?? 0] ?? 1) - 1;
    else look.delete(ends.get(code) ?? '');
  }
}

/** A line of a log, with the colors that its escape codes give it. Other codes are left out. */
export function renderColored(line: string): Html[] {
  const look = new Map<string, string>();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it begins an escape code
  const pieces = line.split(/\u001b\[([\d;]*)m/);
  return pieces.flatMap((piece, index) => {
    if (index % 2 === 1) apply(piece.split(';').map(Number), look);
    if (index % 2 === 1 || piece === '') return [];
    const shown = longText(piece);
    return look.size === 0
      ? shown
      : html`<span class="${[...look.values()].join(' ')}">${shown}</span>`;
  });
}
