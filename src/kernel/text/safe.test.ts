import { globSync, readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { sha } from '../../contract/commit.ts';
import type { DeployReport, Release } from '../../deploy/model/report.ts';
import { code, plain } from '../../report/markdown.ts';
import type { ServiceErrorDetails } from '../../service/errors.ts';
import { type Progress, Stop } from '../../step/step.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { createSanitize } from './redact.ts';
import { joinSafe, type SafeText, type Sanitize, safe, shorten, unsafeText } from './safe.ts';

const outside: string = '<b>\u001b[31mopen sesame</b>';
const present = createSanitize((text) => text.replaceAll('open sesame', '***'));

describe('a text that may be shown', () => {
  test('is made of others’ words by sanitizing and redacting them', () => {
    expectTypeOf(present).returns.toEqualTypeOf<SafeText>();
    expectTypeOf<ReturnType<Sanitize>>().toEqualTypeOf<SafeText>();
    expect(safe`It says ${present(outside)}, ${3} times.`).toBe('It says <b>***</b>, 3 times.');
  });

  test('is what the tag, a join and a cut give of such texts', () => {
    const parts = [safe`a`, unsafeText('b')];
    expectTypeOf(joinSafe(parts, ', ')).toEqualTypeOf<SafeText>();
    expect(joinSafe(parts, ', ')).toBe('a, b');
    expect(shorten(safe`abcdef`, 4)).toBe('abc…');
    expect(safe`a\n${2}`).toBe('a\n2');
  });

  test('is not what a mere string is, nor a template without the tag', () => {
    expectTypeOf<string>().not.toExtend<SafeText>();
    // @ts-expect-error: raw text in a safe one
    safe`${outside}`;
    // @ts-expect-error: a template without the tag
    shorten(`${present(outside)}`, 3);
    // @ts-expect-error: raw text among safe ones
    joinSafe([safe`a`, outside], ', ');
  });

  test('is what is validated, and what only this code can have written', () => {
    expect(safe`${sha('a'.repeat(40))} ${'failed' as 'failed' | 'skipped'}`).toHaveLength(47);
    const pattern: `${string}!` = '!';
    // @ts-expect-error: a part of it is raw
    safe`${pattern}`;
    const wider: 'failed' | (string & {}) = 'failed';
    // @ts-expect-error: it may be any other text
    safe`${wider}`;
  });

  test('is made by a cast in two files only', () => {
    const files = globSync('src/**/!(*.test).ts');
    const casting = files.filter((file) => /\bas SafeText\b/.test(readFileSync(file, 'utf8')));
    expect(casting.sort()).toEqual(['src/kernel/text/redact.ts', 'src/kernel/text/safe.ts']);
  });
});

describe('raw text does not compile', () => {
  test('in the renderers of Markdown', () => {
    // @ts-expect-error: not sanitized
    plain(outside);
    // @ts-expect-error: not sanitized
    code(outside);
  });

  test('in an error', () => {
    // @ts-expect-error: not sanitized
    new Stop('failed', outside);
    expectTypeOf<ServiceErrorDetails['detail']>().toEqualTypeOf<SafeText | undefined>();
    expectTypeOf<ServiceErrorDetails['request']>().toEqualTypeOf<SafeText>();
  });

  test('in what a run tells as it goes', () => {
    type Told = Extract<Progress, { type: 'status' | 'build-log' | 'note' | 'warning' }>;
    type Texts<One> = One extends unknown ? Omit<One, 'type' | 'elapsed' | 'verification'> : never;
    expectTypeOf<Texts<Told>>().toExtend<
      Readonly<Record<string, SafeText | Diagnostic | undefined>>
    >();
  });

  test('in a report', () => {
    type Words = Pick<DeployReport, 'error' | 'actions'>;
    expectTypeOf<Words>().toEqualTypeOf<{
      error?: Diagnostic;
      actions?: readonly SafeText[] | undefined;
    }>();
    type Known = Pick<Release, 'uncertainty' | 'deployment' | 'log'>;
    expectTypeOf<Known>().toEqualTypeOf<{
      uncertainty?: SafeText | undefined;
      deployment?: { id: SafeText; status?: SafeText } | undefined;
      log?: readonly SafeText[];
    }>();
  });
});
