import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { isMap, parseDocument, visit } from 'yaml';
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

const sorted = (names: Iterable<string>) => [...names].sort();

test.each(examples)('%s names in its head what it needs, and nothing else', (file) => {
  expect(sorted(namedIn(read(file)))).toEqual(sorted(usedBy(file)));
});
