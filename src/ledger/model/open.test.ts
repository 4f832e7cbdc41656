import { createCipheriv } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ledgerContext, nonce, twoVariables } from '../../../test/support/ledger/builders.ts';
import { decryptLedger, encryptLedger } from './encryption.ts';
import { deriveLedgerKeys } from './keys.ts';

const context = ledgerContext();
const sealed = encryptLedger(twoVariables, context, nonce);
const [header = '', body = ''] = sealed.split('\n');

/** Any text under a right seal. */
function sealText(text: string): string {
  const { keys, baseUrl } = context;
  const sealing = createCipheriv('aes-256-gcm', keys.encryption, nonce);
  sealing.setAAD(Buffer.from(JSON.stringify([header, baseUrl])));
  const parts = [nonce, sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()];
  return `${header}\n${Buffer.concat(parts).toString('base64')}\n`;
}

/** The sealed ledger under a header with other fields. */
const headerWith = (fields: object) =>
  `${JSON.stringify({ ...JSON.parse(header), ...fields })}\n${body}\n`;
const another = 'belongs to another project';
const noLedger = 'is not a ledger';
const changed = 'was modified or truncated';

describe('a text that is no ledger of ours is a problem', () => {
  test.each<[string, string, string]>([
    ['nothing', '', noLedger],
    ['white space', ' \n\n', noLedger],
    ['words', 'hello\nworld\n', noLedger],
    ['a page', '<!doctype html>\n<p>Not found</p>', noLedger],
    ['JSON of another kind', '[1]\n', noLedger],
    ['null', 'null\n', noLedger],
    ['an object without a format', '{}\n', noLedger],
    ['a format that is no text', headerWith({ format: 1 }), noLedger],
    [
      'another format',
      headerWith({ format: 'site-deploy-action ledger, format 2' }),
      'was written by another version',
    ],
    ['another project', headerWith({ project: '22222222-2222-4222-8222-222222222222' }), another],
    ['no project', headerWith({ project: undefined }), another],
    ['another key', headerWith({ key: '0'.repeat(16) }), 'was sealed with another key'],
    ['no body', `${header}\n`, 'is truncated'],
    ['a header without a line end', header, 'is truncated'],
    ['a body that is no base64', `${header}\n!!!!\n`, 'is truncated'],
    [
      'a body of a nonce and a tag only',
      `${header}\n${Buffer.alloc(28).toString('base64')}\n`,
      'is truncated',
    ],
    ['another body', `${header}\n${Buffer.alloc(100).toString('base64')}\n`, changed],
    ['a blank line before its body', `${header}\n\n${body}\n`, 'is truncated'],
    ['a byte order mark', `\ufeff${sealed}`, noLedger],
    ['a huge header', `{"format":"${'x'.repeat(5_000_000)}"}\n`, 'was written by another version'],
    ['a huge body', `${header}\n${'A'.repeat(8_000_000)}\n`, changed],
    ['a very deep header', `${'['.repeat(1_000_000)}\n`, noLedger],
  ])('%s', (_name, text, problem) => {
    expect(decryptLedger(text, context)).toMatchObject({
      problem: expect.stringContaining(problem),
    });
  });
});

describe('a ledger is a problem to open', () => {
  test.each<[string, Parameters<typeof ledgerContext>[0], string]>([
    ['for another project', { projectId: 'another' }, another],
    ['at another service', { baseUrl: 'https://api2.example.com' }, changed],
    ['with another key', { keys: deriveLedgerKeys('another') }, 'was sealed with another key'],
    [
      'of another project with another key, which counts first',
      { projectId: 'another', keys: deriveLedgerKeys('another') },
      'was sealed with another key',
    ],
    [
      'with another key of the same name',
      { keys: { ...deriveLedgerKeys('another'), id: context.keys.id } },
      changed,
    ],
  ])('%s', (_name, fields, problem) => {
    const opened = decryptLedger(sealed, ledgerContext(fields));
    expect(opened).toMatchObject({ problem: expect.stringContaining(problem) });
  });

  test.each([
    [{ keys: deriveLedgerKeys('another') }, true],
    [{ projectId: 'another' }, false],
    [{ baseUrl: 'https://api2.example.com' }, false],
  ])('that must never be replaced if it is the ledger of another key: %#', (fields, isOtherKey) => {
    expect(decryptLedger(sealed, ledgerContext(fields))).toMatchObject({ isOtherKey });
  });

  test('with a header that was written for where it is read', () => {
    const projectId = '22222222-2222-4222-8222-222222222222';
    const opened = decryptLedger(headerWith({ project: projectId }), ledgerContext({ projectId }));
    expect(opened).toEqual({ problem: changed, isLedger: true, isOtherKey: false });
  });
});

test('an entry that says more, as those of earlier versions do, is read without it', () => {
  const [entry] = twoVariables.entries;
  const value = { entries: [{ ...entry, createdBy: 'deploy.yml, build, 1' }] };
  expect(decryptLedger(sealText(JSON.stringify(value)), context)).toEqual({
    ledger: { entries: [entry] },
  });
});

describe('a ledger under a right seal that is of another form is a problem', () => {
  const [entry] = twoVariables.entries;
  test.each<[string, unknown]>([
    ['no object', [1]],
    ['null', null],
    ['no entries', {}],
    ['entries that are no list', { entries: {} }],
    ['a field more', { entries: [], more: 1 }],
    ['an entry without an id', { entries: [{ ...entry, id: undefined }] }],
    ['an empty name', { entries: [{ ...entry, name: '' }] }],
    ['a version that is no integer', { entries: [{ ...entry, version: 1.5 }] }],
    ['a version that is not safe', { entries: [{ ...entry, version: 2 ** 53 }] }],
  ])('%s', (_name, value) => {
    expect(decryptLedger(sealText(JSON.stringify(value)), context)).toEqual({
      problem: 'has another format',
      isLedger: true,
      isOtherKey: false,
    });
  });

  test.each([
    ['nothing but a blank', ' '],
    ['no JSON', '{"entries":['],
    ['a very deep list', '['.repeat(1_000_000)],
  ])('%s', (_name, text) => {
    expect(decryptLedger(sealText(text), context)).toEqual({
      problem: 'has another format',
      isLedger: true,
      isOtherKey: false,
    });
  });

  test('and the seal of these cases is right', () => {
    expect(sealText(JSON.stringify(twoVariables))).toBe(sealed);
  });
});
