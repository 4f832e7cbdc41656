import type { z } from 'zod';
import { Checker, type Entry } from './check.ts';
import { readDocument } from './document.ts';
import { connectedDomain, domainName, hostname, registeredDomain } from './domain-schema.ts';
import { inOrder, type Mistake, type Path, type Place } from './place.ts';
import { siteFileSchema } from './schema.ts';
import type { SiteFile, SiteRegisteredDomain, SiteVariable } from './site-file.ts';
import { variable, variableName } from './variable-schema.ts';

/** What a site file says, or everything that is wrong with it. */
export type SiteFileReading =
  | {
      ok: true;
      siteFile: SiteFile;
      /**
       * Where the value at a path of the file stands, such as `['registered-domains', 'example.com', 'dns',
       * 0, 'ttl']`; of what is not there, the innermost thing on the way to it that is.
       */
      placeOf: (path: Path) => Place;
    }
  | { ok: false; mistakes: Mistake[] };

function siteVariable({ name, value, place }: Entry<z.output<typeof variable>>): SiteVariable {
  const { targets, kind } = value;
  const common = { name, ...(targets !== undefined && { targets }), ...place };
  if (value.value !== undefined) return { ...common, value: value.value, kind: 'plain' };
  return { ...common, from: value.from ?? name, ...(kind !== undefined && { kind }) };
}

function siteRegisteredDomain(
  { name, value: { dns, ...rest }, place }: Entry<z.output<typeof registeredDomain>>,
  placeOf: (path: Path) => Place,
): SiteRegisteredDomain {
  const records = (dns ?? []).map((record, index) => ({
    ...record,
    type: record.type.toUpperCase(),
    ...placeOf(['registered-domains', name, 'dns', index]),
  }));
  return { name, ...rest, ...(dns !== undefined && { dns: records }), ...place };
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
  const { placeOf } = document;
  const checker = new Checker(document);
  checker.checkFrame(siteFileSchema);
  const variables = checker.entriesOf('environment', variableName, variable);
  const connected = checker.entriesOf('connected-domains', hostname, connectedDomain);
  const registered = checker.entriesOf('registered-domains', domainName, registeredDomain);
  const mistakes = inOrder(document.mistakes, checker.mistakes);
  if (mistakes.length > 0) return { ok: false, mistakes };
  const siteFile = {
    environment: variables.map(siteVariable),
    connectedDomains: connected.map(({ name, value, place }) => ({
      hostname: name,
      ...value,
      ...place,
    })),
    registeredDomains: registered.map((entry) => siteRegisteredDomain(entry, placeOf)),
  };
  return { ok: true, siteFile, placeOf };
}
