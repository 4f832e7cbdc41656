import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { isMap, parse, parseDocument, visit } from 'yaml';
import { readSiteFile } from '../../src/declared/model/read.ts';
import { domains } from '../../src/domains/inputs.ts';
import { root } from './snippets.ts';

const folder = join(root, 'examples/workflows');
const examples = globSync('*.yml', { cwd: folder });
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

/** What GitHub gives each job by itself. */
const given = new Set(['GITHUB_TOKEN']);

/** The files that a workflow reads: the site files of its steps, and the workflows that it calls. */
function filesOf(file: string): string[] {
  const found: string[] = [];
  visit(parseDocument(read(file)), {
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
function usedBy(file: string): Set<string> {
  const texts: string[] = [];
  visit(parseDocument(read(file)), {
    Scalar: (_, { value }) => {
      texts.push(String(value));
    },
  });
  const names = texts
    .flatMap((text) => [...text.matchAll(/\b(?:secrets|vars)\.(\w+)/g)])
    .map(([, name = '']) => name)
    .filter((name) => !given.has(name));
  const files = filesOf(file);
  const called = files.filter((path) => path.startsWith('.github/workflows/'));
  return new Set([...names, ...files, ...called.flatMap((path) => [...usedBy(basename(path))])]);
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
function readersIn(file: string): ReadBy[] {
  const { jobs } = parse(read(file)) as {
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
  readersIn(example).map((reader) => ({ example, ...reader })),
);

/** The site file in `examples/` that a reader copies. */
function siteFileOf(file: string) {
  const reading = readSiteFile(readFileSync(join(root, 'examples', basename(file)), 'utf8'));
  expect(reading.ok, file).toBe(true);
  return reading.siteFile;
}

const sorted = (names: Iterable<string>) => [...names].sort();

test.each(examples)('%s names in its head what it needs, and nothing else', (file) => {
  expect(sorted(namedIn(read(file)))).toEqual(sorted(usedBy(file)));
});

test.each(readers)('$example gives the variables that its site file names', ({ file, given }) => {
  const sources = siteFileOf(file).environment.flatMap((one) => ('from' in one ? one.from : []));
  expect(sorted(sources)).toEqual(sorted(given));
});

test.each(examples)('the site files of %s are in examples/, and name it', (file) => {
  for (const path of filesOf(file).filter((one) => !one.includes('/workflows/'))) {
    siteFileOf(path);
    expect(readFileSync(join(root, 'examples', basename(path)), 'utf8')).toContain(file);
    expect(read(file)).toContain(`examples/${basename(path)}`);
  }
});
