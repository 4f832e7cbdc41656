import type { z } from 'zod';
import type { Code } from '../../kernel/catalogue/code.ts';
import { asObject } from '../../kernel/json.ts';
import { describe } from '../../site-file/describe.ts';
import type { PositionedDocument } from '../../site-file/document.ts';
import type { Mistake, Path, Position } from '../../site-file/position.ts';
import type { siteFileSchema } from './schema.ts';
import { describeUnknownKey } from './unknown-key.ts';

/** An entry of a section under a right name, at the position of that name. */
export interface Entry<Value> {
  name: string;
  /** Undefined if it is wrong. */
  value: Value | undefined;
  /** What stands there, right or wrong. */
  given: unknown;
  place: Position;
}

/** A mistake for an issue, or one for each unknown key. */
function mistakesOf(
  issue: z.core.$ZodIssue,
  base: Path,
  { positionOf, keyPlaceOf }: PositionedDocument,
): Mistake[] {
  const path = [...base, ...issue.path];
  if (issue.code !== 'unrecognized_keys') {
    const ownRule: Code = path[0] === 'checks' ? 'SD2010' : 'SD2009';
    const code: Code = issue.code === 'custom' ? ownRule : 'SD2004';
    return [{ ...positionOf(path), code, message: issue.message }];
  }
  return issue.keys.map((key) => ({
    ...keyPlaceOf([...path, key]),
    code: 'SD2003',
    message: describeUnknownKey(key, path),
  }));
}

/** Holds parts of a document against schemas, and gathers what is wrong. */
export class Checker {
  readonly mistakes: Mistake[] = [];
  readonly #document: PositionedDocument;

  constructor(document: PositionedDocument) {
    this.#document = document;
  }

  /** Checks that the file is a mapping of known sections, without looking into them. */
  checkFrame(schema: typeof siteFileSchema): void {
    const { value } = this.#document;
    const sections = asObject(value);
    const frame = Object.entries(sections ?? {}).map(([name, section]) => [
      name,
      asObject(section) === undefined ? section : {},
    ]);
    this.#check(schema, sections === undefined ? (value ?? {}) : Object.fromEntries(frame), []);
  }

  /**
   * The entries of a section whose names are right. They are read one at a time, because a zod record drops the
   * name `__proto__`. An entry where nothing stands is an empty one.
   */
  entriesOf<Schema extends z.ZodType>(
    section: keyof z.output<typeof siteFileSchema>,
    nameSchema: z.ZodString,
    schema: Schema,
  ): Entry<z.output<Schema>>[] {
    const entries = Object.entries(asObject(asObject(this.#document.value)?.[section]) ?? {});
    return entries.flatMap(([name, given]) => {
      const path = [section, name];
      const place = this.#document.keyPlaceOf(path);
      const wrongName = nameSchema.safeParse(name).error?.issues ?? [];
      this.mistakes.push(
        ...wrongName.map(({ message }) => ({ ...place, code: 'SD2005' as const, message })),
      );
      const value = this.#check(schema, given ?? {}, path);
      return wrongName.length > 0 ? [] : [{ name, value, given, place }];
    });
  }

  #check<Schema extends z.ZodType>(schema: Schema, value: unknown, path: Path) {
    const result = schema.safeParse(value, { error: describe });
    if (result.success) return result.data;
    const found = result.error.issues.flatMap((issue) => mistakesOf(issue, path, this.#document));
    // One by one: there may be more of them than a call can have arguments.
    for (const mistake of found) this.mistakes.push(mistake);
    return undefined;
  }
}
