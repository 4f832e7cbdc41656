import * as schema from '../input-schemas.ts';
import type { InputTable } from '../inputs/input.ts';

/** The input about what is particular to a service. */
export const serviceInputs = {
  service: {
    description:
      "The service's own paths and statuses, usually from the variable `SITE_SERVICE`, one `key=value` per line: `deployment-status`, `deployment-events` and `message-events` (paths with their placeholders), `success` and `failure` (statuses of deployments and domains, in addition to the built-in ones).",
    schema: schema.text,
    verbatim: true,
  },
} as const satisfies InputTable;
