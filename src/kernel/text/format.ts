import { type SafeText, unsafeText } from './safe.ts';

/**
 * Replaces `{name}` placeholders. Unknown ones are kept.
 *
 * @param values the text for each name, inserted as it is
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{([a-zA-Z-]+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}

/**
 * Formats milliseconds: `0.4s`, `4s`, `12.3s`, `2m 5s`, `20m`, `1h 2m 3s`, `7d`.
 *
 * `Intl.DurationFormat` gives the same, but its first use takes 13 ms and 6 MB in the middle of a run.
 */
export function formatDuration(milliseconds: number): SafeText {
  const tenths = Math.round(milliseconds / 100);
  if (tenths < 600) return unsafeText(`${tenths / 10}s`);
  const total = Math.round(milliseconds / 1000);
  const parts = [
    [Math.floor(total / 86_400), 'd'],
    [Math.floor(total / 3600) % 24, 'h'],
    [Math.floor(total / 60) % 60, 'm'],
    [total % 60, 's'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count}${unit}`);
  return unsafeText(shown.join(' '));
}

/** A text as a sentence, which ends in one period or in its own punctuation. */
export const sentence = (text: SafeText): SafeText => unsafeText(asSentence(text));

/** The same for a text that is not safe to show yet. */
export function asSentence(text: string): string {
  const words = text.trimEnd();
  return /[!?…]$|[.!?…]\)$/.test(words) ? words : `${withoutStops(words)}.`;
}

/** A regular expression would take quadratic time. */
function withoutStops(text: string): string {
  let end = text.length;
  while (text[end - 1] === '.') end -= 1;
  return text.slice(0, end);
}
