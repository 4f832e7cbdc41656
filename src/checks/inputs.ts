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
      'URL of a page that must return 2xx twice in a row, one second apart, after the deployment (with `deploy: false`, immediately). The request has no API key. The action fills in `{sha}` and `{preview-domain}`. For more checks, use `checks:` in the site file; their paths are relative to the origin of this URL.',
    schema: schema.text,
  },
  'verify-contains': {
    description: 'Text that the page must contain. The action fills in `{sha}`.',
    schema: schema.text,
  },
  'verify-timeout': {
    description:
      "How long the checks may take to pass, from the end of the deployment, and the preview's domain to be verified. If only the checks can confirm the deployment, `timeout` is the limit.",
    schema: checkTime,
    default: '2m',
  },
} as const satisfies InputTable;
