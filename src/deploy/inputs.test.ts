import { expect, test } from 'vitest';
import { testForms } from '../../test/support/forms.ts';
import { deployDefinition } from './inputs.ts';

const sha = '0123456789abcdef0123456789abcdef01234567';

testForms([
  {
    name: 'commit-sha',
    schema: deployDefinition.inputs['commit-sha'].schema,
    good: [
      [sha, sha],
      [sha.toUpperCase(), sha],
      ['HEAD', 'HEAD'],
      ['head', 'HEAD'],
      ['previous', 'PREVIOUS'],
      [sha.slice(0, 7), { digits: sha.slice(0, 7) }],
      [sha.slice(1).toUpperCase(), { digits: sha.slice(1) }],
    ],
    bad: ['main', sha.slice(0, 6), `${sha}0`, 'HEAD~1', `${sha.slice(1)}g`],
    says: 'must be 7 to 40 hex digits of a commit, HEAD or PREVIOUS',
  },
  {
    name: 'deploy',
    schema: deployDefinition.inputs.deploy.schema,
    good: [
      ['True', true],
      ['FALSE', false],
      ['If-Needed', 'if-needed'],
    ],
    bad: ['yes', 'if needed', 'true false'],
    says: 'must be true, false or if-needed',
  },
]);

test('a commit of a SHA-256 repository is named as one', () => {
  expect(deployDefinition.inputs['commit-sha'].schema('a'.repeat(64))).toMatchObject({
    fault: expect.stringContaining('SHA-256 repository'),
  });
});
