import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { validate } from '@actions/languageservice';
import { describe, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { pages, root } from './snippets.ts';

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
  const written = /\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"\s]+)"/g;
  const links = [...read(path).matchAll(written)].map(([, link, other = '']) => link ?? other);
  return links
    .filter((link) => !/^(https?:|\.\.\/\.\.\/security\/)/.test(link))
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
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(200);
  });

  test('answers in the order in which a stranger asks', () => {
    const headings = [...readme.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual([
      'The shortest workflow',
      'Before you begin',
      'Your first deploy',
      'The three jobs',
      'Try it here',
      'When it fails',
      'Inputs',
      'More',
    ]);
  });

  test('begins with a workflow that works, and says who OWNER is where it stands first', async () => {
    const [, workflow = ''] = /```yaml\n([\s\S]*?)```/.exec(readme) ?? [];
    const uri = pathToFileURL(join(root, '.github/workflows/shortest.yml')).href;
    expect(await validate(TextDocument.create(uri, 'yaml', 0, workflow))).toEqual([]);
    expect(workflow.match(/api-key:|base-url:|project-id:/g)).toHaveLength(3);
    const after = readme.slice(readme.indexOf('OWNER/site-deploy-action@v1')).split('```')[1] ?? '';
    expect(after.trimStart()).toMatch(/^`OWNER` is .*\. `v1` is a tag/);
  });

  test('names every example', () => {
    const examples = globSync('examples/workflows/*.yml', { cwd: root });
    expect(examples.filter((path) => !readme.includes(`](${path})`))).toEqual([]);
    expect(examples.length).toBeGreaterThan(20);
  });
});
