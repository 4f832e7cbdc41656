import { describe, expect, test } from 'vitest';
import { read } from '../../test/support/site-file/builders.ts';
import { readSiteFile } from './model/read.ts';

const example = `environment:
  STRIPE_KEY: { from: PROD_STRIPE_KEY, targets: [production] }   # value from the step's environment
  PUBLIC_ORIGIN: { value: "https://www.example.com", kind: plain }  # only plain values may stand here
connected-domains:
  www.example.com: { project: self }      # or a project's id, or null: connected, unassigned
registered-domains:
  example.com:
    renewal: true
    project: self                         # bound; null: unbound; absent: left alone
    dns:
      - { type: A, name: "@", content: 203.0.113.10, ttl: 300 }
      - { type: MX, name: "@", content: mail.example.com, priority: 10 }
`;

const exampleRead = {
  removals: [],
  environment: [
    {
      name: 'STRIPE_KEY',
      from: 'PROD_STRIPE_KEY',
      kind: 'secret',
      targets: ['production'],
      line: 2,
      column: 3,
    },
    { name: 'PUBLIC_ORIGIN', value: 'https://www.example.com', kind: 'plain', line: 3, column: 3 },
  ],
  connectedDomains: [{ hostname: 'www.example.com', project: 'self', line: 5, column: 3 }],
  registeredDomains: [
    {
      name: 'example.com',
      renewal: true,
      project: 'self',
      dns: [
        { type: 'A', name: '@', content: '203.0.113.10', ttl: 300, index: 0, line: 11, column: 9 },
        {
          type: 'MX',
          name: '@',
          content: 'mail.example.com',
          priority: 10,
          index: 1,
          line: 12,
          column: 9,
        },
      ],
      line: 7,
      column: 3,
    },
  ],
};

test.each([
  ['as it is', example],
  ['with CRLF', example.replaceAll('\n', '\r\n')],
  ['with a byte order mark', `\ufeff${example}`],
  ['without its last line break', example.trimEnd()],
])('the example %s is read whole', (_name, text) => {
  expect(read(text).siteFile).toEqual(exampleRead);
});

test.each([
  ['an empty file', ''],
  ['white space', ' \n\n'],
  ['comments', '# nothing yet\n'],
  ['an empty document', '---\n...\n'],
  ['an empty mapping', '{}'],
  ['empty sections', 'environment:\nconnected-domains: {}\nregistered-domains: null\n'],
])('%s declares nothing', (_name, text) => {
  expect(read(text).siteFile).toEqual({
    environment: [],
    removals: [],
    connectedDomains: [],
    registeredDomains: [],
  });
});

const place = { line: 1, column: expect.any(Number) };

describe('a variable', () => {
  test.each([
    ['nothing', 'A:', { name: 'A', from: 'A', kind: 'secret' }],
    ['an empty mapping', 'A: {}', { name: 'A', from: 'A', kind: 'secret' }],
    ['a source', 'A: { from: B.c-d }', { name: 'A', from: 'B.c-d', kind: 'secret' }],
    [
      'a kind and targets',
      'A: { kind: secret, targets: [preview, production] }',
      { name: 'A', from: 'A', kind: 'secret', targets: ['preview', 'production'] },
    ],
    ['a plain source', 'A: { kind: plain }', { name: 'A', from: 'A', kind: 'plain' }],
    ['an empty value', 'A: { value: "", kind: plain }', { name: 'A', value: '', kind: 'plain' }],
    ['a tag', 'A: { value: !!str 10, kind: plain }', { name: 'A', value: '10', kind: 'plain' }],
    ['a name that is a number', '1: {}', { name: '1', from: '1', kind: 'secret' }],
    ['the name null', 'null: {}', { name: 'null', from: 'null', kind: 'secret' }],
    [
      'the name __proto__',
      '__proto__: {}',
      { name: '__proto__', from: '__proto__', kind: 'secret' },
    ],
    [
      'the name constructor',
      'constructor: {}',
      { name: 'constructor', from: 'constructor', kind: 'secret' },
    ],
  ])('with %s', (_name, entry, expected) => {
    expect(read(`environment: { ${entry} }`).siteFile.environment).toEqual([
      { ...expected, ...place },
    ]);
  });

  test('with remove: true is to be deleted, and not declared', () => {
    const { siteFile } = read('environment: { OLD: { remove: true }, A: }');
    expect(siteFile.removals).toEqual([{ name: 'OLD', ...place }]);
    expect(siteFile.environment).toMatchObject([{ name: 'A' }]);
  });

  test('keeps a value of many lines byte for byte', () => {
    const text = 'environment:\n  A:\n    kind: plain\n    value: |\n      one: #\n\n       two\n';
    expect(read(text).siteFile.environment).toMatchObject([{ value: 'one: #\n\n two\n' }]);
  });

  test('may have as many characters as the service takes, however they are encoded', () => {
    const text = `environment: { ${'😀'.repeat(128)}: { value: ${'😀'.repeat(5120)}, kind: plain } }`;
    expect(read(text).siteFile.environment).toHaveLength(1);
  });
});

