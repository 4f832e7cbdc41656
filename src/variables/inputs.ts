import * as schema from '../input-schemas.ts';
import type { InputTable, OutputTable } from '../inputs/input.ts';

/** `preview`, `production` or both. */
const targets: schema.InputSchema<{ preview: boolean; production: boolean }> = (text) => {
  const items = schema.itemsOf(text);
  const [preview, production] = [items.includes('preview'), items.includes('production')];
  const isKnown = items.every((item) => item === 'preview' || item === 'production');
  return isKnown && items.length > 0
    ? { value: { preview, production } }
    : { fault: 'must be preview, production, or both' };
};

/** The inputs on environment variables. */
export const variableInputs = {
  env: {
    description:
      "Variables as dotenv lines, `NAME=value`, for what is not secret: the runner prints them with the step's inputs, so they are not masked. For secrets there is `env-from`.",
    schema: schema.text,
    verbatim: true,
  },
  'env-from': {
    description:
      "`NAME` or `NAME=SOURCE`, one per line: the value is this step's environment variable `NAME` or `SOURCE`. The recommended way for secrets: byte-exact, any content.",
    schema: schema.list,
  },
  'env-file': {
    description: 'Dotenv files in the workspace, one per line.',
    schema: schema.list,
  },
  'env-kind': {
    description: '`secret` or `plain`, for variables that do not say.',
    schema: schema.oneOf('secret', 'plain'),
    default: 'secret',
  },
  'env-targets': {
    description: '`preview`, `production` or both, for variables that do not say.',
    schema: targets,
    default: 'preview, production',
  },
  'env-remove': {
    description:
      'Names of variables to delete, one per line. Only what is named is ever deleted, because a value cannot be read back.',
    schema: schema.list,
  },
  'env-on-conflict': {
    description:
      'What to do about a variable that changed elsewhere: `overwrite`, `keep` or `fail`.',
    schema: schema.oneOf('overwrite', 'keep', 'fail'),
    default: 'overwrite',
  },
  'env-ledger': {
    description:
      'Where to keep the record of what was written, so that an unchanged variable costs no request: `cache`, `off`, or the path of a file.',
    schema: schema.ledgerPlace,
    default: 'cache',
  },
  'env-ledger-key': {
    description:
      'A secret of its own for the ledger, of at least 16 characters; else derived from `api-key`.',
    schema: schema.ledgerKey,
    secret: true,
  },
} as const satisfies InputTable;

/** The outputs on environment variables, beside the plan. */
export const variableOutputs = {
  'env-summary':
    'JSON counts: created, replaced, retargeted, deleted, unchanged, kept, conflicts, failed, not-reached, undeclared; of a plan, what would be.',
  drift: '`true` if the plan holds any change, or a variable was changed elsewhere and left so.',
} as const satisfies OutputTable;
