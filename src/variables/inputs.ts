import * as schema from '../input-schemas.ts';
import type { InputTable } from '../inputs/input.ts';

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
      "Variables that are not secret, as dotenv lines: `NAME=value`. Their kind is `plain`; a variable that the service has as `secret` is an error. References such as `$NAME` are not expanded: outside single quotes, they are an error. The runner prints the values with the step's inputs, so they are not masked. For secrets, use `env-from`.",
    schema: schema.text,
    verbatim: true,
  },
  'env-from': {
    description:
      "Variables to read from this step's `env:`, one per line: `NAME`, or `NAME=SOURCE` if its name there is `SOURCE`. Their kind is `secret`: the value arrives byte for byte, with any content.",
    schema: schema.list,
  },
  'env-file': {
    description:
      'Dotenv files in the workspace, one per line, for variables of kind `secret`. References such as `$NAME` outside single quotes, and ciphertext of tools such as SOPS, are an error.',
    schema: schema.list,
  },
  'env-targets': {
    description:
      'Runtimes of variables that have no targets of their own: `preview`, `production` or both.',
    schema: targets,
    default: 'preview, production',
  },
  'env-remove': {
    description:
      'Names of variables to delete, one per line. The action deletes only variables that are named, because a value cannot be read back.',
    schema: schema.list,
  },
  'env-on-conflict': {
    description:
      'What to do with a variable that was changed outside this action: `overwrite`, `keep` or `fail`.',
    schema: schema.oneOf('overwrite', 'keep', 'fail'),
    default: 'overwrite',
  },
  'env-ledger': {
    description:
      'Where to keep the record of what was written, so that unchanged variables are not written again: `cache`, `off`, or the path of a file.',
    schema: schema.ledgerLocation,
    default: 'cache',
  },
  'env-ledger-key': {
    description:
      'Secret of at least 16 characters, with which runs encrypt the ledger and sign GitHub deployments and comments. Default: derived from `api-key`.',
    schema: schema.ledgerKey,
    secret: true,
  },
} as const satisfies InputTable;
