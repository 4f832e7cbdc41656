// Attack (secrets): A file has a reference or ciphertext in place of a value, and the site gets it as text
// Defense: `$NAME`, `${…}`, `$(…)` and `\$` outside single quotes, `${{ … }}` in the site file, and text of tools such
// as SOPS are refused before any request. Values of `env-from` are never changed or refused

import { describe, expect, test } from 'vitest';
import { gather, plainVariable } from '../../../test/support/variables/builders.ts';
import type { DesiredSources } from './desired.ts';

const file = (text: string): Partial<DesiredSources> => ({ envFiles: [{ path: '.env', text }] });

const marker = 'FAKEVALUE';

/** What each source that is a text makes of a line. */
const dotenvSources: [string, (line: string) => Partial<DesiredSources>][] = [
  ['env', (line) => ({ env: `B=1\n${line}` })],
  ['env-file .env', (line) => file(`B=1\n${line}`)],
];

describe.each(dotenvSources)('a reference in %s', (input, given) => {
  test.each([
    ['$NAME', `A=$B${marker}`],
    ['$NAME', `A="${marker} $_b"`],
    ['$NAME', `A=\`${marker}$b\``],
    ['$NAME', `A=$2y$10$${marker}`],
    ['$NAME', `A=${marker}$$B`],
    [`\${…}`, `A=\${${marker}}`],
    [`\${…}`, `A="\${B:-${marker}}"`],
    [`\${…}`, `A=\${{ secrets.${marker} }}`],
    ['$(…)', `A=$(${marker})`],
    ['$(…)', `export A="a $(${marker}) b"`],
    ['\\$', String.raw`A=\$${marker}`],
    ['\\$', String.raw`A="${marker}\$B"`],
    ['\\$', String.raw`A=a\\$${marker}`],
  ])('is refused: %s, as in %s', (shown, line) => {
    const { problems } = gather(given(line));
    const message = `line 2: A contains ${shown}, which some parsers replace. Write the full value, in single quotes if it has a dollar sign: A='…'`;
    expect(problems).toEqual([{ input, code: 'SD1212', message }]);
  });

  test.each([
    ['has a single quote', `A=it's $${marker}`],
    ['has a single quote in double quotes', `A="it's $${marker}"`],
    ['has an escape', String.raw`A="$${marker}\n"`],
    ['has a carriage return', String.raw`A="\r$${marker}"`],
  ])('is refused with the way out by env-from where the value %s', (_name, line) => {
    const { problems } = gather(given(line));
    const message =
      "line 2: A contains $NAME, which some parsers replace, and can't be written in single quotes as it is. Use env-from for this variable";
    expect(problems).toEqual([{ input, code: 'SD1212', message }]);
  });

  test.each([
    ['single quotes', String.raw`A='$B \${B} $(b) \$'`, String.raw`$B \${B} $(b) \$`],
    ['several lines in single quotes', `A='$B\n\${B}\n'`, `$B\n\${B}\n`],
    ['a digit', 'A=$2y$10$.b', '$2y$10$.b'],
    ['its end', 'A=a$', 'a$'],
    ['white space', 'A="a $ b"', 'a $ b'],
    ['another character', 'A=$!$-$%', '$!$-$%'],
    ['a letter that no name begins with', 'A=$é', '$é'],
    ['a comment', 'A=a # $B', 'a'],
  ])('is not a dollar sign before or in %s', (_name, line, value) => {
    const { variables, problems } = gather(given(line));
    expect(problems).toEqual([]);
    expect(variables.find(({ name }) => name === 'A')?.value).toBe(value);
  });
});

test('a reference is no problem where an earlier source gives the variable', () => {
  const { variables, problems } = gather({
    ...file('A="$B"\nC=op://vault/item/field'),
    envFrom: ['A', 'C'],
    stepEnvironment: { A: marker, C: marker },
  });
  expect(problems).toEqual([]);
  expect(variables.map(({ value, source }) => [value, source])).toEqual([
    [marker, 'env-from'],
    [marker, 'env-from'],
  ]);
});

