// Writes what follows from the tables in src/inputs.ts and src/outputs.ts: each action.yml, the JSON Schema of a result, and
// the tables of docs/reference.md, which also lists the built-in statuses and why a run is skipped; the JSON Schema that
// follows from the schema of the site file; docs/interface.md,
// from the table of endpoints; the tables of docs/attacks.md, from what tests describe at their top; and from
// docs/troubleshooting.md the type of all codes.
import { readFile, writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import { topics } from '../src/cli/topics.ts';
import { siteFileJsonSchema } from '../src/declared/model/read.ts';
import type { ActionDefinition, Input } from '../src/inputs/input.ts';
import { type ActionName, actions } from '../src/inputs.ts';
import { describeOutputs, resultJsonSchema } from '../src/outputs.ts';
import { endpoints } from '../test/interface/endpoints.ts';
import { renderInterface } from '../test/interface/table.ts';
import { readAttacks, renderAttacks } from './attacks.ts';
import { oldestNode } from './oldest-node.ts';
import { renderSkipReasons } from './skip-reasons.ts';
import { renderDomainStatuses, renderStatuses } from './statuses.ts';
import { renderCodes } from './troubleshooting.ts';

/** The folder of each action's action.yml, and the path from there to dist/. */
const places: Readonly<Record<ActionName, { file: string; dist: string; post: boolean }>> = {
  deploy: { file: 'action.yml', dist: 'dist', post: true },
  domains: { file: 'domains/action.yml', dist: '../dist', post: false },
  message: { file: 'message/action.yml', dist: '../dist', post: false },
  projects: { file: 'projects/action.yml', dist: '../dist', post: false },
  'env-sync': { file: 'env-sync/action.yml', dist: '../dist', post: false },
};

const generated =
  '# Generated from src/inputs.ts and src/outputs.ts by npm run generate. Do not edit.\n';

function describeInput(input: Input): Record<string, unknown> {
  const { description, required, default: standard } = input;
  return {
    description,
    required: required === true,
    ...(standard === undefined ? {} : { default: standard }),
  };
}

function actionYaml(name: ActionName): string {
  const { dist, post } = places[name];
  const action: ActionDefinition = actions[name];
  const entries = <Value>(
    record: Readonly<Record<string, Value>>,
    map: (value: Value) => unknown,
  ) => Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
  const document = {
    name: action.name,
    description: action.description,
    branding: { icon: 'upload-cloud', color: 'blue' },
    inputs: entries(action.inputs, describeInput),
    outputs: entries(describeOutputs(name), (description) => ({ description })),
    runs: {
      using: `node${oldestNode}`,
      main: `${dist}/${name}.js`,
      ...(post ? { post: `${dist}/post.js` } : {}),
    },
  };
  return generated + stringify(document, { lineWidth: 0 });
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const heads = {
  inputs: ['| input | default | meaning |', '| --- | --- | --- |'],
  outputs: ['| output | meaning |', '| --- | --- |'],
};

function inputRow(name: string, input: Input): string {
  const standard = input.default === undefined ? '' : `\`${input.default}\``;
  return `| \`${name}\` | ${input.required === true ? '**required**' : cell(standard)} | ${cell(input.description)} |`;
}

const inputRows = ({ inputs }: ActionDefinition, names: readonly string[]): string[] =>
  Object.entries<Input>(inputs)
    .filter(([name]) => names.includes(name))
    .sort(([one], [other]) => names.indexOf(one) - names.indexOf(other))
    .map(([name, input]) => inputRow(name, input));

const outputRows = (action: ActionName): string[] =>
  Object.entries(describeOutputs(action)).map(([name, text]) => `| \`${name}\` | ${cell(text)} |`);

const rowsOf = (kind: keyof typeof heads, action: ActionName): string[] =>
  kind === 'inputs'
    ? inputRows(actions[action], Object.keys(actions[action].inputs))
    : outputRows(action);

/** The inputs of the deploy action, with a row for each topic. */
const topicRows = (): string[] =>
  topics.flatMap(([title, names]) => [`| **${title}** | | |`, ...inputRows(actions.deploy, names)]);

/** The inputs or outputs of an action; those that are the same for the deploy action have no row of their own. */
function table(kind: keyof typeof heads, action: ActionName): string {
  if (action === 'deploy') {
    const rows = kind === 'inputs' ? topicRows() : outputRows('deploy');
    return [...heads[kind], ...rows].join('\n');
  }
  const ofDeploy = rowsOf(kind, 'deploy');
  const rows = rowsOf(kind, action);
  const same = rows
    .filter((row) => ofDeploy.includes(row))
    .map((row) => row.split(' | ')[0]?.replace('| ', ''));
  return [
    ...heads[kind],
    ...rows.filter((row) => !ofDeploy.includes(row)),
    '',
    `The same as for [the deploy action](#${kind}-of-the-deploy-action): ${same.join(', ')}.`,
  ].join('\n');
}

/** Replaces the text between `<!-- name -->` and `<!-- /name -->`. */
function fill(text: string, name: string, content: string): string {
  const [before, rest] = text.split(`<!-- ${name} -->`);
  const [, after] = (rest ?? '').split(`<!-- /${name} -->`);
  if (before === undefined || after === undefined)
    throw new Error(`the generated part "${name}" has no start and end marks`);
  return `${before}<!-- ${name} -->\n${content}\n<!-- /${name} -->${after}`;
}

let reference = await readFile('docs/reference.md', 'utf8');
for (const name of Object.keys(actions) as ActionName[]) {
  await writeFile(places[name].file, actionYaml(name));
  for (const kind of ['inputs', 'outputs'] as const) {
    reference = fill(reference, `${kind} ${name}`, table(kind, name));
  }
}
reference = fill(reference, 'statuses', renderStatuses());
reference = fill(reference, 'domain statuses', renderDomainStatuses());
reference = fill(reference, 'skip reasons', renderSkipReasons());
await writeFile('docs/reference.md', reference);

await writeFile('schema/site.schema.json', `${JSON.stringify(siteFileJsonSchema(), null, 2)}\n`);
await writeFile(
  'schema/result.schema.json',
  `${JSON.stringify(resultJsonSchema('input'), null, 2)}\n`,
);

await writeFile('docs/interface.md', renderInterface(endpoints));

let attacks = await readFile('docs/attacks.md', 'utf8');
for (const [topic, ofTopic] of readAttacks())
  attacks = fill(attacks, `attacks: ${topic}`, renderAttacks(ofTopic));
await writeFile('docs/attacks.md', attacks);

const troubleshooting = await readFile('docs/troubleshooting.md', 'utf8');
await writeFile('src/kernel/code.ts', renderCodes(troubleshooting));
