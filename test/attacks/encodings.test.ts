// Attack (secrets): A service returns a secret in another encoding
// Defense: Redacted as it is, with backslash escapes (JSON, JavaScript, shells), `%` escapes, forms, entities (five
// names, decimal, hex) and quoted single quotes, up to two in one another; base64 (both alphabets) and hex, also inside
// these

import { describe, expect, it } from 'vitest';
import { startEnvSync } from '../dist/env-sync-world.ts';
import { piecesOf, shownBy } from './shown.ts';

const secret = `Zq7 "xK2m'Vw9p" (Rt4n)! <Lb6c> & *Jh3s+Yf8/ä=%41\\n?`;

const unit = (pattern: RegExp, write: (character: string) => string) => (text: string) =>
  text.replace(pattern, write);
const code = (character: string) => character.codePointAt(0) ?? 0;
const percent = (character: string) => `%${code(character).toString(16).toUpperCase()}`;
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const hex = (text: string) => Buffer.from(text).toString('hex');

function userInformation(text: string): string {
  const url = new URL('https://user@service.example');
  url.password = text;
  return url.password;
}

/** Ways in which a service, a library or a shell hands a text back. */
const ways: readonly (readonly [string, (text: string) => string])[] = [
  ['strict RFC 3986', (text) => unit(/[!'()*]/g, percent)(encodeURIComponent(text))],
  ['encodeURIComponent', encodeURIComponent],
  ['encodeURI', encodeURI],
  ['a form', (text) => new URLSearchParams({ v: text }).toString().slice(2)],
  [
    '+ for blanks, and nothing else',
    (text) => text.replace(/ (?!")/g, '+').replace('+Yf8', '%2BYf8'),
  ],
  ['the user information of a URL', userInformation],
  ['HTML entities in decimal', unit(/[^\w ]/gu, (found) => `&#${code(found)};`)],
  ['HTML entities in hexadecimal', unit(/[^\w ]/gu, (found) => `&#x${code(found).toString(16)};`)],
  ['the entities of one library', unit(/["'<>&]/g, (found) => `&#0${code(found)};`)],
  ["a shell's single quotes", (text) => text.replaceAll("'", String.raw`'\''`)],
  ["a shell's other way", (text) => text.replaceAll("'", `'"'"'`)],
  ["a shell's backslashes", unit(/[^\w\n]/gu, (found) => `\\${found}`)],
  ['YAML single quotes', (text) => text.replaceAll("'", "''")],
  ['hexadecimal', hex],
  ['hexadecimal in capitals', (text) => hex(text).toUpperCase()],
  ['JSON', json],
  ['JSON in JSON', (text) => json(json(text))],
  ['JSON in a URI', (text) => encodeURIComponent(json(text))],
  ['JSON in HTML', (text) => unit(/["'<>&]/g, (found) => `&#${code(found)};`)(json(text))],
  ['a URI in a URI', (text) => encodeURIComponent(encodeURIComponent(text))],
  ['base64', (text) => Buffer.from(text).toString('base64')],
  ['base64 in a URI', (text) => encodeURIComponent(Buffer.from(text).toString('base64'))],
  ['base64 of more', (text) => Buffer.from(`user:${text}@host`).toString('base64url')],
];

describe.concurrent('a secret that the service hands back is hidden', () => {
  it.each(ways)('in %s', async (_name, write) => {
    await using world = await startEnvSync();
    const echoed = write(secret);
    const body = JSON.stringify({ message: `refused <${echoed}> of A` });
    const fault = { kind: 'status', status: 400, body, effect: false } as const;
    world.emulator.faults.add({ operation: 'readEnvironment', ...fault });
    const result = await world.run({ A: secret });
    expect(result.outputs['error']).toContain('refused <');
    expect(result.outputs['error']).toContain('***');
    // At the edges of base64, characters hold bits of what stands beside the secret, too.
    expect(piecesOf(echoed.slice(6, -6), 8, shownBy(result))).toEqual([]);
  });
});
