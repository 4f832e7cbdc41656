import type { RecordedPlay } from './recorded.ts';

/** What people read, as opposed to what machines do. */
const words = ['log', 'annotations', 'summary', 'comments', 'deployments', 'error'] as const;

/** Fields of the JSON in outputs and requests that hold sentences. */
const sentences = /"(?:body|description|reason|seen|wanted)":"(?:[^"\\]|\\.)*"/g;

/** A value as lines. */
function linesOf(value: unknown): string[] {
  if (typeof value === 'string') return value.split('\n');
  if (Array.isArray(value)) return value.flatMap(linesOf);
  return [JSON.stringify(value)];
}

/** Each part of a play by its path: `steps.0.outputs.outcome`. */
function partsOf(
  value: unknown,
  path: string,
  parts: Map<string, string[]>,
): Map<string, string[]> {
  const isLeaf =
    typeof value !== 'object' ||
    value === null ||
    (Array.isArray(value) && !value.some((one) => typeof one === 'object'));
  if (isLeaf) parts.set(path, linesOf(value));
  else {
    for (const [name, one] of Object.entries(value)) {
      partsOf(one, path === '' ? name : `${path}\u0000${name}`, parts);
    }
  }
  return parts;
}

const isOfWords = (path: string): boolean =>
  path.split('\u0000').some((name) => (words as readonly string[]).includes(name));

/** Lines of one that the other lacks, as often as they stand there. */
function missing(from: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  return from.filter((line) => {
    const count = counts.get(line) ?? 0;
    counts.set(line, count - 1);
    return count < 1;
  });
}

/** Where writes of different things race: variables and records that are created, statuses of different deployments. */
const racing = /\/(?:environment|dns-records|statuses)$/;

/** Whether the same requests to one resource came in another order. */
const isReordered = (path: string, was: unknown, is: unknown): boolean =>
  ['service', 'github'].includes(path.split('\u0000')[0] ?? '') &&
  !racing.test(path) &&
  String(was) !== String(is);

/** How two records of a play differ, in lines; none if they do not. */
export function differences(
  before: RecordedPlay | undefined,
  after: RecordedPlay | undefined,
  { withoutWords = false }: { withoutWords?: boolean } = {},
): string[] {
  if (before === undefined) return ['+ this play'];
  if (after === undefined) return ['- this play'];
  const [old, now] = [partsOf(before, '', new Map()), partsOf(after, '', new Map())];
  const paths = [...new Set([...old.keys(), ...now.keys()])];
  return paths.flatMap((path) => {
    if (withoutWords && isOfWords(path)) return [];
    const read = (parts: typeof old) => {
      const lines = parts.get(path) ?? [];
      return withoutWords ? lines.map((line) => line.replace(sentences, '')) : lines;
    };
    const [was, is] = [read(old), read(now)];
    const lines = [
      ...missing(was, is).map((line) => `  - ${line}`),
      ...missing(is, was).map((line) => `  + ${line}`),
    ];
    if (lines.length === 0 && isReordered(path, was, is)) lines.push('  ~ in another order');
    return lines.length === 0 ? [] : [path.replaceAll('\u0000', ' › '), ...lines];
  });
}
