import { createHash } from 'node:crypto';

/** What a world calls its own things, so that one that is new in each world keeps its name: `<project 1>`. */
export type KnownNames = ReadonlyMap<string, string>;

/** A hyphen may stand as an entity, or escaped. */
const uuid =
  /(?<![0-9a-f])[0-9a-f]{8}(?:(?:-|&#45;|%2D)[0-9a-f]{4}){3}(?:-|&#45;|%2D)[0-9a-f]{12}\b/g;

/** What differs from play to play, and what stands in its place, in this order. */
const rules: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g, '<date>'],
  [/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} [\d:]{8} GMT/g, '<date>'],
  [/%20(?=[0-9a-f]{8}%2D)/g, ' '],
  [uuid, '<id>'],
  [/\b[0-9a-f]{41,}\b/g, '<digest>'],
  [/\b[0-9a-f]{40}\b/g, '<commit>'],
  [/\b[0-9a-f]{16,39}\b/g, '<hex>'],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,8}\b/g, '<short>'],
  // One in forty has no letter.
  [/\bproject-\d{8}\b/g, 'project-<short>'],
  // Signatures, marks and sealed texts.
  [/(?<![\w-])(?=[\w+/-]*\d)(?=[\w+/-]*[A-Z])[\w+/-]{22,}={0,2}(?![\w-])/g, '<sealed>'],
  [/(127(?:\.|&#46;)0(?:\.|&#46;)0(?:\.|&#46;)1|localhost)(:|&#58;)\d+/g, '$1$2<port>'],
  [/\b\d+(?:\.\d+)? ?(?:ms|s|min|m|h)\b(?: \d+ ?s\b)?/g, '<time>'],
  [/(:|&#58;)\d{5}(?=[/\s"'`&)]|$)/gm, '$1<port>'],
  [/^ +(?=<time>)/gm, ' '],
  [/(<code>|`)\d{7}(?=<\/code>|`)/g, '$1<short>'],
  // How far a domain is when it is looked at.
  [/\bstate [\w ]+?, ownership [\w ]+?, certificate [\w ]+?, routing [\w ]+/g, '<states>'],
  [
    /"(state|status)":"(?:pending|verifying|checking|issuing|issued|propagating)"/g,
    '"$1":"<state>"',
  ],
  // Comments, deployments and requests are numbered as they come.
  [/(issuecomment-|\/(?:comments|deployments|statuses)\/|request-)\d+/g, '$1<number>'],
  [/"ms":\d+/g, '"ms":<time>'],
  [/"until":\d{13}/g, '"until":<date>'],
  [/ after <time>(?=$|\n)/gm, ''],
  // Two projects are named in the order of their ids.
  [/<project \d+>\+<project \d+>/g, '<both projects>'],
  [/\b[1-9]\d* requests?\b/g, '<n> requests'],
  [/(Requests to the service: )\d+/g, '$1<n>'],
  [/\/(?:dev\/shm|tmp|var\/folders)\/[^\s"'`)]+/g, '<folder>'],
];

/** How a commit or a project is named where there is little room. */
function shortOf(value: string): string[] {
  if (/^[0-9a-f]{40}$/.test(value)) return [value.slice(0, 7)];
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value) ? [value.slice(0, 8)] : [];
}

/** The chart of a run's phases is made of times alone, and is left out where they are short. */
const chart = /(?:### Timeline\s+)?```mermaid[\s\S]*?```\s*/g;

/**
 * Makes what two plays of one build leave the same: what is new in each world gets its name or a stand-in.
 *
 * @param known the names of a world's own things, whole; what is shown of them in short gets it as well
 */
export function createScrub(known: KnownNames): (text: string) => string {
  const names = [...known].flatMap(([value, name]) => [
    [value, `<${name}>`] as const,
    [value.replaceAll('-', '&#45;'), `<${name}>`] as const,
    [value.replaceAll('-', '%2D'), `<${name}>`] as const,
    ...shortOf(value).map((short) => [short, `<${name}, short>`] as const),
  ]);
  return (text) => {
    const named = names.reduce((shown, [value, name]) => shown.replaceAll(value, name), text);
    const still = named.replace(chart, '');
    return rules.reduce((shown, [pattern, other]) => shown.replace(pattern, other), still);
  };
}

/** The same for all texts of a value. */
export function scrubAll(value: unknown, scrub: (text: string) => string): unknown {
  if (typeof value === 'string') return scrub(value);
  if (Array.isArray(value)) return value.map((one) => scrubAll(one, scrub));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [scrub(name), scrubAll(one, scrub)]),
  );
}

/** Numbers from a seed: the same ones for the same seed. @returns a number from 0 to below 1 each time */
export function randomFrom(seed: string): () => number {
  let count = 0;
  return () => {
    count += 1;
    return createHash('sha256').update(`${seed} ${count}`).digest().readUInt32BE(0) / 2 ** 32;
  };
}
