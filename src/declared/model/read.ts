import type { z } from 'zod';
import { check, type SiteFileCheck, siteCheck } from '../../checks/site-file.ts';
import {
  connectedDomain,
  dnsRecord,
  domainName,
  hostname,
  registeredDomain,
  type SiteDomains,
  siteConnectedDomain,
  siteRegisteredDomain,
} from '../../domains/site-file.ts';
import type { Code } from '../../kernel/code.ts';
import { asObject } from '../../kernel/json.ts';
import { clean } from '../../kernel/text/clean.ts';
import { describe, suggestion } from '../../site-file/describe-issue.ts';
import { type PositionedDocument, readDocument } from '../../site-file/document.ts';
import type { Entry } from '../../site-file/entry.ts';
import { inOrder, type Mistake, type Path, type Position } from '../../site-file/position.ts';
import {
  type SiteRemoval,
  type SiteVariable,
  siteRemoval,
  siteVariable,
  variable,
  variableName,
} from '../../variables/site-file.ts';
import { siteFileSchema } from './schema.ts';

/** What a site file says, and everything that is wrong with it. */
export type SiteFileReading = {
  /** If something is wrong, only what is right by itself: no mistake must hide another. */
  siteFile: SiteFile;
  /**
   * Where the value at a path of the file stands, such as `['registered-domains', 'example.com', 'dns',
   * 0, 'ttl']`; of what is not there, the innermost thing on the way to it that is.
   */
  positionOf: (path: Path) => Position;
} & ({ ok: true } | { ok: false; mistakes: Mistake[] });

/**
 * Reads a site file (`.github/site.yml`). Nothing in it is optional to understand: an unknown key, a value of
 * another type or a value that could be a secret is a mistake, and all mistakes are told together. A file
 * without content declares nothing.
 *
 * @param text the file's content
 */
export function readSiteFile(text: string): SiteFileReading {
  const document = readDocument(text);
  const { positionOf } = document;
  const checker = new Checker(document);
  checker.checkFrame(siteFileSchema);
  const variables = checker.entriesOf('environment', variableName, variable);
  const connected = checker.entriesOf('connected-domains', hostname, connectedDomain);
  const registered = checker.entriesOf('registered-domains', domainName, registeredDomain);
  const listed = asObject(document.value)?.['checks'];
  const checks = (Array.isArray(listed) ? listed : []).flatMap((item: unknown, index) =>
    siteCheck(item, positionOf(['checks', index])),
  );
  const siteFile = {
    ...(checks.length > 0 && { checks }),
    environment: variables.flatMap(siteVariable),
    removals: variables.flatMap(siteRemoval),
    connectedDomains: connected.flatMap(siteConnectedDomain),
    registeredDomains: registered.map((entry) => siteRegisteredDomain(entry, positionOf)),
  };
  const mistakes = inOrder(document.mistakes, checker.mistakes);
  const reading = { siteFile, positionOf };
  return mistakes.length > 0 ? { ok: false, mistakes, ...reading } : { ok: true, ...reading };
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

const keysOf = (schema: z.ZodObject) => Object.keys(schema.shape);

/** The keys that each mapping may have, by the words of the schema on the way to it. */
const allowedKeys: Readonly<Record<string, readonly string[]>> = {
  '': keysOf(siteFileSchema),
  environment: keysOf(variable),
  'connected-domains': keysOf(connectedDomain),
  'registered-domains': keysOf(registeredDomain),
  'registered-domains dns': keysOf(dnsRecord),
  checks: keysOf(check),
};

/**
 * What to say of a key that a mapping does not have. Among variables it is shown only if it is near a known
 * one: it may be a value that somebody pasted.
 *
 * @param path the way to the mapping; names and indices are every second step of it
 */
export function describeUnknownKey(key: string, path: Path): string {
  const known = allowedKeys[path.filter((_, index) => index % 2 === 0).join(' ')] ?? [];
  const near = suggestion(key, known);
  if (near !== '') return `unknown key "${clean(key, 60)}"${near}`;
  const shown = path[0] === 'environment' ? '' : ` "${clean(key, 60)}"`;
  return `unknown key${shown}; allowed here: ${known.join(', ')}`;
}

/** What a site file declares. */
export interface SiteFile extends SiteDomains {
  environment: SiteVariable[];
  removals: SiteRemoval[];
  /** Absent if it has none. */
  checks?: SiteFileCheck[];
}
