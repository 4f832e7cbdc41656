import { z } from 'zod';

/** `name` and `recordId` in a path: percent-encoded, at least one character (section "Registered domains"). */
export const segment = z
  .string()
  .transform((encoded, context) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      context.addIssue('must be percent-encoded UTF-8');
      return z.NEVER;
    }
  })
  .pipe(z.string().min(1));
