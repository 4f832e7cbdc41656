import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { getLanguageService } from 'yaml-language-server';
import { isKnownType } from '../../src/domains/dns/check.ts';
import { root } from './snippets.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The line that tells an editor where the schema is, as the page shows it. */
const [, modeline = '', address = ''] =
  /`(# yaml-language-server: \$schema=(https:[^`\s]+))`/.exec(read('docs/variables.md')) ?? [];

const asked: string[] = [];

/** The language server of editors, as it starts with nothing set up: it fetches the schema that a file names. */
const service = getLanguageService({
  schemaRequestService: async (uri) => {
    asked.push(uri);
    const [, path = ''] =
      /^https:\/\/raw\.githubusercontent\.com\/[\w-]+\/[\w-]+\/v\d+\/(.+)$/.exec(uri) ?? [];
    return read(path);
  },
  workspaceContext: { resolveRelativePath: (path) => path },
});
service.configure({ validate: true, completion: true, hover: true });

let files = 0;
const documentOf = (text: string) => {
  files += 1;
  return TextDocument.create(`file:///site-${files}.yml`, 'yaml', 0, `${modeline}\n${text}`);
};

async function diagnose(text: string): Promise<string[]> {
  const found = await service.doValidation(documentOf(text), false);
  return found.map(({ message, range }) => `line ${range.start.line}: ${message}`);
}

/** What is offered where `|` stands. */
async function complete(text: string): Promise<string[]> {
  const document = documentOf(text.replace('|', ''));
  const position = document.positionAt(modeline.length + 1 + text.indexOf('|'));
  return (await service.doComplete(document, position, false)).items.map(({ label }) => label);
}

const right = `environment:
  STRIPE_KEY: { from: PROD_STRIPE_KEY, targets: [production] }
connected-domains:
  www.example.com: { project: self }
registered-domains:
  example.com:
    renewal: true
    dns:
      - { type: A, name: "@", content: 203.0.113.10, ttl: 300 }
`;

test('the page names the schema of a version, and an editor fetches that', async () => {
  expect(await diagnose(right)).toEqual([]);
  expect(address).toContain('/OWNER/site-deploy-action/v1/schema/site.schema.json');
  expect(new Set(asked)).toEqual(new Set([address]));
});

test('three mistakes give three messages, each in its line', async () => {
  const wrong = right
    .replace('targets: [production]', 'targts: [production]')
    .replace('ttl: 300', 'ttl: soon')
    .replace('renewal: true', 'renewal: perhaps');
  const found = await diagnose(wrong);
  expect(found).toEqual([
    'line 2: Property targts is not allowed.',
    'line 7: Incorrect type. Expected "boolean".',
    'line 9: Incorrect type. Expected "integer".',
  ]);
});

test('it completes the type of a record, and the keys of a section', async () => {
  const types = await complete(`${right}      - type: |\n`);
  expect(types.toSorted()).toEqual(['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'PTR', 'SRV', 'TXT']);
  for (const type of types) expect(isKnownType(type), type).toBe(true);
  expect(await complete('|')).toEqual(
    expect.arrayContaining(['environment', 'connected-domains', 'registered-domains']),
  );
});

test('the entry for SchemaStore gives the site file the same schema', () => {
  const [, entry = ''] = /```json\n([\s\S]*?)```/.exec(read('docs/releasing.md')) ?? [];
  const { name, description, fileMatch, url } = JSON.parse(entry);
  expect(fileMatch).toEqual(['.github/site.yml']);
  expect(url).toBe(address);
  // Its checks refuse this word.
  expect(`${name} ${description}`).not.toMatch(/schema/i);
});
