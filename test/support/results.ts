import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Ajv } from 'ajv';
import { keyValuePairs } from '../../emulator/runner/file-commands.ts';
import type { ActionName } from '../../src/inputs.ts';
import { defuse } from '../../src/kernel/text/safe.ts';
import { describeOutputs, resultJsonSchema } from '../../src/outputs.ts';
import { root } from './places.ts';

/** The published schema of a result. */
export const published = JSON.parse(readFileSync(join(root, 'schema/result.schema.json'), 'utf8'));

/** True of what others may read as a result; later versions may add fields. */
export const isReadable = new Ajv({ allowUnionTypes: true }).compile(published);
/** True of what this version may write. */
const isWritten = new Ajv({ allowUnionTypes: true }).compile(resultJsonSchema('output'));

/** A result as a program reads it. */
interface Result extends Record<string, unknown> {
  action: ActionName;
  error?: { code: string; message: string };
  omitted?: string[];
}

/** Reads a result. @throws Error that says how it differs from its schema */
export function readResult(json: string): Result {
  const result = JSON.parse(json);
  for (const isRight of [isReadable, isWritten]) {
    if (isRight(result)) continue;
    const errors = JSON.stringify(isRight.errors);
    throw new Error(`A result is not as its schema: ${errors}: ${json}`);
  }
  return result;
}

/** The most bytes of a result. */
const most = 256_000;

/** True if an output says the same as its field. */
function agree(text: string, field: unknown): boolean {
  if (field === undefined) return text === '';
  return typeof field === 'object'
    ? isDeepStrictEqual(JSON.parse(text), field)
    : text === defuse(String(field));
}

/** Holds what a step wrote as its outputs against the schema, and each output against its field. @throws Error */
export function checkOutputs(written: string): void {
  const {
    result: json = '',
    error,
    'error-code': code,
    ...texts
  } = Object.fromEntries(keyValuePairs(written));
  const result = readResult(json);
  const { action, error: fault, omitted = [] } = result;
  const names = Object.keys(describeOutputs(action));
  const wrong = Object.entries(texts)
    // After an unexpected error, those that were set before it stay.
    .filter(
      ([name, text]) =>
        fault?.code !== 'SD9003' && !omitted.includes(name) && !agree(text, result[name]),
    )
    .map(([name]) => name);
  wrong.push(...Object.keys(texts).filter((name) => !names.includes(name)));
  if (!agree(error ?? '', fault && `${fault.message} (${fault.code})`)) wrong.push('error');
  if (!agree(code ?? '', fault?.code)) wrong.push('error-code');
  if (Buffer.byteLength(json) > most || json.includes('\n')) wrong.push('result');
  if (wrong.length === 0) return;
  throw new Error(`Outputs are not as their fields: ${wrong.join(', ')}: ${written}`);
}
