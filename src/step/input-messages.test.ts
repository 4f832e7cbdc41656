import fc from 'fast-check';
import { test } from 'vitest';
import { runs } from '../../test/support/exhaustive.ts';
import { checkMessage } from '../../test/support/messages.ts';
import { readSiteFile } from '../declared/model/read.ts';
import { inputIn } from '../github/runner/runner.ts';
import { type ActionName, actions } from '../inputs.ts';
import { diagnose, printed } from '../kernel/diagnostic.ts';
import { readInputs } from './read-values.ts';

const names = Object.keys(actions) as ActionName[];

const hostile = [' ', 'x', '-1', '0', 'null', '[]', 'a b', '{sha}', '://', 'é', 'x'.repeat(5000)];

test.each(names)('what is wrong with any input of %s is told as every mistake must be', (name) => {
  const values = fc.oneof(fc.constantFrom(...hostile), fc.lorem({ maxCount: 3 }));
  fc.assert(
    fc.property(values, (value) => {
      const all = Object.keys(actions[name].inputs).map((input) => [
        `INPUT_${input.toUpperCase()}`,
        value,
      ]);
      const { problems } = readInputs(actions[name].inputs, inputIn(Object.fromEntries(all)));
      for (const { input, code, message } of problems) {
        checkMessage(printed(diagnose(code, `${input}: ${message}`)));
      }
    }),
    runs(50),
  );
});

const keys = [
  'environment: { A: § }',
  'environment: { A: { from: § } }',
  'environment: { A: { value: §, kind: plain } }',
  'environment: { A: { from: A, kind: § } }',
  'environment: { A: { from: A, targets: § } }',
  'environment: §',
  'connected-domains: { www.example.com: § }',
  'connected-domains: { www.example.com: { project: § } }',
  'connected-domains: { §: { project: self } }',
  'registered-domains: { example.com: { renewal: § } }',
  'registered-domains: { example.com: { dns: § } }',
  'registered-domains: { example.com: { dns: [§] } }',
  'registered-domains: { example.com: { dns: [{ type: A, name: §, content: § }] } }',
  'registered-domains: { example.com: { dns: [{ type: §, name: "@", content: x, ttl: § }] } }',
  '§',
];

const yaml = [
  '1',
  '-1.5',
  'true',
  'null',
  '[]',
  '[1]',
  '{}',
  '{ a: 1 }',
  '""',
  '*a',
  '&a',
  '<<',
  '"',
];

test.each(keys)('what is wrong with a site file is told so, too: %s', (template) => {
  for (const value of yaml) {
    const read = readSiteFile(template.replaceAll('§', value));
    for (const { code, message } of read.ok ? [] : read.mistakes) {
      checkMessage(
        printed(diagnose(code, `config: .github/site.yml line 1, column 1: ${message}`)),
      );
    }
  }
});