const id = '6d1f0c62-3b0e-4f6e-9a53-0f4a3a1c2b7d';

describe('a connected domain', () => {
  test.each([
    ['nothing: its assignment is left alone', 'a.example:', { hostname: 'a.example' }],
    ['no project', 'a.example: { project: null }', { hostname: 'a.example', project: null }],
    ['an id', `a.example: { project: ${id} }`, { hostname: 'a.example', project: id }],
  ])('with %s', (_name, entry, expected) => {
    expect(read(`connected-domains: { ${entry} }`).siteFile.connectedDomains).toEqual([
      { ...expected, ...place },
    ]);
  });
});

describe('a registered domain', () => {
  test.each([
    ['nothing', 'example.com:', { name: 'example.com' }],
    ['another spelling', 'Bücher.Example.: {}', { name: 'Bücher.Example.' }],
    ['renewal off', 'a.com: { renewal: false }', { name: 'a.com', renewal: false }],
    ['no project', 'a.com: { project: ~ }', { name: 'a.com', project: null }],
    ['no records', 'a.com: { dns: [] }', { name: 'a.com', dns: [] }],
    [
      'what a record replaces',
      'a.com: { dns: [{ type: TXT, name: "@", content: b, replaces: a }, { type: MX, name: "@", content: b.c, priority: 1, replaces: { content: a.c, priority: 2 } }] }',
      {
        name: 'a.com',
        dns: [
          expect.objectContaining({ replaces: 'a' }),
          expect.objectContaining({ replaces: { content: 'a.c', priority: 2 } }),
        ],
      },
    ],
    ['nothing under dns', 'a.com: { dns: }', { name: 'a.com', dns: [] }],
    [
      'a record with every field',
      'a.com: { dns: [{ type: caa, name: "@", content: ca.example, ttl: 60, comment: "", priority: 1, flags: 0, tag: issue, weight: 2, port: 443, proxied: false }] }',
      {
        name: 'a.com',
        dns: [
          {
            type: 'CAA',
            name: '@',
            content: 'ca.example',
            ttl: 60,
            comment: '',
            priority: 1,
            flags: 0,
            tag: 'issue',
            weight: 2,
            port: 443,
            proxied: false,
            index: 0,
            ...place,
          },
        ],
      },
    ],
  ])('with %s', (_name, entry, expected) => {
    expect(read(`registered-domains: { ${entry} }`).siteFile.registeredDomains).toEqual([
      { ...expected, ...place },
    ]);
  });
});

test('an alias stands for what its anchor holds', () => {
  const { siteFile, positionOf } = read(`registered-domains:
  a.com:
    dns: &mail
      - { type: MX, name: "@", content: mail.example.com, priority: 10 }
  b.com: { dns: *mail }
`);
  const [a, b] = siteFile.registeredDomains;
  expect(b?.dns).toEqual(a?.dns);
  expect(positionOf(['registered-domains', 'b.com', 'dns'])).toEqual({ line: 5, column: 17 });
  expect(positionOf(['registered-domains', 'b.com', 'dns', 0, 'priority'])).toEqual({
    line: 4,
    column: 69,
  });
});

describe('the place', () => {
  const { positionOf } = read(example);
  const dns = ['registered-domains', 'example.com', 'dns'];

  test.each([
    ['of the file', [], 1, 1],
    ['of a record', [...dns, 1], 12, 9],
    ['of a field', [...dns, 1, 'priority'], 12, 69],
    ['of a field that is not there: that of its record', [...dns, 1, 'ttl'], 12, 9],
    ['of a record that is not there: that of the list', [...dns, 7, 'ttl'], 11, 7],
    ['of a domain that is not there: that of the section', ['connected-domains', 'b'], 5, 3],
    ['of something that every object has', ['constructor'], 1, 1],
  ])('%s', (_name, path, line, column) => {
    expect(positionOf(path)).toEqual({ line, column });
  });
});

test('of a file with mistakes, what is right by itself is read', () => {
  const reading = readSiteFile(`environment:
  A: { from: SOURCE }
  B: { kind: other }
connected-domains:
  a.example: { project: mine }
  b.example:
registered-domains:
  example.com:
    renewal: maybe
    project: self
    dns:
      - { type: A, nam: x, content: 203.0.113.10 }
      - { type: A, name: www, content: 203.0.113.10 }
  -bad-.com: { renewal: true }
`);
  expect(reading.ok).toBe(false);
  expect(reading.siteFile).toMatchObject({
    environment: [{ name: 'A' }],
    connectedDomains: [{ hostname: 'b.example' }],
    registeredDomains: [{ name: 'example.com', project: 'self', dns: [{ name: 'www', index: 1 }] }],
  });
  expect(reading.siteFile.registeredDomains).toHaveLength(1);
  expect(reading.siteFile.registeredDomains[0]).not.toHaveProperty('renewal');
});