describe('in the site file', () => {
  test('only an expression is a reference', () => {
    const { problems } = gather({ siteVariables: [plainVariable('A', `a\${{ vars.${marker} }}`)] });
    const message = `line 4: A contains \${{ … }}, which is replaced only in workflow files. Use from: and a variable of the step's env:`;
    expect(problems).toEqual([{ input: 'config', code: 'SD1212', message }]);
  });

  test.each(['$B', `\${B}`, '$(b)', String.raw`\$b`, '$2y$10$abc', '{{ b }}'])(
    'no other: %s',
    (value) => {
      const { variables, problems } = gather({ siteVariables: [plainVariable('A', value)] });
      expect(problems).toEqual([]);
      expect(variables).toMatchObject([{ name: 'A', value }]);
    },
  );
});

/** A value of each tool, and how the error calls it. */
const ofTools: [string, string][] = [
  ['ENC[AES256_GCM,data:ZmFrZQ==,iv:ZmFrZQ==,tag:ZmFrZQ==,type:str]', 'SOPS ciphertext'],
  ['ENC[PKCS7,ZmFrZQ==]', 'eyaml ciphertext'],
  ['ENC(ZmFrZQ==)', 'Jasypt ciphertext'],
  ['EJ[1:ZmFrZQ==:ZmFrZQ==:ZmFrZQ==]', 'EJSON ciphertext'],
  [`encrypted:B${'ZmFr'.repeat(33)}ZQ==`, 'dotenvx ciphertext'],
  ['$ANSIBLE_VAULT;1.1;AES256\n6661\n6b65', 'Ansible Vault ciphertext'],
  ['vault:v1:ZmFrZQ==', 'Vault ciphertext'],
  ['-----BEGIN AGE ENCRYPTED FILE-----\nZmFrZQ==', 'age ciphertext'],
  ['-----BEGIN PGP MESSAGE-----\nZmFrZQ==', 'PGP ciphertext'],
  ['vault:secret/data/shop#KEY', 'a Vault reference'],
  ['ref+awsssm://shop/key', 'a vals reference'],
  ['op://prod/db/password', 'a 1Password reference'],
  ['{{ op://prod/db/password }}', 'a 1Password reference'],
  ['pass://prod/db/password', 'a Proton Pass reference'],
  ['dl://fake/password', 'a Dashlane reference'],
  ['{{ dl://fake/password }}', 'a Dashlane reference'],
  ['keeper://fake/field/password', 'a Keeper reference'],
  ['sm://shop/key', 'a Secret Manager reference'],
  ['berglas://shop/key', 'a Berglas reference'],
  ['a-{{resolve:secretsmanager:shop:SecretString:key}}', 'an AWS dynamic reference'],
  ['{{resolve:ssm-secure:shop:1}}', 'an AWS dynamic reference'],
  ['@Microsoft.KeyVault(SecretUri=https://fake.example)', 'an Azure reference'],
];

describe.each(ofTools)('%j of a tool', (value, what) => {
  const message = `is ${what}, not the value. Get the value in an earlier step, and use env-from`;

  test.each<[string, number, Partial<DesiredSources>]>([
    ['env', 1, { env: `A='${value}'` }],
    ['env', 1, { env: `A="${value}"` }],
    ['env-file .env', 2, file(`B=1\nA='${value}'`)],
    ['config', 4, { siteVariables: [plainVariable('A', value)] }],
  ])('is refused in %s', (input, line, fields) => {
    const { problems } = gather(fields);
    expect(problems).toEqual([{ input, code: 'SD1213', message: `line ${line}: A ${message}` }]);
  });

  test('arrives as it is by env-from, and by from: in the site file', () => {
    const { variables, problems } = gather({
      envFrom: ['A'],
      siteVariables: [{ name: 'B', from: 'A', kind: 'secret', line: 3, column: 5 }],
      stepEnvironment: { A: value },
    });
    expect(problems).toEqual([]);
    expect(variables.map((one) => one.value)).toEqual([value, value]);
  });
});

