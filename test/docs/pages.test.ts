import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { validate } from '@actions/languageservice';
import { describe, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { parse } from 'yaml';
import { examples, starter } from '../support/examples.ts';
import { pages, root, snippets } from './snippets.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (page: string): string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The links of a page that lead nowhere; those to the outside, and to GitHub's own pages, are not followed. */
function brokenLinks(path: string): string[] {
  const written = /\]\(([^)\s]+)(?: "[^"\n]*")?\)|\b(?:src|srcset|href)="([^"\s]+)"/g;
  const links = [...read(path).matchAll(written)].map(([, link, other = '']) => link ?? other);
  return links
    .filter((link) => !/^(https?:|\.\.\/\.\.\/(security|issues)\/)/.test(link))
    .filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : normalize(join(dirname(path), file));
      if (globSync(target, { cwd: root }).length === 0) return true;
      return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
    });
}

test.each(pages)('every link of %s leads somewhere', (path) => {
  expect(brokenLinks(path)).toEqual([]);
});

describe('the README', () => {
  test('is read in a sitting', () => {
    expect(readme.match(/\S+/g)?.length).toBeLessThanOrEqual(1000);
  });

  test('leads to a first deployment before anything else', () => {
    const headings = [...readme.matchAll(/^##+ (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual([
      'Deploy your first commit',
      '1. Set up your repository',
      'Or copy the starter',
      '2. Push to main',
      'If the run fails',
      'What to add next',
      'Other actions in this repository',
      'Try it on your machine',
      'Documentation',
    ]);
  });

  test('lists each secret and variable of the starter, by its type', () => {
    const workflows = starter.map(({ text }) => text).join('\n');
    const used = [...workflows.matchAll(/\b(secret|var)s\.(\w+)/g)].map(([, type, name]) =>
      type === 'var' ? `${name} variable` : `${name} secret`,
    );
    const rows = [...readme.matchAll(/^\| `(\w+)` \| (secret|variable) \|/gm)];
    const listed = rows.map(([, name, type]) => `${name} ${type}`);
    expect(listed.sort()).toEqual([...new Set(used)].sort());
  });

  test('links each file of the starter, or shows it as it is', () => {
    const [, shown = ''] = /```yaml\n([\s\S]*?)```/.exec(readme) ?? [];
    for (const { path, text } of starter) {
      if (readme.includes(`](${path})`)) continue;
      const file = path.replace('examples/starter/', '');
      expect(shown).toBe(`# ${file}\n${text.slice(text.search(/^name:/m))}`);
    }
  });

  test('shows the list of variables that its workflow reads', () => {
    const [, { text = '' } = {}] = snippets.filter(
      ({ page, language }) => page === 'README.md' && language === 'yaml',
    );
    expect(parse(text)).toEqual(parse(read('examples/starter/.github/site.yml')));
  });

  test('has a workflow that GitHub accepts, and explains OWNER before it, v1 after it', async () => {
    const [, workflow = ''] = /```yaml\n([\s\S]*?)```/.exec(readme) ?? [];
    const uri = pathToFileURL(join(root, '.github/workflows/shortest.yml')).href;
    expect(await validate(TextDocument.create(uri, 'yaml', 0, workflow))).toEqual([]);
    const start = readme.indexOf(workflow);
    expect(readme.slice(0, start).split('\n### ').at(-1)).toMatch(/^`OWNER` is .*: replace it/m);
    expect(readme.slice(start + workflow.length)).toMatch(/^```\n\n`v1` is a tag/);
  });
});

test('the list of the examples has each of them', () => {
  const list = read('examples/README.md');
  const links = examples.map(({ path }) => path.replace('examples/', ''));
  expect(links.filter((link) => !list.includes(`](${link})`))).toEqual([]);
  expect(links.length).toBeGreaterThan(20);
});

/** Pages that are searched, or read to decide, and not for a task. */
const others = ['compatibility', 'guarantees', 'reference', 'security', 'troubleshooting'];

test('a page for a task has at most 900 words', () => {
  const rows = read('docs/README.md').match(/^\|.*$/gm) ?? [];
  const linked = rows.flatMap((row) => row.match(/(?<=\]\()[\w-]+(?=\.md)/g) ?? []);
  const tasks = [...new Set(linked)].filter((name) => !others.includes(name));
  const long = tasks.filter((name) => (read(`docs/${name}.md`).match(/\S+/g) ?? []).length > 900);
  expect(long).toEqual([]);
  expect(tasks.length).toBeGreaterThan(20);
});
