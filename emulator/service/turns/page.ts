/** The first line of a prompt that says something, at most 100 characters of it, without control characters. */
export function headline(prompt: string): string {
  const lines = prompt.split(/[\r\n]/).map((line) => line.replace(/\p{Cc}/gu, ' ').trim());
  const first = lines.find((line) => line !== '') ?? '';
  return Array.from(first).slice(0, 100).join('').toWellFormed();
}

/** Adds a paragraph to a page: before the end of its main part, else of its body, else after everything. */
export function addParagraph(page: string, text: string): string {
  const ends = ['</main>', '</body>'].map((tag) => page.lastIndexOf(tag));
  const place = ends.find((end) => end !== -1) ?? page.length;
  return `${page.slice(0, place)}<p>${escapeText(text)}</p>\n${page.slice(place)}`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
