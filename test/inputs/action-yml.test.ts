import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { actions, type Input } from '../../src/inputs.ts';

const shape = z.object({
  name: z.string(),
  description: z.string(),
  inputs: z.record(
    z.string(),
    z.strictObject({
      description: z.string(),
      required: z.boolean(),
      default: z.string().optional(),
    }),
  ),
  outputs: z.record(z.string(), z.strictObject({ description: z.string() })),
});

const file = readFileSync(join(import.meta.dirname, '../../action.yml'), 'utf8');
const written = shape.parse(parse(file));
const { deploy } = actions;
const table = Object.entries<Input>(deploy.inputs);

test('action.yml has the name and the description of the table', () => {
  expect(written).toMatchObject({ name: deploy.name, description: deploy.description });
});

test('action.yml has the inputs of the table, with their defaults', () => {
  const inputs = table.map(([name, { description, required, default: standard }]) => [
    name,
    {
      description,
      required: required ?? false,
      ...(standard !== undefined && { default: standard }),
    },
  ]);
  expect(Object.entries(written.inputs)).toEqual(inputs);
});

test('action.yml has the outputs of the table', () => {
  const outputs = Object.entries(deploy.outputs).map(([name, description]) => [
    name,
    { description },
  ]);
  expect(Object.entries(written.outputs)).toEqual(outputs);
});

test('every input and output has a name as workflow authors write it', () => {
  const names = [...Object.keys(deploy.inputs), ...Object.keys(deploy.outputs)];
  expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*$/.test(name))).toEqual([]);
});

const withDefault = table.filter(([, input]) => input.default !== undefined);

test.each(withDefault)(
  'the default of %s can be read, is available, and spares the input',
  (_name, { default: standard, availableOnly = [standard], required, schema }) => {
    expect(schema.safeParse(standard).success).toBe(true);
    expect(availableOnly).toContain(standard);
    expect(required).toBeUndefined();
  },
);
