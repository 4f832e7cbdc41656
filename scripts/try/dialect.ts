import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { asObject } from '../../src/core/json.ts';
import { suggestion } from '../../src/core/site-file/suggest.ts';
import { createDialect } from '../../src/emulator/dialect.ts';
import type { DialectOptions } from '../../src/emulator/index.ts';
import { root } from '../player/play.ts';
import { UsageError } from '../player/usage-error.ts';

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
  const folder = join(root, 'src/emulator');
  const source = globSync('*dialect.ts', { cwd: folder })
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  const interfaces = source.matchAll(/^export interface (\w+)[^{]*\{\n(.*?)^\}/gms);
  const types = source.matchAll(/^export type (\w+) =(.*?);\n/gms);
  return new Map([...interfaces, ...types].map(([, name = '', body = '']) => [name, body.trim()]));
}

const oneLine = (text: string) =>
  text
    .replace(/\s*\n\s*(?:\* ?)?/g, ' ')
    .replace(/\{@link (\w+)\}/g, '$1')
    .trim();

/** A type with the words that its names stand for, and without the functions that only a test can give. */
function resolve(type: string, declared: Map<string, string>): string {
  const members = type.replace(/\s*\|\s*\(\(.*?\) => \w+\)/g, '').split(' | ');
  const words = members.map((member) => {
    const known = declared.get(member);
    return known === undefined || known.includes(';') ? member : oneLine(known);
  });
  return words.join(' | ');
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

/** The words that a type allows, or null if it allows more than words. */
function choicesOf(type: string): string[] | null {
  const parts = type.split('|').map((part) => part.trim());
  const words = parts.filter((part) => part !== '' && !part.startsWith('('));
  const isChoice = words.every((part) => /^'[^']*'$|^\d+$|^null$|^true$|^false$/.test(part));
  return isChoice ? words.map((part) => part.replaceAll("'", '')) : null;
}

function readValue({ path, type, standard }: DialectField, text: string): unknown {
  const choices = choicesOf(type);
  if (choices !== null && !choices.includes(text)) {
    throw new UsageError(
      `--dialect: ${path} cannot be "${text}"${suggestion(text, choices) || `; it may be ${choices.join(', ')}`}`,
    );
  }
  if (type.includes(`'${text}'`)) return text;
  if (type === 'string' || type === 'string | null') return text === 'null' ? null : text;
  const value: unknown =
    type === 'string[]' && !text.startsWith('[') ? text.split(',') : parse(text);
  const isNull = value === null && type.includes('null');
  const isAlike =
    standard === null || type.includes('{') || Object(standard) === standard
      ? Array.isArray(value) === Array.isArray(standard)
      : typeof value === typeof standard;
  if (!isNull && !isAlike) {
    throw new UsageError(`--dialect: ${path} takes ${type}, not "${text}"`);
  }
  return value;
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
      const hint = known === undefined ? '; --help lists them' : `; did you mean "${known.path}"?`;
      throw new UsageError(`--dialect: there is no field "${path}"${hint}`);
    }
    if (value === undefined) {
      throw new UsageError(`--dialect: ${path} needs a value: ${path}=…, of ${field.type}`);
    }
    put(options, path, readValue(field, value));
  }
  return options as DialectOptions;
}
