import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nextCommands } from '../../scripts/demo/next.ts';
import { StepLog } from '../../scripts/demo/step-log.ts';
import { root } from '../support/places.ts';

/** The log of a step as the runner writes it: its inputs, with defaults, and its environment. */
const logOf = (inputs: readonly string[], end: string) => [
  '▾ Run OWNER/site-deploy-action@v1',
  '  with:',
  ...inputs,
  '    timeout: 20m',
  '    github-token: ***',
  '  env:',
  '    verify-url: not an input',
  '',
  '    ***',
  end,
  '▾ Variables: 1 to write',
  '  + created     A',
  'Post job cleanup.',
];

test('the demo shows the given inputs of a step, and of a later one those that differ', () => {
  const shown: string[] = [];
  const log = new StepLog((line) => shown.push(line));
  const play = (given: readonly string[], inputs: readonly string[], end: string) => {
    log.begin(given);
    for (const line of logOf(inputs, end)) log.write(line);
  };
  const first = ['    api-key: ***', '    env-from: A', '  B', '    verify-url: http://a/'];
  play(['env-from', 'verify-url'], first, 'First');
  play(['env-from', 'verify-url'], first, 'Second');
  play(['env-from'], ['    api-key: ***', '    env-from: B'], 'Third');
  const group = ['▾ Variables: 1 to write', '  + created     A'];
  expect(shown).toEqual([
    '▸ Run OWNER/site-deploy-action@v1',
    '    api-key: ***',
    '    env-from: A, B',
    '    verify-url: http://a/',
    'First',
    ...group,
    '▸ Run OWNER/site-deploy-action@v1, with the same inputs',
    'Second',
    ...group,
    '▸ Run OWNER/site-deploy-action@v1',
    '    env-from: B',
    'Third',
    ...group,
  ]);
});

test('the demo ends with commands of the page whose commands are played', () => {
  const page = readFileSync(join(root, 'docs/trying-it.md'), 'utf8');
  expect(nextCommands).toHaveLength(3);
  for (const { command } of nextCommands) expect(page).toContain(command);
});
