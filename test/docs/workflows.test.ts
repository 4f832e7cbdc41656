import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseDocument, stringify } from 'yaml';
import { z } from 'zod';
import { readSiteFile } from '../../src/declared/model/read.ts';
import { diagnose } from '../support/diagnose.ts';
import { root, type Snippet, snippets } from './snippets.ts';

const object = z.record(z.string(), z.unknown());
const base = {
  'api-key': `\${{ secrets.SITE_API_KEY }}`,
  'base-url': `\${{ vars.SITE_BASE_URL }}`,
};
const ours = 'OWNER/site-deploy-action@v1';

/** Keys of a step that is not an input. */
const ofStep = new Set(['env', 'id', 'if', 'run', 'shell', 'uses', 'with']);

/** A step of ours with what each needs, where a page leaves that out. */
function wholeStep(given: unknown): Record<string, unknown> {
  const step = object.parse(given);
  if (!String(step['uses'] ?? '').startsWith('OWNER/')) return step;
  return { ...step, with: { ...base, ...object.parse(step['with'] ?? {}) } };
}

const inWorkflow = (job: object) =>
  stringify({
    on: ['push', 'pull_request', 'pull_request_review', 'issue_comment', 'workflow_dispatch'],
    permissions: {},
    jobs: { one: { 'runs-on': 'ubuntu-latest', steps: [{ run: 'exit' }], ...job } },
  });

/** A step of which a page shows some inputs, or its `with:`, or its `env:`. */
function stepOf(part: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(part);
  const inputs = Object.fromEntries(entries.filter(([key]) => !ofStep.has(key)));
  const { with: given = {}, ...rest } = Object.fromEntries(
    entries.filter(([key]) => ofStep.has(key)),
  );
  return { uses: ours, ...rest, with: { ...inputs, ...object.parse(given) } };
}

/** The workflow that a part of one stands in. */
function around(text: string): string {
  const part: unknown = parse(text);
  if (Array.isArray(part)) return inWorkflow({ steps: part.map(wholeStep) });
  const given = object.parse(part);
  if ('jobs' in given) return text;
  if ('steps' in given) {
    return inWorkflow({
      ...given,
      steps: z.array(z.unknown()).parse(given['steps']).map(wholeStep),
    });
  }
  const keys = Object.keys(given);
  if (keys.every((key) => ['environment', 'permissions', 'concurrency'].includes(key))) {
    return inWorkflow(given);
  }
  return inWorkflow({ steps: [wholeStep(stepOf(given))] });
}

/** True of a variable that a step before sets for the job: no metadata of an action names those. */
function isSetByStep(mistake: string, text: string): boolean {
  const [, name] = /Context access might be invalid: (\w+)$/.exec(mistake) ?? [];
  return name !== undefined && text.includes(`{{ env.${name} }}`);
}

/** The lines of a part of GitLab's file that the example, which test/cli/ runs, does not have in this order. */
async function unlikeTheExample(text: string): Promise<string[]> {
  const example = await readFile(join(root, 'examples/gitlab/.gitlab-ci.yml'), 'utf8');
  const [, ...lines] = text.trimEnd().split('\n');
  let rest = example.split('\n');
  return lines.filter((line) => {
    const at = rest.indexOf(line);
    if (at !== -1) rest = rest.slice(at + 1);
    return at === -1;
  });
}

/** What is wrong with a snippet of YAML. */
async function mistakesIn({ text }: Pick<Snippet, 'text'>, name: string): Promise<string[]> {
  const document = parseDocument(text);
  if (document.errors.length > 0) return document.errors.map(({ message }) => message);
  if (/^# \.github\/(?:site|checks)\.yml/.test(text)) {
    const reading = readSiteFile(text);
    return 'mistakes' in reading ? reading.mistakes.map(({ message }) => message) : [];
  }
  if (text.startsWith('# .gitlab-ci.yml\n')) return await unlikeTheExample(text);
  expect(document.contents, 'a list or a mapping').toBeInstanceOf(Object);
  const mistakes = await diagnose(`.github/workflows/${name}.yml`, around(text));
  return mistakes.filter((mistake) => !isSetByStep(mistake, text));
}

const yaml = snippets.filter(({ language }) => language === 'yaml');

test('there are snippets to check, and none is of a language that nobody checks', () => {
  expect(yaml.length).toBeGreaterThan(8);
  const known = ['', 'json', 'sh', 'text', 'yaml'];
  expect(snippets.filter(({ language }) => !known.includes(language))).toEqual([]);
});

test.each(yaml)('the YAML of $page, line $line, is right', async (snippet) => {
  expect(await mistakesIn(snippet, `${snippet.page.replaceAll('/', '-')}-${snippet.line}`)).toEqual(
    [],
  );
});

test.each([
  ['a wrong input among inputs', 'git-urll: https://git.example.com/a.git'],
  ['a wrong input of a step', `- uses: ${ours}\n  with: { no-such: a }`],
  ['a wrong key of a job', 'permisions: {}\nsteps: []'],
  ['a wrong key of a site file', '# .github/site.yml\nconnected-domain: {}'],
  ["a line that GitLab's example does not have", '# .gitlab-ci.yml\ndeploy:\n  scirpt:'],
  ['what is no YAML', 'a: [b'],
  ['a context that there is not', `with:\n  commit-sha: \${{ githup.sha }}`],
])('the checks catch %s', async (name, text) => {
  expect(await mistakesIn({ text }, name.replaceAll(' ', '-'))).not.toEqual([]);
});

test.each(snippets.filter(({ language }) => language === 'json'))(
  'the JSON of $page, line $line, is JSON',
  ({ text }) => {
    expect(JSON.parse(text)).toBeInstanceOf(Object);
  },
);
