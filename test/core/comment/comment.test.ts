import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { renderDeploying, renderOutcome } from '../../../src/core/comment/body.ts';
import {
  isNewer,
  type Marker,
  markerSeal,
  readMarker,
  writeMarker,
} from '../../../src/core/comment/marker.ts';
import { deriveLedgerKeys } from '../../../src/core/ledger/keys.ts';
import type { DeployReport } from '../../../src/core/report/report.ts';
import { trusted } from '../../../src/core/text/safe.ts';
import { deployReport } from '../report/builders.ts';

const marker: Marker = { key: 'project', runId: '100', runAttempt: '1' };
const context = { marker, runUrl: 'https://github.com/o/r/actions/runs/100/attempts/1' };

describe('the marker', () => {
  test('of any key is read back, and is no other key', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (key, other) => {
        const line = writeMarker({ ...marker, key });
        expect(line).toMatch(/^<!-- [^<>]* -->$/);
        expect(readMarker(`${line}\n\nwords`, key)).toEqual({ ...marker, key });
        if (key !== other) expect(readMarker(line, other)).toBeUndefined();
      }),
    );
  });

  test.each([199, 201, 5000])('of a key of %s characters is short and read back', (length) => {
    const key = 'k'.repeat(length);
    const line = writeMarker({ ...marker, key });
    expect(line.length).toBeLessThan(300);
    expect(readMarker(line, key)).toEqual({ ...marker, key });
    expect(readMarker(line, `${key}k`)).toBeUndefined();
  });

  test.each([
    ['after a line', (line: string) => `words\n${line}`],
    ['after a space', (line: string) => ` ${line}`],
    ['before words in its line', (line: string) => `${line} words`],
  ])('is none %s', (_, quote) => {
    expect(readMarker(quote(writeMarker(marker)), marker.key)).toBeUndefined();
  });

  const keyOf = (secret: string) => deriveLedgerKeys(secret).marker;
  const seal = markerSeal(keyOf('a'), 'o/r', 7);

  test('that was signed is known again after it was written', () => {
    const signed = seal.sign(marker);
    expect(readMarker(writeMarker(signed), marker.key)).toEqual(signed);
    expect(seal.isSigned(signed)).toBe(true);
    expect(seal.isSigned(marker)).toBe(false);
  });

  it.each<[string, Partial<Marker>]>([
    ['run', { runId: '101' }],
    ['attempt', { runAttempt: '2' }],
    ['key', { key: 'another' }],
    ['mark', { mark: '0'.repeat(32) }],
  ])('with another %s is not signed', (_, fields) => {
    expect(seal.isSigned({ ...seal.sign(marker), ...fields })).toBe(false);
  });

  it.each([
    ['pull request', markerSeal(keyOf('a'), 'o/r', 8)],
    ['repository', markerSeal(keyOf('a'), 'o/s', 7)],
    ['secret', markerSeal(keyOf('b'), 'o/r', 7)],
  ])('signed for another %s is not signed', (_, other) => {
    expect(seal.isSigned(other.sign(marker))).toBe(false);
  });

  it.each([
    ['a later run', { runId: '101' }, true],
    ['an earlier run', { runId: '99' }, false],
    ['a run with more digits', { runId: '1000' }, true],
    ['a later attempt', { runAttempt: '2' }, true],
    ['the same attempt', {}, false],
    ['a run whose id is no number', { runId: 'abc-1' }, false],
    ['a later attempt of an earlier run', { runId: '99', runAttempt: '9' }, false],
  ])('of %s', (_, fields, newer) => {
    expect(isNewer({ ...marker, ...fields }, marker)).toBe(newer);
  });
});

describe('the comment', () => {
  const preview = {
    hostname: trusted('pr-7.p.example.com'),
    verification: 'good',
    state: trusted('active'),
    statuses: trusted('state active'),
    records: [],
    errors: [],
    isLive: true,
  } as const;
  const render = (fields: Partial<DeployReport>) => renderOutcome(deployReport(fields), context);

  it('begins with its marker and ends with the run', () => {
    for (const body of [render({}), renderDeploying({ projectId: 'p', commit: 'HEAD' }, context)]) {
      expect(body.startsWith(writeMarker(marker))).toBe(true);
      expect(body).toContain(`(${context.runUrl})`);
    }
  });

  it.each([
    ['succeeded', true],
    ['failed', false],
    ['timed-out', false],
    ['cancelled', false],
    ['unconfirmed', false],
    ['conflict', false],
  ] as const)('on %s announces the address: %s', (outcome, announced) => {
    const body = render({ outcome, preview });
    expect(body.includes('https://pr-7.p.example.com')).toBe(announced);
  });

  it('tells whether the commit was pushed', () => {
    expect(render({ pushed: true })).toMatch(/Commit \|.*, pushed to its repository/);
    expect(render({ pushed: false })).not.toContain('pushed');
  });

  it('shows the DNS records to make, until the domain is verified', () => {
    const record = {
      type: trusted('CNAME'),
      name: trusted('pr-7.p'),
      value: trusted('edge.example.net'),
      purpose: trusted('routing'),
    };
    const records = [{ ...record, required: true }];
    expect(render({ preview: { ...preview, verification: 'pending', records } })).toContain(
      'Make these DNS records',
    );
    expect(render({ preview })).not.toContain('DNS');
  });

  const hostile = trusted('x | y\n<b>@octocat</b> `code` [a](http://evil.example) #12 <!-- --> ');
  it('takes nothing from outside as markup', () => {
    const body = render({
      outcome: 'failed',
      error: hostile,
      deployment: { id: hostile, status: hostile },
      preview: {
        ...preview,
        verification: 'bad',
        statuses: hostile,
        errors: [hostile],
        records: [
          { type: hostile, name: hostile, value: hostile, purpose: hostile, required: false },
        ],
      },
    });
    expect(body).not.toMatch(/@octocat|<b>|http:\/\/evil|(?<!&)#12|`code`/);
    expect(body.match(/-->/g)).toHaveLength(1);
  });

  it('never has more than 60,000 characters', () => {
    const long = trusted('|'.repeat(5000));
    const record = { type: long, name: long, value: long, purpose: long, required: true };
    const records = Array.from({ length: 20 }, () => record);
    const body = render({ error: long, preview: { ...preview, verification: 'bad', records } });
    expect(body.length).toBeLessThanOrEqual(60_000);
  });
});
