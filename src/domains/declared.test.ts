import { describe, expect, it } from 'vitest';
import { otherId, projectId } from '../../test/support/domains/builders.ts';
import type { ProjectId } from '../contract/safe-text.ts';
import { readSiteFile } from '../declared/model/read.ts';
import { showMistake } from '../site-file/position.ts';
import { type DeclaredReading, readDeclaredDomains } from './intent.ts';

/** Reads a site file that is right as such. */
function read(text: string, self: ProjectId | undefined = projectId): DeclaredReading {
  const reading = readSiteFile(text);
  if (!reading.ok) throw new Error(JSON.stringify(reading.mistakes));
  return readDeclaredDomains(reading.siteFile, { self, positionOf: reading.positionOf });
}

const messages = ({ mistakes }: DeclaredReading) => mistakes.map(showMistake);

describe('what a site file declares', () => {
  it('is read with its projects, and what is absent is left out', () => {
    const { declared, mistakes, notices } = read(`
connected-domains:
  a.example.com: { project: self }
  b.example.com: { project: ${otherId} }
  c.example.com: { project: null }
  d.example.com:
registered-domains:
  Example.COM:
    renewal: false
    project: self
    dns:
      - { type: mx, name: "@", content: mail.example.com, priority: 10 }
  example.net: { project: null, dns: null }
  bücher.example:
`);
    expect({ mistakes, notices }).toEqual({ mistakes: [], notices: [] });
    expect(declared).toEqual({
      connections: [
        { hostname: 'a.example.com', projectId },
        { hostname: 'b.example.com', projectId: otherId },
        { hostname: 'c.example.com', projectId: null },
        { hostname: 'd.example.com' },
      ],
      registrations: [
        {
          name: 'example.com',
          renewal: false,
          projectId,
          records: [{ type: 'MX', name: '@', content: 'mail.example.com', priority: 10 }],
        },
        { name: 'example.net', projectId: null, records: [] },
        { name: 'xn--bcher-kva.example' },
      ],
    });
  });

  it('may be nothing', () => {
    expect(read('')).toEqual({
      declared: { connections: [], registrations: [] },
      mistakes: [],
      notices: [],
    });
  });
});

const zone = (...records: string[]) =>
  [
    'registered-domains:',
    '  example.com:',
    '    dns:',
    ...records.map((one) => `      - ${one}`),
  ].join('\n');

describe('what is wrong with it stands with its place', () => {
  it.each([
    [
      'the content of a record',
      zone('{ type: A, name: www, content: 203.0.113.1 }', '{ type: A, name: x, content: nine }'),
      'line 5, column 38: A x.example.com: has "nine", which is not an IPv4 address',
    ],
    [
      'the name of a record',
      zone('{ type: A, name: www.example.net., content: 203.0.113.1 }'),
      'line 4, column 26: A www.example.net: its name is not in example.com',
    ],
    [
      'a field that lacks: the record',
      zone('{ type: MX, name: "@", content: mail.example.com }'),
      'line 4, column 9: MX example.com: has no priority: add it',
    ],
    [
      'a field that is wrong',
      zone('{ type: CAA, name: "@", content: ca.example, flags: 0, tag: isue }'),
      'line 4, column 69: CAA example.com: has the tag "isue"',
    ],
    [
      'one of two records that do not go together',
      zone(
        '{ type: A, name: w, content: 203.0.113.1 }',
        '{ type: CNAME, name: w, content: a.b.c }',
      ),
      'line 5, column 9: CNAME w.example.com: has the same name as other records ("A")',
    ],
    [
      'what a record replaces',
      zone('{ type: A, name: w, content: 203.0.113.1, replaces: nine }'),
      'line 4, column 61: A w.example.com: replaces a record that has "nine", which is not an IPv4 address',
    ],
    [
      'what a record replaces although it is in the file',
      zone(
        '{ type: A, name: w, content: 203.0.113.1 }',
        '{ type: A, name: w, content: 203.0.113.2, replaces: { content: 203.0.113.1 } }',
      ),
      'line 5, column 61: A w.example.com: replaces "203.0.113.1", which this file declares, too',
    ],
    [
      'the second spelling of one domain',
      'registered-domains:\n  example.com:\n  EXAMPLE.com.:\n',
      'line 3, column 3: example.com is declared twice, with different spellings',
    ],
  ])('%s', (_, text, says) => {
    const found = messages(read(text));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(says);
  });

  it('project: self without a project', () => {
    const text =
      'connected-domains:\n  a.example.com: { project: self }\nregistered-domains:\n  b.com: { project: self }\n';
    const reading = readSiteFile(text);
    if (!reading.ok) throw new Error('the file is right');
    const { positionOf, siteFile } = reading;
    const found = readDeclaredDomains(siteFile, { self: undefined, positionOf });
    expect(found.mistakes).toMatchObject([
      { line: 2, column: 3, message: 'project: self requires the input project-id' },
      { line: 4, column: 3, message: 'project: self requires the input project-id' },
    ]);
  });

  it('and all of it at once, in the order of the file', () => {
    const found = messages(
      read(zone('{ type: A, name: a, content: x }', '{ type: AAAA, name: b, content: y }')),
    );
    expect(found.map((message) => message.slice(0, 6))).toEqual(['line 4', 'line 5']);
  });

  it('what is only odd is a notice', () => {
    const { mistakes, notices } = read(zone('{ type: LOC, name: "@", content: somewhere }'));
    expect(mistakes).toEqual([]);
    expect(notices).toEqual([expect.stringContaining('this record type is not validated')]);
  });

  it.each([
    ['its list', '    dns: &mail\n      - { type: MX, name: "@", content: a.example }', '*mail', 9],
    [
      'itself',
      '    dns:\n      - &mail { type: MX, name: "@", content: a.example }',
      '[*mail]',
      15,
    ],
  ])('once for a record that is in several zones by an alias of %s', (_, anchor, alias, column) => {
    const found = messages(
      read(`registered-domains:\n  a.com:\n${anchor}\n  b.com: { dns: ${alias} }\n`),
    );
    expect(found).toEqual([`line 4, column ${column}: MX a.com: has no priority: add it`]);
  });

  it('at the right record, where one before it is wrong by itself', () => {
    const reading = readSiteFile(zone('{ type: A }', '{ type: A, name: b, content: y }'));
    const { positionOf, siteFile } = reading;
    const found = readDeclaredDomains(siteFile, { self: projectId, positionOf });
    expect(messages(found)).toEqual([
      expect.stringContaining('line 5, column 38: A b.example.com'),
    ]);
  });
});
