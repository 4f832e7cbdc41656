import { readFileSync, writeFileSync } from 'node:fs';

const page = new URL('../docs/benchmarks.md', import.meta.url);

/** Puts what was measured between its marks in `docs/benchmarks.md`, in place of what stood there. */
export function writeReport(name: string, measured: string): void {
  const [begin, end] = [`<!-- measured: ${name} -->`, `<!-- end of ${name} -->`];
  const text = readFileSync(page, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/benchmarks.md has no place for ${name}`);
  const [before, after] = [text.slice(0, from + begin.length), text.slice(to)];
  writeFileSync(page, `${before}\n\n${measured}\n\n${after}`);
}
