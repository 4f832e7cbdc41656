import fc from 'fast-check';
import { anyCodePoint } from '../any-text.ts';

/** Texts that YAML could take for something else. */
const awkward = fc.constantFrom(
  '',
  ' ',
  '@',
  '*',
  '&a',
  '#',
  'null',
  'true',
  '10',
  '1e3',
  '- a',
  'a: b',
  '"',
  "'",
  '\\',
  '\n',
  'a\n b\n\n',
  '\t',
  '!x',
  '%',
  '<<',
  '[',
  '}',
  '---',
  '\u0085',
  '\u2028',
  '😀',
);
/** The library writes a text of blank lines so that it reads back as another. */
const isOfBlankLines = /^\s*\n\s*$/;

const anyText = fc
  .array(fc.oneof(awkward, fc.string({ unit: anyCodePoint, maxLength: 5 })), { maxLength: 4 })
  .map((parts) => parts.join('').replaceAll('\0', ''))
  .filter((text) => !isOfBlankLines.test(text));
const someText = anyText.filter((text) => text !== '');

const variableName = fc
  .oneof(
    fc.constantFrom('__proto__', 'constructor', 'null', '1', '~', 'true', '*a', '-'),
    fc.stringMatching(/^[A-Za-z_][\w.-]{0,20}$/),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  )
  .filter((name) => name !== '<<' && !/[\s=\p{Cc}\p{Cf}]/u.test(name));
const targets = fc.array(fc.constantFrom('preview', 'production'), { minLength: 1, maxLength: 3 });
const removal = fc.record({ remove: fc.constant(true as const) });
const variable = fc.oneof(
  fc.constant(null),
  removal,
  fc.record(
    {
      from: fc.stringMatching(/^[A-Za-z_][\w.-]{0,20}$/),
      kind: fc.constantFrom('secret', 'plain'),
      targets,
    },
    { requiredKeys: [] },
  ),
  fc.record(
    { value: anyText, kind: fc.constant('plain'), targets },
    { requiredKeys: ['value', 'kind'] },
  ),
);

const project = fc.oneof(fc.constantFrom('self', null), fc.uuid());
const hostname = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,9}(\.[a-z0-9-]{1,9}){1,3}$/);
const domainName = fc.oneof(
  hostname.filter((name) => !/(^|\.)-|-(\.|$)/.test(name)),
  fc.constantFrom('Bücher.example', 'Example.COM.'),
);
const integer = fc.maxSafeInteger();
const dnsRecord = fc.record(
  {
    type: someText,
    name: someText,
    content: anyText,
    ttl: integer,
    comment: anyText,
    priority: integer,
    flags: integer,
    tag: anyText,
    weight: integer,
    port: integer,
    proxied: fc.boolean(),
  },
  { requiredKeys: ['type', 'name', 'content'] },
);

const section = <Entry>(name: fc.Arbitrary<string>, entry: fc.Arbitrary<Entry>) =>
  fc.oneof(fc.constant(null), fc.dictionary(name, fc.option(entry), { maxKeys: 4 }));

/** What right site files say. */
export const anySiteFile = fc.record(
  {
    environment: section(variableName, variable),
    'connected-domains': section(hostname, fc.record({ project }, { requiredKeys: [] })),
    'registered-domains': section(
      domainName,
      fc.record(
        {
          renewal: fc.boolean(),
          project,
          dns: fc.option(fc.array(dnsRecord, { maxLength: 3 })),
        },
        { requiredKeys: [] },
      ),
    ),
  },
  { requiredKeys: [] },
);

/** A right site file, as plain values. */
export type AnySiteFile = typeof anySiteFile extends fc.Arbitrary<infer File> ? File : never;

/** Values of any type, most of them right somewhere in a site file. */
const anyValue = fc.constantFrom<unknown>(
  ...[null, '', 'self', 'plain', 'preview', 'A', 'a\0', 'x'.repeat(5121), 10, 1.5, 1e300, true],
  ...[[], {}, ['preview'], [3], [{}], { value: 'x' }, { project: 'self' }],
);

const anyKey = fc.constantFrom(
  ...['', 'value', 'from', 'kind', 'targets', 'project', 'renewal', 'dns', 'type', 'ttl', 'a b'],
  ...['environment', 'connected-domains', 'registered-domains', 'a.example', 'n'.repeat(129)],
);

/** All mappings and lists in a value, itself included. */
function containersIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(containersIn)];
}

/** What a site file says, with one thing in it replaced or added: mostly wrong, sometimes right. */
export const anyDamagedFile = fc
  .tuple(anySiteFile, fc.nat(), anyKey, anyValue)
  .map(([file, at, key, value]) => {
    const damaged = structuredClone(file);
    const containers = containersIn(damaged);
    const container = containers[at % containers.length];
    if (container !== undefined) Reflect.set(container, Array.isArray(container) ? 0 : key, value);
    return damaged;
  });