test.each([
  ['sops_version=3.9.0', 'sops_version is SOPS metadata'],
  ['sops_age__list_0__map_recipient=age1fake', 'sops_age__list_0__map_recipient is SOPS metadata'],
  ['DOTENV_PUBLIC_KEY="03fake"', 'DOTENV_PUBLIC_KEY is a dotenvx key'],
  ['DOTENV_PUBLIC_KEY_PRODUCTION="03fake"', 'DOTENV_PUBLIC_KEY_PRODUCTION is a dotenvx key'],
  ['DOTENV_VAULT=vlt_fake', 'DOTENV_VAULT is dotenv-vault data'],
  ['DOTENV_VAULT_CI="ZmFrZQ=="', 'DOTENV_VAULT_CI is dotenv-vault data'],
])('a line that a tool adds is refused: %s', (line, words) => {
  const { problems } = gather(file(line));
  expect(problems).toMatchObject([{ input: 'env-file .env', code: 'SD1213' }]);
  expect(problems[0]?.message).toContain(`line 1: ${words}, not the value`);
});

test('a file of one tool has one error for each kind of text', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `A${index}=ENC[AES256_GCM,data:ZmFrZQ==]`);
  const { problems } = gather(file([...lines, 'sops_version=3.9.0'].join('\n')));
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^line 1: A0 \(and 39 more\) is SOPS ciphertext/),
    expect.stringMatching(/^line 41: sops_version is SOPS metadata/),
  ]);
});

test.each([
  ['Ansible Vault', '$ANSIBLE_VAULT;1.1;AES256\n6661\n6b65\n'],
  ['age', '-----BEGIN AGE ENCRYPTED FILE-----\nZmFrZQ==\n-----END AGE ENCRYPTED FILE-----\n'],
  ['PGP', '\ufeff-----BEGIN PGP MESSAGE-----\n\nZmFrZQ==\n-----END PGP MESSAGE-----\n'],
])('a whole file that %s encrypted is one error', (tool, text) => {
  const message = `the whole text is ${tool} ciphertext. Decrypt it in an earlier step, and use env-from`;
  expect(gather(file(text)).problems).toEqual([
    { input: 'env-file .env', code: 'SD1213', message },
  ]);
});

test.each([
  'https://op.example',
  'top://a/b/c',
  'vault:8200',
  'vault:secret/data',
  'encrypted: yes',
  'encrypted:true',
  'encrypted:BASIC',
  'ENC',
  'ENCODED(a b)',
  'arn:aws:secretsmanager:eu-west-1:1:secret:fake',
  'ref+1',
  'smtp://mail.example',
  'passport',
  '{{ name }}',
  '-----BEGIN FAKE KEY-----\nZmFrZQ==',
  'age1fakerecipient',
])('the text of no tool is written: %s', (value) => {
  const { variables, problems } = gather({
    env: `A='${value}'\nSOPS=1\nsops=1\nsops_enabled=1\nDOTENV_KEY=1`,
  });
  expect(problems).toEqual([]);
  expect(variables.find(({ name }) => name === 'A')?.value).toBe(value);
});

test('no error about a reference has more than 35 words before its code', () => {
  const long = 'DIRECT_DATABASE_URL';
  const { problems } = gather({
    env: `${long}="it's $B"\nB=$C\nC='op://a/b'\nD='op://a/b'`,
    siteVariables: [plainVariable(`${long}_2`, `\${{ a }}`)],
  });
  expect(problems).toHaveLength(4);
  for (const { input, message } of problems) {
    expect(`${input}: ${message}`.split(/\s+/).length).toBeLessThanOrEqual(35);
  }
});
