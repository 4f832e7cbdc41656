import { Marked } from 'marked';
import { describe, expect, test } from 'vitest';
import { decode } from '../../test/support/report/decode.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import { closeMessage, type MessageReport, renderMessage, renderReply } from './render.ts';

const projectId = '11111111-1111-4111-8111-111111111111';
const shell = {
  marker: { key: 'message 1', runId: '1', runAttempt: '1' },
  runUrl: 'https://github.example/run/1',
};

/** The report of a turn that ended well unless told otherwise. */
const report = (fields: Partial<MessageReport> = {}): MessageReport => ({
  outcome: 'succeeded',
  projectId: unsafeText(projectId),
  message: { id: unsafeText('message-1'), status: unsafeText('completed') },
  confirmedBy: 'stream',
  text: unsafeText('I changed the page.'),
  isCut: false,
  requests: 4,
  durationMs: 1234,
  ...fields,
});

test.each<[string, Partial<MessageReport>, string]>([
  ['a turn', {}, 'Done in 1.2s · message message-1'],
  ['a failure', { outcome: 'failed' }, 'Failed in 1.2s · message message-1'],
  [
    'an accepted one',
    { outcome: 'accepted', requests: 1 },
    'Accepted, not followed in 1.2s · message message-1',
  ],
])('the last line of %s', (_name, fields, line) => {
  expect(closeMessage(report(fields))).toBe(line);
});

test('the last line of a run that sent nothing', () => {
  const { message: _, ...rest } = report({ outcome: 'skipped', requests: 0 });
  expect(closeMessage(rest)).toBe('Skipped');
});

test.each<[MessageReport['confirmedBy'], string]>([
  ['stream', 'read from the event stream'],
  ['poll', "from the project's list of messages"],
  ['answer', 'from the response to the message'],
])('who confirmed the end: %s, and nothing of a deployment', (confirmedBy, words) => {
  const summary = renderMessage(report({ ...(confirmedBy && { confirmedBy }) }));
  expect(summary).toContain(words);
  expect(summary).not.toMatch(/deploy/i);
});

test('a reply says what happened, what was said, and leads to the run', () => {
  const reply = decode(
    renderReply(report({ text: unsafeText('One.\n\n    two\n\tthree') }), shell),
  );
  expect(reply).toContain('### ✅ Done');
  expect(reply).toContain(`> One.\n>\n> ${'\u00a0'.repeat(4)}two\n> ${'\u00a0'.repeat(2)}three`);
  expect(reply).toContain(shell.runUrl);
  expect(reply).toContain(projectId);
});

test('an error stands before the words', () => {
  const summary = decode(
    renderMessage(
      report({ outcome: 'failed', error: diagnose('SD9003', unsafeText('The turn ended.')) }),
    ),
  );
  expect(summary.indexOf('The turn ended.')).toBeGreaterThan(0);
  expect(summary.indexOf('The turn ended.')).toBeLessThan(summary.indexOf('I changed'));
  expect(summary).toContain('## ❌ The AI could not finish its work');
});

describe('a long text', () => {
  test.each([
    ['of mentions', '@'],
    ['of emoji', '😀'],
    ['of lines', '#\n'],
    ['of words', 'word '],
    ['of tabs', '\t\t\ta\n'],
  ])('%s leaves room for the rest', (_name, unit) => {
    const reply = renderReply(report({ text: unsafeText(unit.repeat(30_000)) }), shell);
    expect(reply.length).toBeLessThan(60_000);
    expect(reply).toContain('> …');
    expect(reply).toContain(shell.runUrl);
  });

  test('that was cut before says so', () => {
    expect(renderMessage(report({ isCut: true }))).toContain('> …');
    expect(renderMessage(report())).not.toContain('> …');
  });
});

describe('the words of a turn', () => {
  test.each([
    ['a mention', 'Thanks @octocat and @octo-org/team'],
    ['a reference', 'Fixes #12, octo-org/site#12 and GH-12'],
    ['a link', '[here](https://example.com) https://example.com www.example.com'],
    ['an image', '![x](https://example.com/x.png) <img src=x>'],
    ['HTML', '<details open><script>alert(1)</script>'],
    ['a comment', '--><!-- site-deploy-action'],
    ['a heading', '# Title\n---\n'],
    ['a table', '| a | b |\n| - | - |'],
    ['code', '```js\nx\n```\n`y`'],
    ['a task list', '- [x] done\n* item\n1. one'],
    ['a quotation', '> quoted'],
    ['a footnote', '[^1]: note'],
    ['indented code', 'a\n\n    code\n\tcode'],
    ['mathematics', '$x$ $$y$$'],
  ])('do nothing as Markdown: %s', (_name, text) => {
    const quoted = renderReply(report({ text: unsafeText(text) }), shell)
      .split('\n')
      .filter((line) => line.startsWith('>'))
      .join('\n');
    const html = new Marked({ gfm: true, breaks: true }).parse(quoted, { async: false });
    expect(html.replace(/<\/?blockquote>|<\/?p>|<br>/g, '')).not.toMatch(/[<>]/);
    expect(html).not.toMatch(/[@#][\w]|gh-\d/i);
  });
});
