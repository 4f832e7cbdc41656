import { swapInputs } from '../../../src/blue-green/inputs.ts';
import { testForms } from '../../support/forms.ts';

const blue = '9f1c6d1e-5f0a-4b4e-8c1d-2f1b3c4d5e6f';
const green = blue.replace('9', '8');

testForms([
  {
    name: 'swap-projects',
    schema: swapInputs['swap-projects'].schema,
    good: [[`${blue}, ${green.toUpperCase()}`, [blue, green]]],
    bad: [blue, `${blue}, ${blue}`, `${blue}, ${green}, ${blue.replace('9', '7')}`],
    says: 'must be exactly two different projects',
  },
  {
    name: 'swap-projects that are names',
    schema: swapInputs['swap-projects'].schema,
    good: [],
    bad: ['blue, green'],
    says: 'must be UUIDs of projects',
  },
  {
    name: 'swap-domains',
    schema: swapInputs['swap-domains'].schema,
    good: [['WWW.example.com\nexample.com, www.example.com', ['www.example.com', 'example.com']]],
    bad: [',', 'https://example.com', 'example', `${'a.'.repeat(130)}example.com`],
    says: 'must be hostnames such as www.example.com, one per line',
  },
]);
