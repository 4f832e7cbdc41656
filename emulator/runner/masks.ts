type Encoder = (value: string) => string;
type Range = { start: number; end: number };

const base64From =
  (offset: number): Encoder =>
  (value) => {
    const bytes = Buffer.from(value);
    return bytes.subarray(bytes.length > offset ? offset : 0).toString('base64');
  };

const json: Encoder = (value) =>
  JSON.stringify(value)
    .slice(1, -1)
    .replaceAll('\u0085', '\\u0085')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');

const uri: Encoder = (value) =>
  encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const xmlEntities: Record<string, string> = {
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '&': '&amp;',
};
const xml: Encoder = (value) => value.replace(/[<>"'&]/g, (found) => xmlEntities[found] ?? found);

const withoutQuotes: Encoder = (value) =>
  value.length > 8 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : '';

/** PowerShell colours what follows an ampersand, so a secret may be printed in two parts. */
const ampersandParts = (value: string): [string, string] => {
  const coloured = value.indexOf('&+');
  if (coloured >= 0) return [value.slice(0, coloured + 2), value.slice(coloured + 3)];
  const last = value.lastIndexOf('&');
  return last >= 0 ? [value.slice(0, last + 1), value.slice(last + 1)] : ['', ''];
};
const unlessShort = (part: string) => (part.length >= 6 ? part : '');

/** The forms of a secret that the runner masks beside the secret itself. Hex and base64url are not among them. */
const encoders: Encoder[] = [
  base64From(0),
  base64From(1),
  base64From(2),
  (value) => value.replaceAll('"', '\\"'),
  (value) => value.replaceAll("'", "''"),
  json,
  uri,
  xml,
  withoutQuotes,
  (value) => unlessShort(ampersandParts(value)[0]),
  (value) => unlessShort(ampersandParts(value)[1]),
];

const nonEmptyLines = (value: string) =>
  value
    .split(/[\r\n]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Replaces secrets by `***` in what a person sees, by the rules of GitHub's runner. */
export class SecretMasker {
  readonly #values = new Set<string>();
  readonly #patterns = new Set<string>();

  /** The masked values as they were added, without their encoded forms. */
  get values(): string[] {
    return [...this.#values];
  }

  /** Masks one value in all its encoded forms; there is no minimum length. An empty value is ignored. */
  add(value: string): void {
    if (value === '' || this.#values.has(value)) return;
    this.#values.add(value);
    this.#patterns.add(value);
    for (const encode of encoders) {
      const encoded = encode(value);
      if (encoded !== '') this.#patterns.add(encoded);
    }
  }

  /** Masks a value whole and line by line, as `add-mask` and the runner's own secrets do. */
  addWithLines(value: string): void {
    this.add(value);
    for (const line of nonEmptyLines(value)) this.add(line);
  }

  /** The text with every masked stretch as `***`; stretches that touch become one. */
  mask(text: string): string {
    let masked = '';
    let position = 0;
    for (const { start, end } of merge(this.#find(text))) {
      masked += `${text.slice(position, start)}***`;
      position = end;
    }
    return masked + text.slice(position);
  }

  #find(text: string): Range[] {
    const found: Range[] = [];
    for (const pattern of this.#patterns) {
      let start = text.indexOf(pattern);
      while (start >= 0) {
        found.push({ start, end: start + pattern.length });
        start = text.indexOf(pattern, start + 1);
      }
    }
    return found.sort((a, b) => a.start - b.start);
  }
}

function merge(sorted: Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && range.start <= last.end) last.end = Math.max(last.end, range.end);
    else merged.push({ ...range });
  }
  return merged;
}
