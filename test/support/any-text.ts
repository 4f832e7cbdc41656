import fc from 'fast-check';

const surrogates = 0xe000 - 0xd800;

/**
 * One code point of any kind, as by `unit: 'binary'` of fast-check, which first writes down all of their million: a
 * second in each process.
 */
export const anyCodePoint = fc.nat({ max: 0x10ffff - surrogates }).map(
  (index) => String.fromCodePoint(index < 0xd800 ? index : index + surrogates),
  (text) => {
    const [character, ...rest] = String(text);
    if (character === undefined || rest.length > 0) throw new Error('is not one code point');
    const codePoint = character.codePointAt(0) ?? 0;
    return codePoint < 0xd800 ? codePoint : codePoint - surrogates;
  },
);
