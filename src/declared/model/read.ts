import type { z } from 'zod';
import { type JsonScalar, namesCommit, type Wanted } from '../../checks/model/check.ts';
import { check } from '../../checks/model/check-schema.ts';
import type { SiteFileCheck } from '../../checks/model/site-check.ts';
import {
  connectedDomain,
  dnsRecord,
  domainName,
  hostname,
  registeredDomain,
} from '../../domains/model/domain-schema.ts';
import type {
  SiteConnectedDomain,
  SiteRegisteredDomain,
} from '../../domains/model/site-domains.ts';
import { asObject } from '../../kernel/json.ts';
import { readDocument } from '../../site-file/document.ts';
import { inOrder, type Mistake, type Path, type Position } from '../../site-file/position.ts';
import type { SiteVariable } from '../../variables/model/site-variable.ts';
import { variable, variableName } from '../../variables/model/variable-schema.ts';
import { Checker, type Entry } from './check.ts';
import { siteFileSchema } from './schema.ts';
import type { SiteFile } from './site-file.ts';

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

function siteVariable({ name, value, place }: Entry<z.output<typeof variable>>): SiteVariable[] {
  if (value === undefined || value.remove === true) return [];
  const { targets, kind } = value;
  const common = { name, ...(targets !== undefined && { targets }), ...place };
  if (value.value !== undefined) return [{ ...common, value: value.value, kind: 'plain' }];
  return [{ ...common, from: value.from ?? name, ...(kind !== undefined && { kind }) }];
}

function siteConnectedDomain({
  name: hostname,
  value,
  place,
}: Entry<z.output<typeof connectedDomain>>): SiteConnectedDomain[] {
  return value === undefined ? [] : [{ hostname, ...value, ...place }];
}

/** A part of an entry; undefined if it is wrong or not there. */
function right<Schema extends z.ZodType>(schema: Schema, part: unknown) {
  const result = schema.safeParse(part);
  return result.success ? result.data : undefined;
}

/** A registered domain, as far as it is right: a mistake in one record does not keep the others from being judged. */
function siteRegisteredDomain(
  { name, given, place }: Entry<unknown>,
  positionOf: (path: Path) => Position,
): SiteRegisteredDomain {
  const entry = asObject(given) ?? {};
  const { dns } = entry;
  const renewal = right(registeredDomain.shape.renewal, entry['renewal']);
  const project = right(registeredDomain.shape.project, entry['project']);
  const records = (Array.isArray(dns) ? dns : []).flatMap((item: unknown, index) => {
    const record = right(dnsRecord, item);
    if (record === undefined) return [];
    const start = positionOf(['registered-domains', name, 'dns', index]);
    return [{ ...record, type: record.type.toUpperCase(), index, ...start }];
  });
  return {
    name,
    ...(renewal !== undefined && { renewal }),
    ...(project !== undefined && { project }),
    ...(dns !== undefined && { dns: records }),
    ...place,
  };
}

/** A check; none if it is wrong. */
function siteCheck(given: unknown, place: Position): SiteFileCheck[] {
  const value = right(check, given);
  if (value === undefined) return [];
  const { path, url = '', status, contains, lacks, json, header, location, ...rest } = value;
  // As they were given: a zod record drops the name `__proto__`.
  const entriesOf = <Value>(key: string, one: unknown) =>
    one === undefined
      ? []
      : (Object.entries(asObject(asObject(given)?.[key]) ?? {}) as [string, Value][]);
  const wanted: Wanted = {
    method: rest.method ?? 'GET',
    ...(status !== undefined && { status }),
    ...(contains !== undefined && { contains }),
    ...(lacks !== undefined && { lacks }),
    ...(json && { json: entriesOf<JsonScalar>('json', json) }),
    ...(header && {
      header: entriesOf<string>('header', header).map(
        ([name, one]) => [name.toLowerCase(), one] as const,
      ),
    }),
    ...(location !== undefined && { location }),
    ...(rest['certificate-days'] !== undefined && { certificateDays: rest['certificate-days'] }),
    ...(rest['max-ms'] !== undefined && { maxMs: rest['max-ms'] }),
  };
  const at = path === undefined ? { url } : { path };
  return [{ ...wanted, at, namesCommit: namesCommit(wanted), from: 'file', ...place }];
}

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
    removals: variables.flatMap(({ name, value, place }) =>
      value?.remove === true ? [{ name, ...place }] : [],
    ),
    connectedDomains: connected.flatMap(siteConnectedDomain),
    registeredDomains: registered.map((entry) => siteRegisteredDomain(entry, positionOf)),
  };
  const mistakes = inOrder(document.mistakes, checker.mistakes);
  const reading = { siteFile, positionOf };
  return mistakes.length > 0 ? { ok: false, mistakes, ...reading } : { ok: true, ...reading };
}
