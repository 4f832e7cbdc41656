import { testForms } from '../../test/support/forms.ts';
import { pushInputs } from './inputs.ts';

testForms([
  {
    name: 'git-force',
    schema: pushInputs['git-force'].schema,
    good: [
      ['Auto', 'auto'],
      ['ADOPT', 'adopt'],
      ['true', 'true'],
      ['false', 'false'],
      ['AB'.repeat(20), 'ab'.repeat(20)],
    ],
    bad: ['yes', 'ab'.repeat(19), `${'ab'.repeat(20)}a`],
    says: 'must be auto, adopt, true, false, or all 40 hex digits of a commit',
  },
]);
