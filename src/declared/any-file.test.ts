import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { anyCodePoint } from '../../test/support/any-text.ts';
import { runs } from '../../test/support/exhaustive.ts';
import {
  type AnySiteFile,
  anyDamagedFile,
  anySiteFile,
} from '../../test/support/site-file/any-file.ts';
import { read } from '../../test/support/site-file/builders.ts';
import { readSiteFile } from './model/read.ts';

const place = { line: expect.any(Number), column: expect.any(Number) };

/** What the reader must make of a right file. */
function meaning(file: AnySiteFile) {
  const variables = Object.entries(file.environment ?? {});
  return {
    removals: variables.flatMap(([name, entry]) =>
      entry !== null && 'remove' in entry ? [{ name, ...place }] : [],
    ),
    environment: variables.flatMap(([name, entry]) => {
      if (entry !== null && 'remove' in entry) return [];
      const isValue = entry !== null && 'value' in entry;
      return [{ name, kind: 'secret', ...(!isValue && { from: name }), ...entry, ...place }];
    }),
    connectedDomains: Object.entries(file['connected-domains'] ?? {}).map(([hostname, entry]) => ({
      hostname,
      ...entry,
      ...place,
    })),
    registeredDomains: Object.entries(file['registered-domains'] ?? {}).map(([name, entry]) => {
      const { dns, ...rest } = entry ?? {};
      const records = (dns ?? []).map((record, index) => ({
        ...record,
        type: record.type.toUpperCase(),
        index,
        ...place,
      }));
      return { name, ...rest, ...(dns !== undefined && { dns: records }), ...place };
    }),
  };
}

const writers: [string, (file: unknown) => string][] = [
  ['block style', (file) => stringify(file)],
  ['flow style', (file) => stringify(file, { collectionStyle: 'flow' })],
  ['CRLF', (file) => stringify(file, { blockQuote: false }).replaceAll('\n', '\r\n')],
  ['JSON', (file) => JSON.stringify(file, null, 2)],
];

test.each(writers)('a right file in %s is read as it was meant', (_name, write) => {
  fc.assert(
    fc.property(anySiteFile, (file) => {
      expect(read(write(file)).siteFile).toEqual(meaning(file));
    }),
    runs(40),
  );
});

/** Every place that a mistake of the text may have. */
function isInside(text: string, { line, column }: { line: number; column: number }): boolean {
  const lines = text.replace(/^\ufeff/, '').split('\n');
  const length = lines[line - 1]?.length;
  return length !== undefined && column >= 1 && column <= length + 1;
}

const snippet = fc.constantFrom(
  ...[
    'environment:',
    'registered-domains:',
    'a.com:',
    'dns:',
    'A:',
    'value:',
    '- ',
    '? ',
    ': ',
    ',',
  ],
  ...[
    '\n',
    '\r\n',
    '\r',
    '\n  ',
    '\n    ',
    '\t',
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '|\n',
    '>-\n',
    '\\',
  ],
  ...[
    '&a ',
    '*a',
    '<<: ',
    '!x ',
    '!!str ',
    '#',
    '%',
    '@',
    '---\n',
    '...\n',
    '\ufeff',
    '\0',
    'é',
    'x',
  ],
);
const anyYaml = fc.oneof(
  fc.string({ unit: anyCodePoint }),
  fc.array(snippet, { maxLength: 30 }).map((snippets) => snippets.join('')),
  fc
    .tuple(anySiteFile, fc.nat(), fc.nat({ max: 5 }), snippet)
    .map(([file, at, length, inserted]) => {
      const text = stringify(file);
      const start = at % (text.length + 1);
      return text.slice(0, start) + inserted + text.slice(start + length);
    }),
  anyDamagedFile.map((file) => stringify(file)),
);

test('any text is read or has mistakes, in order, at places inside it', () => {
  fc.assert(
    fc.property(anyYaml, (text) => {
      const reading = readSiteFile(text);
      if (reading.ok) return;
      const { mistakes } = reading;
      expect(mistakes).not.toEqual([]);
      expect(mistakes.filter((mistake) => !isInside(text, mistake))).toEqual([]);
      const inOrder = mistakes.toSorted((a, b) => a.line - b.line || a.column - b.column);
      expect(mistakes).toEqual(inOrder);
    }),
    runs(80),
  );
});

const marker = 'FAKEVALUE';

test('no mistake ever shows a value', () => {
  const before = fc.constantFrom('', '"', "'", '{', '[', '@', '*', '&', '!', '%', '|', '- ', '\\');
  const after = fc.constantFrom(
    '',
    '"',
    "'",
    '}',
    ']',
    ' x',
    ': x',
    ' #',
    '\n  B',
    '\n C: D',
    ', D',
  );
  const key = fc.constantFrom('value', 'from', 'kind', 'targets', 'valeu');
  const entry = fc
    .tuple(key, before, after)
    .map(([name, start, end]) => `  A:\n    ${name}: ${start}${marker}${end}\n`);
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 3 }), (entries) => {
      const reading = readSiteFile(`environment:\n${entries.join('')}`);
      expect(JSON.stringify(reading.ok ? [] : reading.mistakes)).not.toContain(marker);
    }),
    runs(50),
  );
});
