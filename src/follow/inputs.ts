import * as schema from '../input-schemas.ts';
import type { InputTable } from '../inputs/input.ts';

/** The inputs that define status words. */
export const statusWordInputs = {
  'success-states': {
    description:
      'Statuses that mean success, in addition to the built-in ones: of deployments, and of verified domains.',
    schema: schema.list,
  },
  'failure-states': {
    description:
      'Statuses that mean failure, in addition to the built-in ones: of deployments and domains.',
    schema: schema.list,
  },
} as const satisfies InputTable;
