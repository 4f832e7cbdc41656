import { describe, expect, test } from 'vitest';
import { mistakesIn } from '../../test/support/site-file/builders.ts';

const plainOnly =
  "value requires kind: plain; for a secret, use from: and the name of a variable in the step's environment";
const wrongProject = "project must be self, a project's id (a UUID) or null";
const noHostname =
  'this is not a valid hostname: use 3 to 253 lower-case letters, digits and "-", with at least one "."';
const tooLong = (max: number) => `it has more than ${max} characters, the limit of the service`;

type Cases = [name: string, text: string, ...mistakes: string[]][];

const replacesForm = 'replaces must be a content, or such as { content: "old", priority: 10 }';

const cases: Record<string, Cases> = {
  'the file': [
    [
      'a text',
      'hello',
      'line 1, column 1: this must be a mapping, with environment, connected-domains, registered-domains or checks',
    ],
    [
      'a list',
      '\n - environment',
      'line 2, column 2: this must be a mapping, with environment, connected-domains, registered-domains or checks',
    ],
    [
      'misspelt sections',
      'enviroment: {}\nConnected_Domains: {}\nregistereddomain: {}',
      'line 1, column 1: unknown key "enviroment"; did you mean "environment"?',
      'line 2, column 1: unknown key "Connected_Domains"; did you mean "connected-domains"?',
      'line 3, column 1: unknown key "registereddomain"; did you mean "registered-domains"?',
    ],
    [
      'sections that are unlike any',
      'env: {}\n"a\\u202e\\e[mb": 1\n__proto__: {}',
      'line 1, column 1: unknown key "env"; allowed keys: environment, connected-domains, registered-domains, checks',
      'line 2, column 1: unknown key "a b"; allowed keys: environment, connected-domains, registered-domains, checks',
      'line 3, column 1: unknown key "__proto__"; allowed keys: environment, connected-domains, registered-domains, checks',
    ],
    [
      'sections of other types',
      'environment: [A, B]\nconnected-domains: a.example\nregistered-domains: 1',
      'line 1, column 14: environment must be a mapping of names',
      'line 2, column 20: connected-domains must be a mapping of names',
      'line 3, column 21: registered-domains must be a mapping of names',
    ],
    [
      'more than 256 KiB',
      `#${'é'.repeat(2 ** 19)}`,
      'line 1, column 1: the file is larger than 256 KiB',
    ],
  ],
  'a variable': [
    [
      'a value instead of a mapping',
      'environment:\n  A: fake',
      'line 2, column 6: this must be a mapping, such as { from: NAME }',
    ],
    [
      'misspelt keys and words',
      'environment:\n  A: { targts: [production], kind: Secrt }\n  B: { targets: [prodution], KIND: plain }',
      'line 2, column 8: unknown key "targts"; did you mean "targets"?',
      'line 2, column 36: kind must be secret or plain; did you mean "secret"?',
      'line 3, column 18: item 1 of targets must be preview or production; did you mean "production"?',
      'line 3, column 30: unknown key "KIND"; did you mean "kind"?',
    ],
    [
      'one that is declared and removed at once, or removed by another word',
      'environment:\n  A: { from: B, remove: true }\n  C: { remove: false }',
      'line 2, column 25: remove: true must be the only key of its variable',
      'line 3, column 16: remove must be true or omitted',
    ],
    [
      'a key that is unlike any, which is not shown',
      'environment: { A: { sk_live_fake } }',
      'line 1, column 21: unknown key; allowed keys: from, value, kind, targets, remove',
    ],
    [
      'words that are unlike any, which are not shown',
      'environment: { A: { kind: sk_live_fake, targets: [3] } }',
      'line 1, column 27: kind must be secret or plain',
      'line 1, column 51: item 1 of targets must be preview or production',
    ],
    [
      'a source that is no name, which is not shown',
      'environment: { A: { from: sk/live+fake }, B: { from: } }',
      "line 1, column 27: from must be the name of a variable in the step's environment (not shown because it may be a value)",
      'line 1, column 54: from must be a string',
    ],
    [
      'an expression as a source',
      `environment: { A: { from: "\${{ secrets.A }}" } }`,
      `line 1, column 27: from must be a name: \${{ … }} works only in workflow files. Set a variable of the step's env: to it, and write that variable's name here`,
    ],
    [
      'both a source and a value',
      'environment: { A: { from: B, value: "1", kind: plain } }',
      'line 1, column 37: give from or value, not both',
    ],
    ['a value of no kind', 'environment: { A: { value: x } }', `line 1, column 28: ${plainOnly}`],
    [
      'a secret value',
      'environment:\n  A:\n    value: x\n    kind: secret',
      `line 3, column 12: ${plainOnly}`,
    ],
    [
      'a number and a boolean as values',
      'environment:\n  A: { value: 010, kind: plain }\n  B: { value: true, kind: plain }',
      'line 2, column 15: value must be a string: write it in quotes',
      'line 3, column 15: value must be a string: write it in quotes',
    ],
    [
      'a number that would be a secret: both are told',
      'environment: { A: { value: 10 } }',
      `line 1, column 28: value must be a string: write it in quotes`,
      `line 1, column 28: ${plainOnly}`,
    ],
    [
      'a list, a mapping and nothing as values',
      'environment:\n  A: { value: [x], kind: plain }\n  B: { value: { x: y }, kind: plain }\n  C: { value: , kind: plain }',
      'line 2, column 15: value must be a string',
      'line 3, column 15: value must be a string',
      'line 4, column 15: value must be a string',
    ],
    [
      'a value with a NUL',
      'environment: { A: { value: "a\\0b", kind: plain } }',
      'line 1, column 28: value must not contain a NUL character',
    ],
    [
      'a value that is too long',
      `environment: { A: { value: ${'x'.repeat(5121)}, kind: plain } }`,
      `line 1, column 28: ${tooLong(5120)}`,
    ],
    [
      'names that are none',
      `environment: { "A B": , "A=B": , "": , "A\\u0000": , ${'n'.repeat(129)}: }`,
      'line 1, column 16: this is not a valid variable name: it contains white space or "="',
      'line 1, column 25: this is not a valid variable name: it contains white space or "="',
      'line 1, column 34: this is not a valid variable name: it contains white space or "="',
      'line 1, column 40: this is not a valid variable name: it contains white space or "="',
      `line 1, column 53: ${tooLong(128)}`,
    ],
    [
      'targets that are no list, or name none',
      'environment: { A: { targets: production }, B: { targets: [] }, C: { targets: } }',
      'line 1, column 30: targets must be a list: [ … ], or lines that start with "-"',
      'line 1, column 58: targets must not be empty',
      'line 1, column 78: targets must be a list: [ … ], or lines that start with "-"',
    ],
    [
      'a name twice',
      'environment:\n  A: {}\n  B: {}\n  "A": {}',
      'line 4, column 3: duplicate key, already in line 2: keep one',
    ],
    [
      'a number twice, written differently',
      'environment: { 1: {}, "1": {} }',
      'line 1, column 23: duplicate key, already in line 1: keep one',
    ],
  ],
  'a connected domain': [
    [
      'hostnames that are none',
      `connected-domains: { WWW.a.example: , localhost: , -a.example: , ${'a.'.repeat(126)}aa: }`,
      `line 1, column 22: ${noHostname}`,
      `line 1, column 39: ${noHostname}`,
      `line 1, column 52: ${noHostname}`,
      `line 1, column 66: ${noHostname}`,
    ],
    [
      'projects that are none',
      'connected-domains:\n  a.example: { project: mine }\n  b.example: { project: 1 }\n  c.example: self',
      `line 2, column 25: ${wrongProject}`,
      `line 3, column 25: ${wrongProject}`,
      'line 4, column 14: this must be a mapping, such as { project: self }',
    ],
    [
      'a key of another section',
      'connected-domains: { a.example: { dns: [] } }',
      'line 1, column 35: unknown key "dns"; allowed keys: project',
    ],
  ],
  'a registered domain': [
    [
      'names that are none',
      `registered-domains: { com: , "a b.com": , https://a.com: , a..com: , ${'a'.repeat(250)}.com: }`,
      ...[23, 30, 43, 60, 70].map(
        (column) =>
          `line 1, column ${column}: this is not a valid domain name, such as example.com`,
      ),
    ],
    [
      'wrong types',
      'registered-domains:\n  a.com: { renewal: yes, project: me, dns: { type: A } }\n  b.com: { renewal: "true" }\n  c.com: true',
      'line 2, column 21: renewal must be true or false',
      `line 2, column 35: ${wrongProject}`,
      'line 2, column 44: dns must be a list: [ … ], or lines that start with "-"',
      'line 3, column 21: renewal must be true or false, without quotes',
      'line 4, column 10: this must be a mapping, such as { renewal: true }',
    ],
    [
      'fields that are missing, unknown, or of another type',
      `registered-domains:
  a.com:
    dns:
      - { type: TXT, name: 1, ttl: "300", priority: 1.5, port: 1e300, proxied: 1 }
      - type: ""
        Name: "@"
        content: 10
      - A @ 203.0.113.10
`,
      'line 4, column 9: content is missing',
      'line 4, column 28: name must be a string: write it in quotes',
      'line 4, column 36: ttl must be a whole number, without quotes',
      'line 4, column 53: priority must be a whole number',
      'line 4, column 64: port is out of range',
      'line 4, column 80: proxied must be true or false',
      'line 5, column 9: name is missing',
      'line 5, column 15: type must not be empty',
      'line 6, column 9: unknown key "Name"; did you mean "name"?',
      'line 7, column 18: content must be a string: write it in quotes',
      'line 8, column 9: this must be a mapping, such as { type: A, name: "@", content: 203.0.113.10 }',
    ],
    [
      'a replaced record of another form',
      `registered-domains:
  a.com:
    dns:
      - { type: A, name: w, content: 203.0.113.1, replaces: 5 }
      - { type: A, name: w, content: 203.0.113.2, replaces: [203.0.113.9] }
      - { type: A, name: w, content: 203.0.113.3, replaces: { priority: 10 } }
      - { type: A, name: w, content: 203.0.113.4, replaces: { content: a, ttl: 1 } }
      - { type: A, name: w, content: 203.0.113.5, replaces: { content: a, priority: "1" } }
      - { type: A, name: w, content: 203.0.113.6, replaces: }
      - { type: A, name: w, content: 203.0.113.7, replace: a }
`,
      ...[4, 5, 6].map((line) => `line ${line}, column 61: ${replacesForm}`),
      'line 7, column 75: unknown key "ttl"; allowed keys: content, priority',
      ...[8, 9].map((line) => `line ${line}, column 61: ${replacesForm}`),
      'line 10, column 51: unknown key "replace"; did you mean "replaces"?',
    ],
    [
      'what an anchor holds, told once',
      'registered-domains:\n  a.com: &a { renewal: 1 }\n  b.com: *a\n',
      'line 2, column 24: renewal must be true or false',
    ],
  ],
};

describe.each(Object.entries(cases))('%s', (_part, rows) => {
  test.each(rows)('%s', (_name, text, ...mistakes) => {
    expect(mistakesIn(text)).toEqual(mistakes);
  });
});
