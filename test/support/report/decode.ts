/** What a reader of Markdown sees: numeric entities decoded. */
export const decode = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, digits: string) => String.fromCodePoint(Number(digits)));
