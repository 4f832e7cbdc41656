import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { isMap, parse, parseDocument, visit } from 'yaml';
import { readSiteFile } from '../../src/declared/model/read.ts';
import { domains } from '../../src/domains/inputs.ts';
import { type Example, examples } from '../support/examples.ts';
import { root } from './snippets.ts';

/** What GitHub gives each job by itself. */
const given = new Set(['GITHUB_TOKEN']);

/** The files that a workflow reads: the site files of its steps, and the workflows that it calls. */
function filesOf({ text }: Example): string[] {
  const found: string[] = [];
  visit(parseDocument(text), {
    Map: (_, node) => {
      const uses = node.get('uses');
      if (typeof uses !== 'string') return;
      if (uses.startsWith('./')) found.push(uses.slice(2));
      const inputs = node.get('with');
      const config = isMap(inputs) ? inputs.get('config') : undefined;
      if (typeof config === 'string') found.push(config);
      // Names to check need no site file.
      const isDomains = uses.includes('/domains@') && !(isMap(inputs) && inputs.has('check'));
      if (isDomains && config === undefined) found.push(domains.inputs.config.default);
    },
  });
  return found;
}

/** The secrets, variables and files that a workflow uses, and those that it calls. Comments use nothing. */
function usedBy(example: Example): Set<string> {
  const texts: string[] = [];
  visit(parseDocument(example.text), {
    Scalar: (_, { value }) => {
      texts.push(String(value));
    },
  });
  const names = texts
    .flatMap((text) => [...text.matchAll(/\b(?:secrets|vars)\.(\w+)/g)])
    .map(([, name = '']) => name)
    .filter((name) => !given.has(name));
  const files = filesOf(example);
  const called = files.filter((path) => path.startsWith('.github/workflows/'));
  const callees = examples.filter(
    ({ folder, name }) =>
      folder === example.folder && called.some((path) => basename(path) === name),
  );
  return new Set([...names, ...files, ...callees.flatMap((callee) => [...usedBy(callee)])]);
}

/** What the comment at the head of a workflow says that it needs. */
function namedIn(text: string): Set<string> {
  const head = text.slice(0, text.search(/^name:/m));
  const [, needs = ''] = /^# Needs ([\s\S]*)/m.exec(head) ?? [];
  return new Set(needs.match(/\b[A-Z][A-Z_]+\b|\.github\/[\w/-]+\.yml/g));
}

/** A step that reads a site file, with the variables of its `env:` that `env-from` doesn't name. */
interface ReadBy {
  file: string;
  given: string[];
}

/** The steps of a workflow that read a site file. */
function readersIn({ text }: Example): ReadBy[] {
  const { jobs } = parse(text) as {
    jobs: Record<string, { steps?: { with?: Record<string, unknown>; env?: object }[] }>;
  };
  const steps = Object.values(jobs).flatMap(({ steps: all = [] }) => all);
  return steps.flatMap(({ with: inputs = {}, env = {} }) => {
    const { config, 'env-from': named = '' } = inputs;
    const sources = String(named).split(/[\s=]+/);
    const given = Object.keys(env).filter((name) => !sources.includes(name));
    return typeof config === 'string' ? [{ file: config, given }] : [];
  });
}

const readers = examples.flatMap((example) =>
  readersIn(example).map((reader) => ({ ...example, ...reader })),
);

const readFileOf = ({ files }: Pick<Example, 'files'>, file: string) =>
  readFileSync(join(root, files, basename(file)), 'utf8');

/** The site file that users copy with an example. */
function siteFileOf(example: Pick<Example, 'files'>, file: string) {
  const reading = readSiteFile(readFileOf(example, file));
  expect(reading.ok, file).toBe(true);
  return reading.siteFile;
}

const sorted = (names: Iterable<string>) => [...names].sort();

test.each(examples)('$path names in its head what it needs, and nothing else', (example) => {
  expect(sorted(namedIn(example.text))).toEqual(sorted(usedBy(example)));
});

test.each(readers)('$path gives the variables that its site file names', (reader) => {
  const { file, given } = reader;
  const sources = siteFileOf(reader, file).environment.flatMap((one) =>
    'from' in one ? one.from : [],
  );
  expect(sorted(sources)).toEqual(sorted(given));
});

test.each(examples)('the site files of $path are in examples/, and name it', (example) => {
  for (const path of filesOf(example).filter((one) => !one.includes('/workflows/'))) {
    siteFileOf(example, path);
    expect(readFileOf(example, path)).toContain(example.name);
    // Those of the starter are copied with it.
    if (!example.files.endsWith('.github'))
      expect(example.text).toContain(`examples/${basename(path)}`);
  }
});
