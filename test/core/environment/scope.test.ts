import { expect, test } from 'vitest';
import { type StepPlace, scopeOf } from '../../../src/core/environment/scope.ts';

const file = 'octo-org/octo-site/.github/workflows/deploy.yml';
const place: StepPlace = {
  workflowRef: `${file}@refs/heads/main`,
  workflow: 'Deploy',
  job: 'deploy',
  step: '__run',
};

test.each<[string, Partial<StepPlace>]>([
  ['branch', { workflowRef: `${file}@refs/heads/topic` }],
  ['pull request', { workflowRef: `${file}@refs/pull/7/merge` }],
  ['branch with an @', { workflowRef: `${file}@refs/heads/a@refs/b` }],
  ['name of its workflow', { workflow: 'Another' }],
])('a step is the same one on another %s', (_name, fields) => {
  expect(scopeOf({ ...place, ...fields })).toBe(`${file} deploy __run`);
});

const named = { workflowRef: '' };

test.each<[string, Partial<StepPlace>, Partial<StepPlace>]>([
  ['of another file', {}, { workflowRef: `${file.replace('deploy', 'other')}@refs/heads/main` }],
  [
    'of another file whose name begins alike up to an @',
    { workflowRef: `${file}@a.yml@refs/heads/main` },
    { workflowRef: `${file}@b.yml@refs/heads/main` },
  ],
  ['of another job', {}, { job: 'other' }],
  ['with another id', {}, { step: '__run_2' }],
  ['of another name', named, { ...named, workflow: 'Other' }],
  ['of a workflow that is called like the file', {}, { ...named, workflow: file }],
  ['of a name that ends in a job', { ...named, workflow: 'Deploy deploy' }, named],
])('a step %s is another one', (_name, one, other) => {
  const scopes = [scopeOf({ ...place, ...one }), scopeOf({ ...place, ...other })];
  expect(new Set(scopes).size).toBe(2);
  expect(scopes).not.toContain(undefined);
});

test.each<[string, Partial<StepPlace>]>([
  ['workflow', { workflowRef: '', workflow: '' }],
  ['job', { job: '' }],
  ['step', { step: '' }],
])('without its %s it is not known which it is', (_name, fields) => {
  expect(scopeOf({ ...place, ...fields })).toBeUndefined();
});
