import { expect, test } from 'vitest';
import { fillTemplate } from './format.ts';

const values = {
  projectId: 'p',
  deploymentId: 'd',
  sha: '$&',
  'preview-domain': '{sha}',
  none: '',
};

test.each([
  ['a placeholder', '/projects/{projectId}', '/projects/p'],
  ['several', '/{projectId}/{deploymentId}/{projectId}', '/p/d/p'],
  ['a name with a dash, and no placeholder within a value', '{preview-domain}', '{sha}'],
  ['a value that means something in a replacement', '{sha}', '$&'],
  ['an empty value', 'a{none}b', 'ab'],
  ['one that is not given', '/{other}/{projectId}', '/{other}/p'],
  [
    'names that every object has',
    '{constructor} {toString} {valueOf}',
    '{constructor} {toString} {valueOf}',
  ],
  ['another case, which is another name', '{PROJECTID}', '{PROJECTID}'],
  ['braces that are no placeholder', '{}{ projectId }{1}', '{}{ projectId }{1}'],
  ['braces in braces', '{{projectId}}', '{p}'],
  ['none', 'text', 'text'],
])('%s', (_name, template, filled) => {
  expect(fillTemplate(template, values)).toBe(filled);
});
