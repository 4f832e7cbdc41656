import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/support/exhaustive.ts';
import {
  createNeedles,
  encodings,
  findNeedles,
  type Sought,
  type Span,
  shortestNeedle,
} from './needles.ts';
import { cutMark, type OwnMarks } from './safe.ts';

const inOneAlphabet = (text: string) => text.replaceAll('-', '+').replaceAll('_', '/');

/** What a cut may have left of an escape or of a character is no longer than that, and begins with one of these. */
const longestTorn = 12;
const torn = /[%&'\\\p{Cc}\p{Cs}\ufffd]/u;

/** Where a text may end that stands before a mark. */
const endsBefore = (text: string, mark: number): number[] => [
  mark,
  ...Array.from({ length: longestTorn - 1 }, (_, back) => mark - 1 - back).filter(
    (place) => place >= 0 && torn.test(text[place] ?? ''),
  ),
];

/** Finds the same with every spelling of every text at hand, by comparing each with the text at each place. */
function findPlainly({ texts, encoded }: Sought, given: string, own: OwnMarks): Span[] {
  const needles = [...texts, ...encoded.flatMap(encodings)].map(inOneAlphabet);
  const text = inOneAlphabet(given);
  const marks = [...text.matchAll(new RegExp(cutMark, 'g'))].map(({ index }) => index);
  const ours = { none: [], last: marks.filter((at) => at === text.length - 1), all: marks }[own];
  const spans: Span[] = [];
  for (let start = 0; start <= text.length - shortestNeedle; start += 1) {
    const found = needles.filter((needle) => text.startsWith(needle, start));
    const longest = Math.max(0, ...found.map(({ length }) => length));
    if (longest > 0) spans.push({ start, end: start + longest });
    const mark = ours.find((at) => at >= start);
    const beginnings = mark === undefined ? [] : endsBefore(text, mark);
    const isCut = beginnings.some((end) => {
      const beginning = text.slice(start, end);
      return (
        beginning.length >= shortestNeedle &&
        needles.some((needle) => needle !== beginning && needle.startsWith(beginning))
      );
    });
    if (isCut && mark !== undefined) spans.push({ start, end: mark });
  }
  return spans;
}

/** Few characters, so that many texts begin alike, hold one another, and look like their own encodings. */
const word = fc.string({
  unit: fc.constantFrom('a', 'b', '-', '+', '_', 'Y', 'W', '6', '1', 'ü', '😀'),
  minLength: shortestNeedle,
  maxLength: 14,
});

const soughtAndText = fc
  .record({ texts: fc.array(word, { maxLength: 6 }), encoded: fc.array(word, { maxLength: 4 }) })
  .chain((sought) => {
    const spelled = [...sought.texts, ...sought.encoded.flatMap(encodings), 'abab'];
    const piece = fc
      .tuple(fc.constantFrom(...spelled), fc.nat({ max: 12 }))
      .map(([text, less]) => (less > 6 ? text : text.slice(0, text.length - less)));
    const between = fc.constantFrom('', ' ', cutMark, '%2', '\\', 'a');
    const text = fc.array(fc.oneof(piece, piece, between), { maxLength: 8 });
    return fc.tuple(
      fc.constant(sought),
      text.map((pieces) => pieces.join('')),
    );
  });

test('what is found is what a look at every spelling finds', () => {
  fc.assert(
    fc.property(
      soughtAndText,
      fc.constantFrom<OwnMarks>('none', 'last', 'all'),
      ([sought, text], own) => {
        const needles = createNeedles(sought);
        expect([...findNeedles(needles, text, own)]).toEqual(findPlainly(sought, text, own));
      },
    ),
    runs(400),
  );
});

test('nothing is spelled out before its beginning is there', () => {
  const needles = createNeedles({ texts: [], encoded: ['fake-key-1', 'fake-key-2', 'other-key'] });
  expect([...findNeedles(needles, 'no word of them', 'none')]).toEqual([]);
  expect(needles.spelled.size).toBe(0);
  const [, , , , hexadecimal = ''] = encodings('fake-key-1');
  expect([...findNeedles(needles, `is ${hexadecimal}`, 'none')]).toEqual([{ start: 3, end: 23 }]);
  // Both ways of writing hexadecimal begin alike here; "other-key" is still not spelled out.
  const spelled = [...needles.spelled.values()].flatMap(({ sorted }) => sorted);
  const lowerCase = ['fake-key-1', 'fake-key-2'].map((text) => Buffer.from(text).toString('hex'));
  expect(spelled.toSorted()).toEqual(
    [...lowerCase, ...lowerCase.map((text) => text.toUpperCase())].toSorted(),
  );
});
