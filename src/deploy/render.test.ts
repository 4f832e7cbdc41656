import { describe, expect, test } from 'vitest';
import {
  deployReport,
  environmentResult,
  variableResult,
} from '../../test/support/report/builders.ts';
import { decode } from '../../test/support/report/decode.ts';
import type { Sha } from '../contract/commit.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import type { DeployReport } from './model/report.ts';
import { renderSummary } from './render.ts';

const render = (fields: Partial<DeployReport> = {}) => renderSummary(deployReport(fields));

describe('a summary', () => {
  test('begins with what happened, and where to click', () => {
    const summary = decode(render({ site: unsafeText('https://www.example.com') }));
    const commit = 'a'.repeat(40);
    expect(summary.replaceAll('\u200d', '').split('\n\n').slice(0, 3)).toEqual([
      '## ✅ Preview of #7 is live',
      '### [www.example.com](https://www.example.com)',
      `Commit [<code>aaaaaaa</code>](https://github.com/o/r/commit/${commit}) · took 12.3s`,
    ]);
  });

  test('ends with ids, words of the service and who confirmed them, folded', () => {
    const deployment = { id: unsafeText('d_1'), status: unsafeText('is|ready') };
    const summary = decode(
      render({ release: { stage: 'succeeded', deployment, confirmedBy: 'stream' } }),
    );
    expect(summary.trimEnd()).toMatch(/<\/details>$/);
    const details = summary.slice(summary.indexOf('<details><summary>Details</summary>\n\n'));
    for (const line of [
      '- Project: <code>11111111-1111-4111-8111-111111111111</code>',
      `- Commit: <code>${'a'.repeat(40)}</code>`,
      '- Deployment: <code>d_1</code>',
      '- Status: <code>is|ready</code>, read from the event stream',
      '- Requests to the service: 3',
    ]) {
      expect(details).toContain(`${line}\n`);
    }
  });

  test.each<[string, Partial<DeployReport>, string]>([
    ["the project's own head", { commit: 'HEAD' }, "HEAD of the project's repository ·"],
    ['a push', { pushed: true }, ', pushed to its repository · took'],
    ['why it was skipped', { outcome: 'skipped', skippedReason: 'fork' }, '<code>fork</code>'],
    [
      'what went wrong',
      { outcome: 'failed', error: diagnose('SD9003', unsafeText('No space.')) },
      '> No space.',
    ],
    [
      'the variables',
      { environment: environmentResult({ variables: [variableResult('A', 'created')] }) },
      '### Variables\n\n| Variable | Result |',
    ],
    [
      'what a clean-up did',
      { outcome: 'cleaned-up', actions: [unsafeText('a.example is unassigned')] },
      '- a.example is unassigned',
    ],
    [
      "the end of the build's log, open",
      {
        outcome: 'failed',
        release: { stage: 'failed', log: [unsafeText('building'), unsafeText('  error: no page')] },
      },
      "The last 2 lines of the build's log:\n\n```text\nbuilding\n  error: no page\n```",
    ],
  ])('says %s', (_name, fields, words) => {
    expect(decode(render(fields))).toContain(words);
  });

  test('leaves out what there is nothing to say about', () => {
    const summary = render({ environment: environmentResult() });
    for (const words of ['###', 'mermaid', 'undefined', 'Deployment:', 'Variables', 'pushed']) {
      expect(summary).not.toContain(words);
    }
  });

  test('lets no text from outside do anything', () => {
    const hostile = '</code>|<img src=x>\n# @octocat #12 ![a](https://a.example) `x` <!--';
    const summary = render({
      projectId: hostile,
      commit: hostile as Sha,
      release: {
        stage: 'under-way',
        deployment: { id: unsafeText(hostile), status: unsafeText(hostile) },
      },
      error: diagnose('SD9003', unsafeText(hostile)),
      environment: environmentResult({
        variables: [variableResult(hostile, 'failed', { reason: unsafeText(hostile) })],
        ambiguous: [{ name: unsafeText(hostile), reason: unsafeText(hostile) }],
        undeclared: [unsafeText(hostile)],
      }),
    });
    expect(summary).not.toMatch(
      /<img|<!--|!\[|@octocat|[^&]#12|https:(?!\/\/github\.com\/o\/r\/commit\/[^ @#]*\) )|`x`|\n# /,
    );
    const rows = summary.split('\n').filter((line) => line.startsWith('| '));
    for (const row of rows) expect([4, 5]).toContain(row.split('|').length);
  });
});
