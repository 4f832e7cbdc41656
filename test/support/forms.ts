import { describe, expect, test } from 'vitest';
import type { InputSchema } from '../../src/input-schemas.ts';

/** What a form makes of good texts, and what it says of bad ones. */
export interface FormCase {
  name: string;
  schema: InputSchema<unknown>;
  good: readonly (readonly [text: string, value: unknown])[];
  bad: readonly string[];
  /** A part of what is said of each bad text. */
  says: string;
}

/** Tests what may be written in inputs. */
export function testForms(cases: readonly FormCase[]): void {
  describe.each(cases)('$name', ({ schema, good, bad, says }) => {
    test.each([...good])('takes %j', (text, value) => {
      expect(schema(text)).toEqual({ value });
    });

    test.each([...bad])('refuses %j', (text) => {
      expect(schema(text)).toEqual({ fault: expect.stringContaining(says) });
    });
  });
}
