import type { ZonePlan } from './plan-zone.ts';
import { fieldNames } from './record.ts';

/** A value that JSON writes in one way only. */
type Fact = string | number | boolean | null | readonly Fact[];

/**
 * What a plan would do, for a digest: of each record to be written its type, name, action, id, what is sent,
 * and the whole values that it replaces. Records that stay as they are have no part in it. No clock, and always in one order.
 */
export function zoneFacts({ records }: ZonePlan): Fact[] {
  return records.flatMap((plan): Fact[] => {
    if (plan.action === 'none') return [];
    const { type, name, action, body } = plan;
    const fields = fieldNames.map((field) => body[field] ?? null);
    const update = plan.action === 'update' ? plan : undefined;
    const replaced = update?.differences.map(({ field, from }) => [field, from ?? null]) ?? [];
    return [[type, name, action, update?.id ?? null, body.content, fields, replaced]];
  });
}
