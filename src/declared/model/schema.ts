import { z } from 'zod';
import { checks } from '../../checks/site-file.ts';
import {
  connectedDomain,
  domainName,
  hostname,
  registeredDomain,
} from '../../domains/site-file.ts';
import { mapping } from '../../site-file/mapping.ts';
import { variable, variableName } from '../../variables/site-file.ts';

/** A mapping of names to entries. Where nothing stands, nothing is declared. */
const section = <Entry extends z.ZodType>(name: z.ZodString, entry: Entry, description: string) =>
  z.record(name, entry.nullable()).nullable().describe(description).exactOptional();

/** The shape of the site file, from which its JSON Schema is made. */
export const siteFileSchema = mapping(
  {
    environment: section(variableName, variable, 'Environment variables, by name.'),
    'connected-domains': section(
      hostname,
      connectedDomain,
      'Domains that you own elsewhere, by hostname.',
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
    'What a site needs beside its code: environment variables, domains, DNS records and checks.',
});

/**
 * The site file's JSON Schema, for editors: draft 7, which all of them know. It cannot say all that the
 * reader checks; what it refuses, the reader refuses too.
 */
export function siteFileJsonSchema(): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(siteFileSchema, { target: 'draft-7', io: 'input' });
}
