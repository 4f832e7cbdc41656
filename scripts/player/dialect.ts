import { parse } from 'yaml';
import { createDialect } from '../../emulator/dialect.ts';
import type { DialectOptions } from '../../emulator/index.ts';
import { asObject } from '../../src/kernel/json.ts';
import { suggestion } from '../../src/site-file/document.ts';
import { dialectSource } from './dialect-source.ts';
import { UsageError } from './usage-error.ts';

/** A choice about how the local service behaves. */
export interface DialectField {
  /** `buildMs`, or a field of a part: `stream.shape`. */
  path: string;
  /** Its type, as it stands in the source: `'a' | 'b'`. */
  type: string;
  /** What it decides. */
  description: string;
  standard: unknown;
}

/** The text of each interface and type, by name, as the sources of the dialect declare them. */
function declarations(): Map<string, string> {
  const source = dialectSource();
  const interfaces = source.matchAll(/^export interface (\w+)[^{]*\{\n(.*?)^\}/gms);
  const types = source.matchAll(/^export type (\w+) =(.*?);\n/gms);
  return new Map(
    [...interfaces, ...types].map(([, name = '', body = '']) => [
      name,
      body.trim().replace(/^\| /, ''),
    ]),
  );
}

const oneLine = (text: string) =>
  text
    .replace(/\s*\n\s*(?:\* ?)?/g, ' ')
    .replace(/\{@link (\w+)\}/g, '$1')
    .trim();

/** The names of the fields in the text of a type, as a type of its own: `{ status, seconds }`. */
const shapeOf = (body: string): string => {
  const names = [...body.replace(/\/\*.*?\*\//gs, '').matchAll(/(\w+)\??:/g)].map(
    ([, name]) => name,
  );
  return `{ ${names.join(', ')} }`;
};

/** A type as people write its values: names replaced by what they stand for, and no functions. */
function resolve(type: string, declared: Map<string, string>): string {
  const plain = type
    .replace(/\s*\|\s*\(\(.*?\) => \w+\)/g, '')
    .replace(/(\w+) & \{/g, (_, name) => `{ ${declared.get(name)} `)
    .replace(/\{[^}]*\}/g, shapeOf);
  const members = plain.split(' | ').map((member) => {
    const known = declared.get(member);
    if (known === undefined) return member;
    return known.includes(';') ? shapeOf(known) : oneLine(known);
  });
  return members.join(' | ');
}

/** A part of the dialect whose fields can be set one by one. */
const partOf = (type: string, declared: Map<string, string>): boolean =>
  declared.get(type)?.includes(';') === true && /(?:Words|StreamDialect)$/.test(type);

/** The fields that an interface declares, with the comment before each. */
function* fieldsOf(
  body: string,
  declared: Map<string, string>,
  prefix: string,
  standard: unknown,
): Generator<DialectField> {
  const pattern = /(?:\/\*\*((?:(?!\*\/).)*)\*\/\s*)?(\w+)\??: ((?:[^;{]|\{[^}]*\})+);/gs;
  for (const [, comment = '', name = '', written = ''] of body.matchAll(pattern)) {
    const type = oneLine(written);
    const path = `${prefix}${name}`;
    const value = asObject(standard)?.[name];
    const inner = partOf(type, declared) ? declared.get(type) : undefined;
    if (inner !== undefined) yield* fieldsOf(inner, declared, `${path}.`, value);
    else {
      const shown = resolve(type, declared);
      yield { path, type: shown, description: oneLine(comment), standard: value };
    }
  }
}

/** All choices, in the order of the sources. */
export function dialectFields(): DialectField[] {
  const declared = declarations();
  const standard = createDialect();
  const names = [...declared.keys()].filter(
    (name) => /Dialect$/.test(name) && name !== 'StreamDialect',
  );
  return names.flatMap((name) => [...fieldsOf(declared.get(name) ?? '', declared, '', standard)]);
}

const literal = /^'[^']*'$|^\d+$|^null$/;

/** Whether a value is one that a member of a type stands for. */
function isOf(member: string, value: unknown): boolean {
  if (member.startsWith('{')) {
    const given = asObject(value);
    const known: readonly string[] = member.match(/\w+/g) ?? [];
    return given !== undefined && Object.keys(given).every((key) => known.includes(key));
  }
  if (member.endsWith('[]')) return Array.isArray(value);
  if (literal.test(member)) return String(value) === member.replaceAll("'", '');
  return typeof value === member;
}

/** Reads what was written for a field. @throws UsageError that names the nearest that may be written */
function readValue({ path, type }: DialectField, text: string): unknown {
  const members: readonly string[] = type.split(' | ');
  if (members.includes(`'${text}'`)) return text;
  const isList = members.some((member) => member.endsWith('[]'));
  const isText = members.includes('string') && text !== 'null';
  const value: unknown = isText
    ? text
    : isList && !text.startsWith('[')
      ? text.split(',')
      : parse(text);
  if (members.some((member) => !member.startsWith("'") && isOf(member, value))) return value;
  const words: string[] = members
    .filter((member) => literal.test(member))
    .map((one) => one.replaceAll("'", ''));
  const near = words.length === members.length ? suggestion(text, words) : '';
  throw new UsageError(`--dialect: ${path} can't be "${text}"${near || `; it must be ${type}`}`);
}

/** Sets a field of an object, named by its path. */
function put(object: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let inner = object;
  for (const name of names) {
    inner[name] ??= {};
    inner = inner[name] as Record<string, unknown>;
  }
  inner[last] = value;
}

/**
 * Choices that a person made, each as `name=value`.
 * @throws UsageError that names what is wrong, and the nearest that is right
 */
export function readDialect(given: readonly string[]): DialectOptions {
  const fields = dialectFields();
  const options: Record<string, unknown> = {};
  for (const text of given) {
    const [, path = text, value] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    const field = fields.find((one) => one.path === path);
    if (field === undefined) {
      const near = suggestion(
        path,
        fields.map((one) => one.path.toLowerCase()),
      );
      const known = fields.find((one) => near.includes(`"${one.path.toLowerCase()}"`));
      const hint =
        known === undefined ? '; --help dialect lists them' : `; did you mean "${known.path}"?`;
      throw new UsageError(`--dialect: unknown setting "${path}"${hint}`);
    }
    if (value === undefined) {
      throw new UsageError(`--dialect: ${path} needs a value: ${path}=… (${field.type})`);
    }
    put(options, path, readValue(field, value));
  }
  return options as DialectOptions;
}
