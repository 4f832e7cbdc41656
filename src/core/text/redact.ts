/** Replaces every secret in a text, however it is encoded there. */
export type Redact = (text: string) => string;

const placeholder = '***';

/** A shorter text cannot be hidden: the gaps that its masks tear would show what it is. */
const shortest = 4;
const everyday = /^(true|false|null|none)$/i;

const isWorthHiding = (text: string): boolean => text.length >= shortest && !everyday.test(text);

/**
 * The parts of secrets that are to be hidden: each as a whole, and each of its lines. Left out are parts of
 * fewer than four characters and everyday words such as `true`: masked, they would blot out the log around
 * them and be easy to guess.
 */
export function secretParts(secrets: Iterable<string>): string[] {
  const parts = new Set<string>();
  for (const secret of secrets) {
    const lines = secret.split(/\r\n|\r|\n/).map((line) => line.trim());
    for (const part of [secret, ...lines]) if (isWorthHiding(part.trim())) parts.add(part);
  }
  return [...parts];
}

function encodings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    secret.trim(),
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
    new URLSearchParams([['', secret.toWellFormed()]]).toString().slice(1),
    bytes.toString('base64'),
    bytes.toString('base64url'),
  ];
}

/**
 * Makes the redactor for a run. It covers the parts of each secret (see {@link secretParts}) as they are,
 * and in JSON, URI, form and base64 encoding.
 */
export function createRedact(secrets: Iterable<string>): Redact {
  const needles = new Set(secretParts(secrets).flatMap(encodings));
  // The longest first, so that a secret which contains another leaves nothing of itself behind.
  const ordered = [...needles].sort((a, b) => b.length - a.length);
  if (ordered.length === 0) return (text) => text;
  const pattern = new RegExp(ordered.map((needle) => RegExp.escape(needle)).join('|'), 'g');
  return (text) => text.replace(pattern, placeholder);
}
