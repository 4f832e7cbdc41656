import { testForms } from '../../test/support/forms.ts';
import { checkInputs } from './inputs.ts';

testForms([
  {
    name: 'verify-timeout',
    schema: checkInputs['verify-timeout'].schema,
    good: [
      ['2s', 2000],
      ['2m', 120_000],
    ],
    bad: ['1s', '1.999s'],
    says: 'must be at least 2s: a check must pass twice in a row, one second apart',
  },
  {
    name: 'verify-timeout that is no duration',
    schema: checkInputs['verify-timeout'].schema,
    good: [],
    bad: ['0', 'soon'],
    says: 'must be a duration',
  },
]);
