type Row = readonly [pattern: RegExp, what: string];

/** Names of variables that a tool adds to a file. */
const toolNames: readonly Row[] = [
  [/^sops_(?:(?:version|mac|lastmodified)$|.+__(?:list|map)_)/, 'SOPS metadata'],
  [/^DOTENV_PUBLIC_KEY(?:_|$)/, 'a dotenvx key'],
  [/^DOTENV_VAULT(?:_|$)/, 'dotenv-vault data'],
];

/** What a tool makes of a whole file, or of a value. */
const encryptedTexts: readonly Row[] = [
  [/^\$ANSIBLE_VAULT;/, 'Ansible Vault ciphertext'],
  [/^-----BEGIN AGE ENCRYPTED FILE-----/, 'age ciphertext'],
  [/^-----BEGIN PGP MESSAGE-----/, 'PGP ciphertext'],
];

/** Ciphertext and references, by their tools' documentation. Without those that a site may resolve itself, such as an ARN. */
const toolValues: readonly Row[] = [
  ...encryptedTexts,
  [/^ENC\[AES256_GCM,/, 'SOPS ciphertext'],
  [/^ENC\[(?:PKCS7|GPG|KMS),/, 'eyaml ciphertext'],
  [/^ENC\([\w+/=-]+\)$/, 'Jasypt ciphertext'],
  [/^EJ\[\d+:/, 'EJSON ciphertext'],
  [/^encrypted:B[\w+/=-]{99,}$/, 'dotenvx ciphertext'],
  [/^vault:v\d+:/, 'Vault ciphertext'],
  [/^(?:>>)?vault:[\w./-]+#./, 'a Vault reference'],
  [/^(?:secret)?ref\+[a-z\d]+:\/\//, 'a vals reference'],
  [/^(?:\{\{ *)?op:\/\//i, 'a 1Password reference'],
  [/^(?:\{\{ *)?pass:\/\//, 'a Proton Pass reference'],
  [/^(?:\{\{ *)?dl:\/\//, 'a Dashlane reference'],
  [/^keeper:\/\//, 'a Keeper reference'],
  [/^sm:\/\//, 'a Secret Manager reference'],
  [/^berglas:\/\//, 'a Berglas reference'],
  [/\{\{resolve:(?:ssm|ssm-secure|secretsmanager):/, 'an AWS dynamic reference'],
  [/^@Microsoft\.(?:KeyVault|AppConfiguration)\(/, 'an Azure reference'],
];

const find = (rows: readonly Row[], text: string): string | undefined =>
  rows.find(([pattern]) => pattern.test(text))?.[1];

/** What a whole text is, such as "age ciphertext"; undefined if no tool encrypted it. */
export const encryptedText = (text: string): string | undefined =>
  find(encryptedTexts, text.trimStart());

/** What a tool wrote for a variable instead of its value, such as "SOPS ciphertext"; undefined if none did. */
export const toolText = ({ name, value }: { name: string; value: string }): string | undefined =>
  find(toolValues, value) ?? find(toolNames, name);
