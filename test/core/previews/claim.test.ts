import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeMarker } from '../../../src/comments/model/marker.ts';
import {
  type Claim,
  carryClaim,
  readClaimLine,
  sealOf,
  writeClaimLine,
} from '../../../src/github-api/model/claim.ts';

const key = Buffer.from('not-a-real-key-of-claims');
const seal = sealOf(key, 'octo-org/octo-site', 7);
const claim: Claim = { hostname: 'topic.example.com', projectId: 'a-project', run: 7 };
const signed = seal.sign(claim);

test('what was signed is opened, also after it was JSON', () => {
  expect(seal.open(signed)).toEqual(claim);
  expect(seal.open(JSON.parse(JSON.stringify(signed)))).toEqual(claim);
});

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'topic.example.com'],
  ['a list', [signed]],
  ['an object without a mark', claim],
  ['no mark', { ...signed, mark: '' }],
  ['a mark that is no text', { ...signed, mark: 1 }],
  ['a mark that is cut', { ...signed, mark: signed.mark.slice(0, 62) }],
  ['a mark that goes on', { ...signed, mark: `${signed.mark}00` }],
  ['a mark of zeros', { ...signed, mark: '0'.repeat(64) }],
  ['another hostname', { ...signed, hostname: 'www.example.com' }],
  ['another run', { ...signed, run: 8 }],
  ['a run that is no number', { ...signed, run: '7' }],
  ['another project', { ...signed, projectId: 'another' }],
  ['what another key signed', sealOf(Buffer.from('other'), 'octo-org/octo-site', 7).sign(claim)],
  ['what was signed for another pull request', sealOf(key, 'octo-org/octo-site', 8).sign(claim)],
  ['what was signed for another repository', sealOf(key, 'octo-org/other', 7).sign(claim)],
])('%s is not opened', (_name, read) => {
  expect(seal.open(read)).toBeUndefined();
});

test('nothing else is ever opened', () => {
  fc.assert(
    fc.property(fc.anything(), (read) => {
      expect(seal.open(read)).toBeUndefined();
    }),
  );
});

/** Of before claims were bound to their run: `topic.example.com` and `a-project`, signed by `key`. */
const unbound = {
  hostname: claim.hostname,
  projectId: claim.projectId,
  mark: createHmac('sha256', key)
    .update(JSON.stringify(['octo-org/octo-site', 7, claim.hostname, claim.projectId]))
    .digest('hex'),
};

describe('one without a run', () => {
  test('is older than all others, in a payload and in a comment', () => {
    expect(seal.open(unbound)).toEqual({ ...claim, run: 0 });
    const marker = writeMarker({ key: 'a project', runId: '1', runAttempt: '1' });
    const body = `${marker}\n${writeClaimLine(unbound)}`;
    expect(seal.open(readClaimLine(body))).toEqual({ ...claim, run: 0 });
    expect(carryClaim(body, marker)).toContain(writeClaimLine(unbound));
  });

  test.each<[string, unknown]>([
    ['to which a run is added', { ...unbound, run: 8 }],
    ['to which run 0 is added', { ...unbound, run: 0 }],
    ['whose run was taken away', { ...signed, run: undefined }],
    ['of another hostname', { ...unbound, hostname: 'www.example.com' }],
  ])('is not opened, %s', (_, read) => {
    expect(seal.open(read)).toBeUndefined();
  });
});

describe('its end', () => {
  const hostname = 'topic.example.com';
  const end = seal.signEnd(hostname, 9);

  test('is opened behind an address', () => {
    expect(seal.openEnd(hostname, `https://github.com/o/r/actions/runs/9${end}`)).toBe(9);
  });

  test.each<[string, string | undefined]>([
    ['without it', undefined],
    ['of another hostname', seal.signEnd('www.example.com', 9)],
    ['of another run', end.replace('.9.', '.10.')],
    ['of another pull request', sealOf(key, 'octo-org/octo-site', 8).signEnd(hostname, 9)],
    ['of another repository', sealOf(key, 'octo-org/other', 7).signEnd(hostname, 9)],
    ['of another key', sealOf(Buffer.from('other'), 'octo-org/octo-site', 7).signEnd(hostname, 9)],
    ['that goes on', `${end}0`],
    [
      'that is the mark of a claim',
      end.replace(
        /[0-9a-f]{64}$/,
        seal.sign({ hostname: 'ended', projectId: 'topic.example.com', run: 9 }).mark,
      ),
    ],
  ])('is not opened %s', (_, address = 'https://github.com/o/r') => {
    expect(seal.openEnd(hostname, address)).toBeUndefined();
  });
});

describe('in a comment', () => {
  const marker = writeMarker({ key: 'a project', runId: '1', runAttempt: '1' });
  const line = writeClaimLine(signed);

  test('it is hidden, and read back below the marker', () => {
    expect(line).toMatch(/^<!-- [^<>]* -->$/);
    for (const end of ['\n', '\r\n']) {
      expect(readClaimLine(`${marker}${end}${line}${end}${end}words`)).toEqual(signed);
    }
  });

  test('it stays in a new text that claims nothing', () => {
    const other = seal.sign({ ...claim, projectId: 'another' });
    const text = `${marker}\n\nwords`;
    const carried = carryClaim(`${marker}\n${line}\n\nold words`, text);
    expect(carried).toBe(`${marker}\n${line}\n\nwords`);
    expect(readClaimLine(carried)).toEqual(signed);
    const own = `${marker}\n${writeClaimLine(other)}\n\nwords`;
    expect(carryClaim(carried, own)).toBe(own);
    expect(carryClaim(text, text)).toBe(text);
  });

  test.each<[string, string]>([
    ['alone', line],
    ['with words before the marker', `hi\n${marker}\n${line}`],
    ['with an empty line between', `${marker}\n\n${line}`],
    ['as a quotation', `${marker}\n> ${line}`],
    ['above the marker', `${line}\n${marker}`],
    ['in the same line', `${marker} ${line}`],
    ['with capitals in its mark', `${marker}\n${line.replace(signed.mark, 'A'.repeat(64))}`],
  ])('it is none %s', (_name, body) => {
    expect(readClaimLine(body)).toBeUndefined();
  });
});
