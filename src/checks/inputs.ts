import * as schema from '../input-schemas.ts';
import type { InputTable } from '../inputs/input.ts';

/** How long checks may take, in which each must pass twice. Gives milliseconds. */
const checkTime: schema.InputSchema<number> = (text) => {
  const time = schema.duration(text);
  if ('fault' in time || time.value >= 2000) return time;
  return { fault: 'must be at least 2s: a check must pass twice in a row, one second apart' };
};

/** The inputs on what the site must answer. */
export const checkInputs = {
  'verify-url': {
    description:
      'A page that must answer 2xx twice in a row, a second apart, asked without the key once the deployment succeeded (with `deploy: false`, at once). `{sha}` and `{preview-domain}` are filled in. The short form of one entry of `checks:` in the site file, whose paths are asked at its origin.',
    schema: schema.text,
  },
  'verify-contains': {
    description: 'A text that the page must contain. `{sha}` is filled in.',
    schema: schema.text,
  },
  'verify-timeout': {
    description:
      'How long the checks may take to hold, from the end of the deployment. Where nothing but they can confirm that, `timeout` bounds them.',
    schema: checkTime,
    default: '2m',
  },
} as const satisfies InputTable;
