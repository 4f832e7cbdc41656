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

/** A mapping of names to entries, which may be empty. */
const section = <Entry extends z.ZodType>(name: z.ZodString, entry: Entry, description: string) =>
  z.record(name, entry.nullable()).nullable().describe(description).exactOptional();

/** The schema of the site file, from which its JSON Schema is generated. */
export const siteFileSchema = mapping(
  {
    environment: section(variableName, variable, 'Environment variables, by name.'),
    'connected-domains': section(
      hostname,
      connectedDomain,
      'Domains that you registered elsewhere, by hostname.',
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
