import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Log } from '../platform.ts';
import { type Host, RunAborted, Stop } from '../step/step.ts';
import { diagnose, joinDiagnostics, type Problem, printed, reword } from './diagnostic.ts';
import { safe, unsafeText } from './text/safe.ts';

const texts = fc.string({ minLength: 1, maxLength: 60 }).map(unsafeText);

describe('an error or a warning', () => {
  test('ends in one full stop and its code, whatever it says', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const read = printed(diagnose('SD1002', text));
        expect(read).toMatch(/((^|[^.])\.|[!?…]|[.!?…]\)) \(SD1002\)$/su);
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
  ])('%s', (text, read) => {
    expect(printed(diagnose('SD5001', text))).toBe(read);
  });

  test('keeps its code in other words, which are whole sentences too', () => {
    const told = reword(diagnose('SD7203', safe`It failed`), (text) => safe`${text} It is left`);
    expect(told).toEqual({ code: 'SD7203', text: 'It failed. It is left.' });
  });

  test('of several has the code of each', () => {
    const two = [diagnose('SD6101', safe`One failed`), diagnose('SD6102', safe`Another failed`)];
    const one = joinDiagnostics(two);
    expect(one && printed(one)).toBe('One failed. (SD6101) Another failed. (SD6102)');
    expect(joinDiagnostics([])).toBeUndefined();
  });

  test('that is thrown has it as its message', () => {
    const error = new Stop('failed', diagnose('SD5001', safe`It failed`));
    expect(error.message).toBe('It failed. (SD5001)');
    expect(error.diagnostic).toEqual({ code: 'SD5001', text: 'It failed.' });
  });
});

test('the compiler takes nothing else for a message: `npm run types` fails if one of these lines is no mistake', () => {
  const refused = ({ report }: Host, log: Log) => {
    const text = safe`It failed.`;
    // @ts-expect-error -- a code that is in no table
    diagnose('SD0000', text);
    // @ts-expect-error -- a warning without a code
    report({ type: 'warning', diagnostic: text });
    // @ts-expect-error -- an annotation without a code
    log.error('Failed', text);
    // @ts-expect-error -- a line of the log that is a warning without a code
    log.write({ kind: 'warning', diagnostic: text });
    // @ts-expect-error -- the same where the code is written by hand
    log.write({ kind: 'warning', diagnostic: 'It failed. (SD5001)' });
    // @ts-expect-error -- a problem without a code
    const problem: Problem = { input: 'wait', message: 'is wrong' };
    // @ts-expect-error -- an end without a code
    const end = new Stop('failed', text);
    // @ts-expect-error -- an abort without a code
    return [problem, end, new RunAborted('cancelled', text)];
  };
  expect(refused).toBeTypeOf('function');
});
