import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EarlyEnd, type Host, RunAborted } from '../../../src/frame/host.ts';
import type { Log } from '../../../src/github/log.ts';
import { coded, joinCoded, reword, withoutCode } from '../../../src/kernel/catalogue/coded.ts';
import type { Problem } from '../../../src/kernel/problem.ts';
import { safe, trusted } from '../../../src/kernel/text/safe.ts';

const texts = fc.string({ minLength: 1, maxLength: 60 }).map(trusted);

describe('a message', () => {
  test('ends in one full stop and its code, whatever it says', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(coded('SD1002', text)).toMatch(/((^|[^.])\.|[!?…]|[.!?…]\)) \(SD1002\)$/su);
      }),
    );
  });

  test.each([
    ['It failed', 'It failed. (SD5001)'],
    ['It failed.', 'It failed. (SD5001)'],
    ['It failed...', 'It failed. (SD5001)'],
    ['Did it fail?', 'Did it fail? (SD5001)'],
    ['It was cut…', 'It was cut… (SD5001)'],
    ['It failed. (One was written.)', 'It failed. (One was written.) (SD5001)'],
    ['It failed (ECONNREFUSED)', 'It failed (ECONNREFUSED). (SD5001)'],
  ])('%s', (text, message) => {
    expect(coded('SD5001', text)).toBe(message);
  });

  test('that ends in a code already keeps that: the root says what happened', () => {
    fc.assert(
      fc.property(texts, texts, (inner, outer) => {
        const root = coded('SD3001', inner);
        const told = coded('SD6101', safe`${outer} ${root}`);
        expect(told).toMatch(/ \(SD3001\)$/);
        expect(told.match(/\(SD\d{4}\)/g)).toHaveLength(1);
      }),
    );
  });

  test('that is told otherwise keeps its code, once, at the end', () => {
    fc.assert(
      fc.property(texts, texts, (text, more) => {
        const told = reword(coded('SD7203', text), (words) => safe`${words} ${more}`);
        expect(told.match(/\(SD\d{4}\)/g)?.at(-1)).toBe('(SD7203)');
        expect(withoutCode(told)).not.toMatch(/\(SD7203\)$/);
      }),
    );
  });

  test('of several has the code of each', () => {
    const two = [coded('SD6101', safe`One failed`), coded('SD6102', safe`Another failed`)];
    expect(joinCoded(two)).toBe('One failed. (SD6101) Another failed. (SD6102)');
    expect(joinCoded([])).toBeUndefined();
  });
});

test('the compiler takes nothing else for a message: `npm run types` fails if one of these lines is no mistake', () => {
  const refused = ({ report }: Host, log: Log) => {
    const text = safe`It failed.`;
    // @ts-expect-error -- a code that is in no table
    coded('SD0000', text);
    // @ts-expect-error -- a warning without a code
    report({ type: 'warning', text });
    // @ts-expect-error -- an annotation without a code
    log.error('Failed', text);
    // @ts-expect-error -- a line of the log that is a warning without a code
    log.write({ kind: 'warning', text });
    // @ts-expect-error -- the same where the code is written by hand
    log.write({ kind: 'warning', text: 'It failed. (SD5001)' });
    // @ts-expect-error -- a problem without a code
    const problem: Problem = { input: 'wait', message: 'is wrong' };
    // @ts-expect-error -- an end without a code
    const end = new EarlyEnd('failed', text);
    // @ts-expect-error -- an abort without a code
    return [problem, end, new RunAborted('cancelled', text)];
  };
  expect(refused).toBeTypeOf('function');
});
