import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { type ActionName, actions } from '../inputs.ts';
import { describeOutputs } from '../outputs.ts';
import type { ActionDefinition, Input } from './input.ts';

const shape = z.strictObject({
  name: z.string(),
  description: z.string(),
  branding: z.strictObject({ icon: z.string(), color: z.string() }),
  inputs: z.record(
    z.string(),
    z.strictObject({
      description: z.string(),
      required: z.boolean(),
      default: z.string().optional(),
    }),
  ),
  outputs: z.record(z.string(), z.strictObject({ description: z.string() })),
  runs: z.strictObject({ using: z.string(), main: z.string(), post: z.string().optional() }),
});

const root = join(import.meta.dirname, '../..');

/** The folder of an action: the repository's root for deploy, one of its own for each other. */
const folderOf = (name: ActionName) => (name === 'deploy' ? root : join(root, name));

/** Names whose words may hold no digit and no capital, as workflow authors write them. */
const kebabCase = /^[a-z]+(?:-[a-z]+)*$/;

describe.each(Object.keys(actions) as ActionName[])('action.yml of %s', (name) => {
  const folder = folderOf(name);
  const written = shape.parse(parse(readFileSync(join(folder, 'action.yml'), 'utf8')));
  const action: ActionDefinition = actions[name];
  const table = Object.entries<Input>(action.inputs);
  const outputs = describeOutputs(name);

  test('has the name and the description of the table', () => {
    expect(written).toMatchObject({ name: action.name, description: action.description });
  });

  test('has the inputs of the table, with their defaults, in that order', () => {
    const inputs = table.map(([input, { description, required, default: standard }]) => [
      input,
      {
        description,
        required: required ?? false,
        ...(standard !== undefined && { default: standard }),
      },
    ]);
    expect(Object.entries(written.inputs)).toEqual(inputs);
  });

  test('has the outputs of the table, in that order', () => {
    const described = Object.entries(outputs).map(([output, description]) => [
      output,
      { description },
    ]);
    expect(Object.entries(written.outputs)).toEqual(described);
  });

  test('runs files of dist/ that are there, under Node 24', () => {
    const { using, main, post = main } = written.runs;
    expect(using).toBe('node24');
    expect(join(folder, main)).toBe(join(root, 'dist', `${name}.js`));
    for (const file of [main, post]) expect(existsSync(join(folder, file))).toBe(true);
  });

  test('names inputs and outputs as workflow authors write them', () => {
    const names = [...Object.keys(action.inputs), ...Object.keys(outputs)];
    expect(names.filter((one) => !kebabCase.test(one))).toEqual([]);
  });

  test('describes each input and output in sentences', () => {
    const described = [
      ...table.map(([, { description }]) => description),
      ...Object.values(outputs),
    ];
    for (const text of described) expect(text).toMatch(/^\S.*\.$/);
  });

  test('has the inputs and outputs that every action has', () => {
    expect(Object.keys(action.inputs)).toEqual(
      expect.arrayContaining(['api-key', 'base-url', 'timeout']),
    );
    expect(Object.keys(outputs)).toEqual(
      expect.arrayContaining([
        'outcome',
        'requests',
        'duration-ms',
        'error',
        'error-code',
        'result',
      ]),
    );
    expect(action.inputs['api-key']).toMatchObject({ required: true, secret: true });
  });

  test.each(table.filter(([, input]) => input.default !== undefined))(
    'can read the default of %s, which spares the input',
    (_input, { default: standard, required, schema }) => {
      expect(schema(standard ?? '')).toHaveProperty('value');
      expect(required).toBeUndefined();
    },
  );
});

test('an input that is secret in one action is secret in every other that has it', () => {
  const all = Object.values(actions).flatMap(({ inputs }) => Object.entries<Input>(inputs));
  const secrets = all.filter(([, { secret }]) => secret === true).map(([name]) => name);
  const open = all.filter(([, { secret }]) => secret !== true).map(([name]) => name);
  expect(new Set(secrets).isDisjointFrom(new Set(open))).toBe(true);
});
