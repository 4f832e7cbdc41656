import { z } from 'zod';
import { check, checks, type SiteFileCheck, siteCheck } from '../../checks/site-file.ts';
import {
  connectedDomain,
  dnsRecord,
  domainName,
  hostname,
  registeredDomain,
  replacedRecord,
  type SiteDomains,
  siteConnectedDomain,
  siteRegisteredDomain,
} from '../../domains/site-file.ts';
import type { Code } from '../../kernel/code.ts';
import { asObject } from '../../kernel/json.ts';
import { clean } from '../../kernel/text/safe.ts';
import {
  describeIssue,
  type PositionedDocument,
  readDocument,
  suggestion,
} from '../../site-file/document.ts';
import { type Entry, mapping } from '../../site-file/entry.ts';
import { inOrder, type Mistake, type Path, type Position } from '../../site-file/position.ts';
import {
  type SiteRemoval,
  type SiteVariable,
  siteRemoval,
  siteVariable,
  variable,
  variableName,
} from '../../variables/site-file.ts';

/** A mapping of names to entries, which may be empty. */
const section = <Entry extends z.ZodType>(name: z.ZodString, entry: Entry, description: string) =>
  z.record(name, entry.nullable()).nullable().describe(description).exactOptional();

/** The schema of the site file, from which its JSON Schema is generated. */
const siteFileSchema = mapping(
  {
    environment: section(variableName, variable, 'Environment variables, by name.'),
    'connected-domains': section(
      hostname,
      connectedDomain,
      'Domains that you registered at another provider, by hostname.',
    ),
    'registered-domains': section(
      domainName,
      registeredDomain,
      'Domains that are registered through the service, by name.',
    ),
    checks,
  },
  'with environment, connected-domains, registered-domains or checks',
).meta({
  title: 'Site file',
  description:
    'What a site needs in addition to its code: environment variables, domains, DNS records and checks.',
});

/**
 * The site file's JSON Schema, for editors: draft 7, which all of them support. It is less strict than the reader.
 */
export function siteFileJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(siteFileSchema, { target: 'draft-7', io: 'input' });
}

/** The content of a site file, and all mistakes in it. */
export type SiteFileReading = {
  /** With mistakes: the valid parts, so that further checks find all mistakes. */
  siteFile: SiteFile;
  /**
   * The position of the value at a path, such as `['registered-domains', 'example.com', 'dns', 0, 'ttl']`, or of its
   * innermost existing parent.
   */
  positionOf: (path: Path) => Position;
} & ({ ok: true } | { ok: false; mistakes: Mistake[] });

/**
 * Reads a site file (`.github/site.yml`). Unknown keys, values of a wrong type and values that could be secrets are
 * mistakes, and all mistakes are reported together. An empty file declares nothing.
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
  { positionOf, keyPositionOf }: PositionedDocument,
): Mistake[] {
  const path = [...base, ...issue.path];
  if (issue.code !== 'unrecognized_keys') {
    const ownRule: Code = path[0] === 'checks' ? 'SD2010' : 'SD2009';
    const code: Code = issue.code === 'custom' ? ownRule : 'SD2004';
    return [{ ...positionOf(path), code, message: issue.message }];
  }
  return issue.keys.map((key) => ({
    ...keyPositionOf([...path, key]),
    code: 'SD2003',
    message: describeUnknownKey(key, path),
  }));
}

/** Validates parts of a document against schemas, and collects the mistakes. */
class Checker {
  readonly mistakes: Mistake[] = [];
  readonly #document: PositionedDocument;

  constructor(document: PositionedDocument) {
    this.#document = document;
  }

  /** Checks that the file is a mapping of known sections, without their content. */
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
   * The entries of a section with valid names. They are parsed one at a time, because a zod record drops the name
   * `__proto__`. An entry without a value is empty.
   */
  entriesOf<Schema extends z.ZodType>(
    section: keyof z.output<typeof siteFileSchema>,
    nameSchema: z.ZodString,
    schema: Schema,
  ): Entry<z.output<Schema>>[] {
    const entries = Object.entries(asObject(asObject(this.#document.value)?.[section]) ?? {});
    return entries.flatMap(([name, given]) => {
      const path = [section, name];
      const position = this.#document.keyPositionOf(path);
      const wrongName = nameSchema.safeParse(name).error?.issues ?? [];
      this.mistakes.push(
        ...wrongName.map(({ message }) => ({ ...position, code: 'SD2005' as const, message })),
      );
      const value = this.#check(schema, given ?? {}, path);
      return wrongName.length > 0 ? [] : [{ name, value, given, position }];
    });
  }

  #check<Schema extends z.ZodType>(schema: Schema, value: unknown, path: Path) {
    const result = schema.safeParse(value, { error: describeIssue });
    if (result.success) return result.data;
    const found = result.error.issues.flatMap((issue) => mistakesOf(issue, path, this.#document));
    // One by one: there may be more of them than a call can have arguments.
    for (const mistake of found) this.mistakes.push(mistake);
    return undefined;
  }
}

const keysOf = (schema: z.ZodObject) => Object.keys(schema.shape);

/** The allowed keys of each mapping, by its schema path. */
const allowedKeys: Readonly<Record<string, readonly string[]>> = {
  '': keysOf(siteFileSchema),
  environment: keysOf(variable),
  'connected-domains': keysOf(connectedDomain),
  'registered-domains': keysOf(registeredDomain),
  'registered-domains dns': keysOf(dnsRecord),
  'registered-domains dns replaces': keysOf(replacedRecord),
  checks: keysOf(check),
};

/**
 * The message for an unknown key. For variables, the key is only shown if it resembles a known one: it may be a pasted
 * value.
 *
 * @param path the path of the mapping; every second element is a name or an index
 */
function describeUnknownKey(key: string, path: Path): string {
  const known = allowedKeys[path.filter((_, index) => index % 2 === 0).join(' ')] ?? [];
  const near = suggestion(key, known);
  if (near !== '') return `unknown key "${clean(key, 60)}"${near}`;
  const shown = path[0] === 'environment' ? '' : ` "${clean(key, 60)}"`;
  return `unknown key${shown}; allowed keys: ${known.join(', ')}`;
}

/** What a site file declares. */
export interface SiteFile extends SiteDomains {
  environment: SiteVariable[];
  removals: SiteRemoval[];
  /** Absent if it has none. */
  checks?: SiteFileCheck[];
}
