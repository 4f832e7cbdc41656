import { z } from 'zod';

const pattern = /^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/** A hostname in a path or a body: the pattern and the length of section "Connected domains". */
export const hostname = z
  .string()
  .min(3, 'must have 3 to 253 characters')
  .max(253, 'must have 3 to 253 characters')
  .regex(pattern, 'must be a hostname in lower case with at least one dot');
