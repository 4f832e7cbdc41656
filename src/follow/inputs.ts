import * as schema from '../input-schemas.ts';
import type { InputTable } from '../inputs/input.ts';

/** The inputs that teach status words. */
export const statusWordInputs = {
  'success-states': {
    description:
      'Status words that mean success, beside the built-in ones: of a deployment, and of a domain that is good.',
    schema: schema.list,
  },
  'failure-states': {
    description:
      'Status words that mean failure, beside the built-in ones: of a deployment or a domain.',
    schema: schema.list,
  },
} as const satisfies InputTable;
