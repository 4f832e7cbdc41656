import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from './snippets.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

const text = z.string().min(1);
const validations = z.strictObject({ required: z.boolean() });
const id = z.string().regex(/^[\w-]+$/);

/** An element of a form, with the keys that GitHub documents. */
const element = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('markdown'), attributes: z.strictObject({ value: text }) }),
  z.strictObject({
    type: z.literal(['input', 'textarea']),
    id,
    attributes: z.strictObject({
      label: text,
      description: text.optional(),
      placeholder: text.optional(),
      render: text.optional(),
    }),
    validations: validations.optional(),
  }),
  z.strictObject({
    type: z.literal('dropdown'),
    id,
    attributes: z.strictObject({ label: text, options: z.array(text).min(1) }),
    validations: validations.optional(),
  }),
]);

const form = z.strictObject({
  name: z.string().min(3),
  description: z.string().min(3),
  body: z.array(element),
});

const chooser = z.strictObject({
  blank_issues_enabled: z.boolean(),
  contact_links: z.array(z.strictObject({ name: text, url: z.url(), about: text })),
});

const templates = '.github/ISSUE_TEMPLATE';

const distinct = (texts: readonly string[]) => expect(texts).toEqual([...new Set(texts)]);

test('GitHub takes the form for bugs', () => {
  const fields = form
    .parse(parse(read(`${templates}/bug.yml`)))
    .body.filter((one) => one.type !== 'markdown');
  distinct(fields.map((field) => field.id));
  distinct(fields.map(({ attributes }) => attributes.label));
  const [options = []] = fields.flatMap((field) =>
    field.type === 'dropdown' ? [field.attributes.options] : [],
  );
  const actions = globSync('*/action.yml', { cwd: root }).map((file) => basename(dirname(file)));
  expect(options.toSorted()).toEqual(['deploy', ...actions, 'the command site-deploy'].toSorted());
});

test('the links above the form lead to pages of this repository', () => {
  const { contact_links: links } = chooser.parse(parse(read(`${templates}/config.yml`)));
  // OWNER is replaced here by whoever releases.
  const paths = links.map(({ url }) => /^https:\/\/github\.com\/[\w-]+\/(.*)$/.exec(url)?.[1]);
  expect(paths).toEqual([
    'site-deploy-action/blob/main/docs/troubleshooting.md',
    'site-deploy-action/security/policy',
  ]);
});

test('the template of a pull request has three lines', () => {
  expect(read('.github/pull_request_template.md').trim().split('\n')).toHaveLength(3);
});

test('version managers install the Node of the dev dependencies', () => {
  const { devDependencies } = JSON.parse(read('package.json'));
  expect(read('.node-version')).toBe(`${devDependencies.node}\n`);
});

test('the Node that a clone needs is the same everywhere', () => {
  const { engines } = JSON.parse(read('package.json'));
  expect(JSON.parse(read('package-lock.json')).packages[''].engines).toEqual(engines);
  const [, oldest] = /^>=(\d+)$/.exec(engines.node) ?? [];
  expect(read('README.md')).toContain(`In a clone, with Node ${oldest} or later`);
  expect(read('CONTRIBUTING.md')).toContain(`You need Node ${oldest} or newer`);
  expect(read('scripts/setup.mjs')).toContain(`(${oldest} or newer)`);
});
