import { testForms } from '../../test/support/forms.ts';
import { variableInputs } from './inputs.ts';

testForms([
  {
    name: 'env-targets',
    schema: variableInputs['env-targets'].schema,
    good: [
      ['preview', { preview: true, production: false }],
      ['production', { preview: false, production: true }],
      ['preview, production', { preview: true, production: true }],
      ['production\npreview', { preview: true, production: true }],
      ['preview,preview', { preview: true, production: false }],
    ],
    bad: ['staging', 'preview production', 'Preview', ',', '# preview', 'preview, staging'],
    says: 'must be preview, production, or both',
  },
]);
