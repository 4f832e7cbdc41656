// Attack (secrets): A secret is split over a turn's events, or has a terminal escape inside
// Defense: Pieces are joined to lines first, and redacted before and after cleaning

import { describe, expect, it } from 'vitest';
import { linesShown, sendNow } from '../support/message.ts';
import { startWorld } from '../support/world.ts';

const secret = 'fake-secret-of-the-turn-0123456789';

describe.concurrent('a secret that the turn says', () => {
  it.each<[string, string[]]>([
    ['whole', [`It is ${secret}.`]],
    ['torn over two pieces', [`It is ${secret.slice(0, 9)}`, `${secret.slice(9)}.`]],
    ['a character a piece', [...`It is ${secret}.`]],
    ['with an escape within', [`It is ${secret.slice(0, 9)}\u001b[0m${secret.slice(9)}.`]],
  ])('%s is hidden', async (_name, turnText) => {
    await using world = await startWorld({ dialect: { turnText, turnMs: 0 }, secrets: [secret] });
    const report = await sendNow(world);
    expect(report.text).toBe('It is ***.');
    expect(linesShown(world)).toEqual(['It is ***.']);
  });

  it.each<[string, string]>([
    ['in base64', Buffer.from(`key: ${secret}`).toString('base64')],
    ['in JSON of JSON', JSON.stringify(JSON.stringify({ key: secret }))],
    ['in a URI', `https://example.com/?a=${encodeURIComponent(secret)}`],
  ])('%s is hidden', async (_name, said) => {
    await using world = await startWorld({ dialect: { turnText: [said] }, secrets: [secret] });
    expect((await sendNow(world)).text).toContain('***');
  });

  it.each([3980, 3990, 3999, 4000, 7990, 8000, 8010])(
    'across the place where a long line is parted (%i) is hidden',
    async (before) => {
      const said = `${'x'.repeat(before)}${secret}${'y'.repeat(9000)}`;
      await using world = await startWorld({ dialect: { turnText: [said] }, secrets: [secret] });
      const { text } = await sendNow(world);
      const parts = Array.from({ length: secret.length - 8 }, (_, at) => secret.slice(at, at + 8));
      expect(parts.filter((part) => text.includes(part))).toEqual([]);
      expect(text.length).toBeGreaterThan(3000);
    },
  );

  it('in a status and in an error is hidden', async () => {
    await using world = await startWorld({
      dialect: {
        messageEnds: 'failure',
        hostileText: `said ${secret}`,
        messageWords: { failure: 'failed' },
      },
      secrets: [secret],
    });
    const report = await sendNow(world);
    expect(report.error).toContain('said ***');
    expect(JSON.stringify([report, world.told])).not.toContain(secret);
  });
});

it('control characters of the turn are taken out', async () => {
  const turnText = ['\u001b[31mred\u001b[0m \u0007bell\u202e\n', '\u0000zero'];
  await using world = await startWorld({ dialect: { turnText } });
  expect((await sendNow(world)).text).toBe('red bell\nzero');
});
