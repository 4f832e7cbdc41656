import { createHash } from 'node:crypto';

/** A name of a world's own: what it has anew each time, and how it is found. A hyphen may stand as an entity. */
const anew: readonly RegExp[] = [
  // Ids.
  /\b[0-9a-f]{8}(?:(?:-|&#45;)[0-9a-f]{4}){3}(?:-|&#45;)[0-9a-f]{12}\b/g,
  // Commits, digests and marks.
  /\b[0-9a-f]{16,64}\b/g,
];

/** How much of an id or a commit is shown where it is shown short. */
const shortened: Readonly<Record<number, number>> = { 36: 8, 40: 7 };

const hyphen = /&#45;/g;

/** Hex digits in the place of others, the same for the same place. */
function standIn(found: string, seed: string): string {
  const digits = createHash('sha256').update(seed).digest('hex');
  let next = 0;
  return found.replace(/[0-9a-f]/g, () => digits[next++ % digits.length] ?? '0');
}

/** The local world's address, for which a reader sees that of a site. */
const localAddress =
  /(http(?::|&#58;)\/\/)?127(?:\.|&#46;)0(?:\.|&#46;)0(?:\.|&#46;)1(?::|&#58;)\d+/g;

/**
 * Makes what replaces the ids, commits and ports of a world, which are new in each, by others that are the same each
 * time: in the order in which they come, so that what was one thing stays one.
 *
 * @param scene the scene's name, so that no two show the same ids
 * @param texts all that is to be shown, in an order of its own
 */
export function makeSteady(scene: string, texts: readonly string[]): (text: string) => string {
  const names = new Map<string, string>();
  for (const text of texts) {
    const found = anew.flatMap((pattern) => [...text.matchAll(pattern)]);
    for (const [match] of found.sort((a, b) => a.index - b.index)) {
      const name = match.replace(hyphen, '-');
      if (names.has(name)) continue;
      names.set(name, standIn(name, `${scene} ${names.size}`));
    }
  }
  const short = new Map(
    [...names].flatMap(([name, other]) => {
      const length = shortened[name.length];
      return length === undefined ? [] : [[name.slice(0, length), other.slice(0, length)]];
    }),
  );
  const pieces = [...short.keys()];
  const shortPattern = new RegExp(`\\b(?:${pieces.join('|') || '(?!)'})\\b`, 'g');
  const replaceLong = (match: string): string => {
    const other = names.get(match.replace(hyphen, '-')) ?? match;
    return match.includes('&#45;') ? other.replaceAll('-', '&#45;') : other;
  };
  return (text) => {
    const long = anew.reduce((shown, pattern) => shown.replace(pattern, replaceLong), text);
    return long
      .replace(shortPattern, (match) => short.get(match) ?? match)
      .replace(
        localAddress,
        (_, scheme?: string) => `${scheme === undefined ? '' : 'https://'}www.example.com`,
      )
      .replace(/www\.example\.com(?= \(GitHub's API)/g, 'api.github.com')
      .replace(
        /www\.example\.com(?= \(GitHub's cache)/g,
        'results-receiver.actions.githubusercontent.com',
      )
      .replace(/(\/site-(?:try|gallery|emulator)-)[A-Za-z0-9]{6}\b/g, '$1000000');
  };
}
