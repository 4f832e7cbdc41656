import { z } from 'zod';
import {
  connectedDomain,
  disconnected,
  instruction,
} from '../../../../src/contract/connected-domain.ts';
import { dnsRecord } from '../../../../src/contract/dns-record.ts';
import { environment, variable } from '../../../../src/contract/environment.ts';
import { deployment, message, project } from '../../../../src/contract/project.ts';
import { availability, registeredDomain } from '../../../../src/contract/registered-domain.ts';

/** The fields of type `uuid`; a variable's is `id`. */
const ids = new Set([
  ...['projectId', 'activeMessageId', 'initialMessageId', 'sourceTemplateVersionId'],
  ...['messageId', 'attachmentId', 'deploymentId'],
]);

function fieldOf(name: string, field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodOptional) return fieldOf(name, field.unwrap() as z.ZodType);
  if (field instanceof z.ZodNullable) return fieldOf(name, field.unwrap() as z.ZodType).nullable();
  if (field instanceof z.ZodObject) return exactly(field);
  if (name.endsWith('At')) return z.iso.datetime();
  return ids.has(name) ? z.uuid() : field;
}

/**
 * A shape of the contract that requires each field, although it may be null, and has no other. The contract's own
 * shape lets a service leave fields out and add others, and doesn't check the form of UUIDs and times.
 */
function exactly(shape: z.ZodObject): z.ZodObject {
  const fields = Object.entries(shape.shape).map(([name, field]) => [name, fieldOf(name, field)]);
  return z.strictObject(Object.fromEntries(fields));
}

/** A list with at least one item. */
export const some = (item: z.ZodType) => z.array(item).min(1);

const attachment = z.strictObject({
  attachmentId: z.uuid(),
  filename: z.string(),
  contentType: z.string(),
  size: z.int(),
  url: z.url(),
  kind: z.string(),
});

/** The resources in the emulator's answers. */
export const shapes = {
  project: exactly(project.omit({ initialMessageId: true })),
  newProject: exactly(project),
  environment: exactly(
    environment.extend({ variables: some(exactly(variable.extend({ id: z.uuid() }))) }),
  ),
  connectedDomain: exactly(connectedDomain.extend({ instructions: some(exactly(instruction)) })),
  disconnected: exactly(disconnected),
  registeredDomain: exactly(registeredDomain),
  /** The interface doesn't show which fields other types of records have. */
  addressRecord: exactly(
    dnsRecord.omit({ priority: true, flags: true, tag: true, weight: true, port: true }),
  ),
  /** A domain that can be registered has prices; any other has a reason. */
  availability: z.union([
    exactly(availability.extend({ registrable: z.literal(true) }).omit({ reason: true })),
    exactly(
      availability
        .extend({ registrable: z.literal(false) })
        .omit({ pricing: true, registrationPriceMicroUsd: true }),
    ),
  ]),
  deployment: exactly(deployment),
  newMessage: exactly(message.pick({ messageId: true, status: true })),
  message: exactly(message.extend({ attachments: some(attachment) })),
} as const;
