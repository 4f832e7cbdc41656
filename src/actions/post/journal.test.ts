import { expect, test } from 'vitest';
import type { CheckResult } from '../../checks/result.ts';
import { sha } from '../../contract/commit.ts';
import type { DeployReport, Release } from '../../deploy/model/report.ts';
import { verdict } from '../../deploy/model/verdict.ts';
import { diagnose } from '../../kernel/diagnostic.ts';
import { type SafeText, unsafeText } from '../../kernel/text/safe.ts';
import { type Journal, openJournal, readJournal } from './journal.ts';
import { unfinishedReport } from './post.ts';

/** A text of three bytes a character. */
const long = (length: number): SafeText => unsafeText('長'.repeat(length));

test('the longest report is short enough for an environment variable', () => {
  const url = `https://www.example.com/${'a'.repeat(470)}`;
  const check: CheckResult = {
    what: unsafeText(`GET ${url}`),
    url,
    expected: long(500),
    actual: long(500),
    explains: long(250),
    passed: false,
    milliseconds: 12_345,
    lacksCommit: true,
  };
  const checks = Array.from({ length: 51 }, () => check);
  const release: Release = {
    stage: 'failed',
    deployment: { id: long(500), status: long(500) },
    unknownStatus: long(500),
    lastStep: long(500),
    uncertainty: long(1000),
    log: Array.from({ length: 20 }, () => unsafeText('x'.repeat(540))),
  };
  const report: DeployReport = {
    outcome: 'failed',
    error: diagnose('SD5006', long(4000)),
    phases: [],
    requests: 1,
    durationMs: 1,
    release,
    checks,
    rollback: { commit: sha('a'.repeat(40)), release, checks },
  };
  let saved = '';
  const save = (_name: string, value: string) => {
    saved = value;
  };
  const plan = { runUrl: url, subject: { name: long(60) }, commit: null };
  openJournal(save, { job: 'deploy', plan, found: {} })({ report });
  // The most that Linux takes.
  expect(Buffer.byteLength(`STATE_journal=${saved}`)).toBeLessThan(128 * 1024);
  expect(readJournal(() => saved)).toMatchObject({
    report: { checks: { length: 51 }, rollback: { checks: { 50: { lacksCommit: true } } } },
  });
});

test('a commit that the checks missed is not called live where the rollback is cut off', () => {
  const commit = sha('a'.repeat(40));
  const check: CheckResult = {
    what: unsafeText('GET /'),
    expected: unsafeText('2xx with text'),
    actual: unsafeText('returned 200 without the text of contains'),
    passed: false,
    lacksCommit: true,
  };
  const found: Journal['found'] = {
    release: { stage: 'succeeded' },
    checks: [check],
    rollback: { commit: sha('b'.repeat(40)) },
  };
  let saved = '';
  const save = (_name: string, value: string) => {
    saved = value;
  };
  const plan = { runUrl: '', subject: { name: unsafeText('Site') }, commit };
  openJournal(save, { job: 'deploy', plan, found });
  const journal = readJournal(() => saved);
  if (typeof journal === 'string') throw new Error(journal);
  const report = unfinishedReport(journal, diagnose('SD9004', unsafeText('Killed.')));
  expect(verdict(report)).toMatchObject({ serves: 'unknown' });
});
