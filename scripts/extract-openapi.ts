// Writes emulator/github/openapi.json: what GitHub's OpenAPI description says of the operations that the
// stand-in answers. Run it by hand after a change of the version or of the list below.
import { execFileSync, execSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const version = '23.0.2';
const source = 'generated/api.github.com.deref.json';
const target = 'emulator/github/openapi.json';
const wanted = new Set([
  'actions/create-workflow-dispatch',
  'git/get-commit',
  'issues/create',
  'issues/create-comment',
  'issues/delete-comment',
  'issues/get-comment',
  'issues/list-comments',
  'issues/list-for-repo',
  'issues/update',
  'issues/update-comment',
  'pulls/create',
  'pulls/get',
  'pulls/list',
  'pulls/update',
  'repos/compare-commits-with-basehead',
  'repos/create-deployment',
  'repos/create-deployment-status',
  'repos/get-commit',
  'repos/list-deployment-statuses',
  'repos/list-deployments',
  'repos/list-pull-requests-associated-with-commit',
  'users/get-authenticated',
]);

type Schema = { [keyword: string]: unknown };
type Content = { content?: { 'application/json'?: { schema: Schema } } };
type Operation = {
  operationId: string;
  externalDocs: { url: string };
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
};
type Description = { paths: Record<string, Record<string, Operation>> };

const annotations = /^(title|description|default|examples?|deprecated|externalDocs|x-.*)$/;
const definitions: Record<string, unknown> = {};

/** Fetches the description into a temporary folder: the package is too large for a dependency. */
function download(): Description {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  try {
    execSync(`npm pack --silent @octokit/openapi@${version}`, { cwd: folder });
    const archive = `octokit-openapi-${version}.tgz`;
    execFileSync('tar', ['-xzf', archive, `package/${source}`], { cwd: folder });
    return JSON.parse(readFileSync(join(folder, 'package', source), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** OpenAPI 3.0's dialect as plain JSON Schema. What has a title is kept once, in `definitions`. */
function convert(schema: Schema): Schema {
  const { title, nullable, default: standard, ...rest } = schema;
  // GitHub does answer '' where it says so by a default, whatever the format says.
  if (standard === '') delete rest['format'];
  const kept = Object.entries(rest).filter(([keyword]) => !annotations.test(keyword));
  const plain: Schema = Object.fromEntries(kept.map(([key, value]) => [key, inner(key, value)]));
  if (nullable === true) {
    if (typeof plain['type'] === 'string') plain['type'] = [plain['type'], 'null'];
    if (Array.isArray(plain['enum'])) plain['enum'] = [...plain['enum'], null];
  }
  return typeof title === 'string' ? define(title, plain) : plain;
}

function inner(keyword: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => inner('', item));
  if (typeof value !== 'object' || value === null) return value;
  if (keyword !== 'properties') return convert({ ...value });
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inner('', item)]));
}

function define(title: string, schema: Schema): Schema {
  const slug = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  const same = JSON.stringify(schema);
  let name = slug;
  for (let n = 2; name in definitions && JSON.stringify(definitions[name]) !== same; n += 1) {
    name = `${slug}-${n}`;
  }
  definitions[name] = schema;
  return { $ref: `#/definitions/${name}` };
}

/** All parameters of one place as one object. What is not described can only be a mistake. */
function parametersIn(place: string, { parameters = [] }: Operation): Schema {
  const here = parameters.filter((parameter) => parameter.in === place);
  return {
    type: 'object',
    properties: Object.fromEntries(here.map(({ name, schema }) => [name, convert(schema)])),
    required: here.filter(({ required }) => required === true).map(({ name }) => name),
    additionalProperties: false,
  };
}

const schemaOf = ({ content }: Content): Schema | undefined =>
  content?.['application/json']?.schema;

/**
 * Undoes where the description is known to be wrong: the head of a pull request has null for a repository once
 * the fork was deleted, and for a label and a user once the account was.
 */
function correct(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (key, value) => {
    if (key !== 'head' || value.properties?.repo === undefined) return value;
    for (const field of ['label', 'repo', 'user']) value.properties[field].nullable = true;
    return value;
  });
}

function extract(method: string, path: string, operation: Operation): object {
  const body = operation.requestBody && schemaOf(operation.requestBody);
  const answers = Object.entries(operation.responses).map(([status, response]) => {
    const schema = schemaOf(response);
    return [status, schema === undefined ? {} : convert(correct(schema))];
  });
  return {
    method: method.toUpperCase(),
    path,
    documentation: operation.externalDocs.url,
    pathParameters: parametersIn('path', operation),
    query: parametersIn('query', operation),
    body: body === undefined ? null : { ...convert(body), additionalProperties: false },
    answers: Object.fromEntries(answers),
  };
}

const operations = Object.entries(download().paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, { operationId }]) => wanted.has(operationId))
    .map(([method, one]): [string, object] => [one.operationId, extract(method, path, one)]),
);
const missing = [...wanted].filter((id) => !operations.some(([found]) => found === id));
if (missing.length > 0) throw new Error(`Not in the description: ${missing.join(', ')}`);

const from = `@octokit/openapi ${version}, ${source}; made by scripts/extract-openapi.ts`;
const extracted = { from, operations: Object.fromEntries(operations.sort()), definitions };
writeFileSync(target, JSON.stringify(extracted, null, 2));
execSync(`npm exec -- biome format --write ${target}`, { stdio: 'inherit' });
