import { z } from 'zod';
import type { Dialect } from '../../dialect.ts';
import type { WritableField } from '../../registered-dialect.ts';

/** The fields of a DNS record that a customer writes (section "DNS record"), as they were written. */
export type RecordFields = z.infer<typeof fields>;

/** A DNS record, with what a test may look at. */
export interface EmulatedDnsRecord extends Readonly<RecordFields> {
  readonly id: string;
  /** Why the system manages the record, or null if a customer does. */
  readonly managedReason: string | null;
}

/** A DNS record as somebody else puts it in place: the system's if it has a reason, new if it has no id. */
export type RecordByHand = RecordFields & { id?: string; managedReason?: string | null };

const unsigned = (bits: number) =>
  z
    .int()
    .min(0)
    .max(2 ** bits - 1);

const optionalFields = {
  ttl: unsigned(31).optional(),
  comment: z.string().optional(),
  priority: unsigned(16).optional(),
  flags: unsigned(8).optional(),
  tag: z.string().optional(),
  weight: unsigned(16).optional(),
  port: unsigned(16).optional(),
  proxied: z.boolean().optional(),
} satisfies Record<WritableField, z.ZodType>;

const fields = z.strictObject({
  type: z.string().min(1),
  name: z.string().min(1),
  content: z.string(),
  ...optionalFields,
});

/** The `record` of a request: what the interface lists, less what the dialect does not let a client write. */
export function recordShape(dialect: Dialect) {
  return fields.superRefine((record, context) => {
    for (const field of Object.keys(optionalFields)) {
      if (!(field in record) || mayBeWritten(field, dialect)) continue;
      context.addIssue({ code: 'custom', path: [field], message: 'cannot be written' });
    }
  });
}

function mayBeWritten(field: string, { writableFields }: Dialect): boolean {
  return writableFields === 'all' || writableFields.some((writable) => writable === field);
}
