import { z } from 'zod';
import { hostnamePattern, limits } from './limits.ts';

/** A hostname in a path or body (section "Connected domains"). */
export const hostname = z
  .string()
  .min(limits.hostname.min)
  .max(limits.hostname.max)
  .regex(hostnamePattern);
