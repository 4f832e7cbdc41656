// Attack (secrets): Text from outside notifies people on GitHub (`@name`, `#12`, `GH-12`)
// Defense: A zero-width joiner breaks `@`, `#` and `GH-`; punctuation is escaped as entities; in code nothing is a
// reference

import { describe, expect, it } from 'vitest';
import { startMessage } from '../dist/message-world.ts';

describe.concurrent('a reference in what a turn says', () => {
  it.each(['GH-12', 'gh-12', '#12', 'octo-org/site#12', '@octocat', 'octocat@0123456'])(
    'tells nobody on GitHub: %s',
    async (reference) => {
      await using world = await startMessage({ turnText: [`It is ${reference}, as said.`] });
      await world.run();
      const [reply = ''] = world.replies();
      const shown = reply.replace(/&#(\d+);/g, (_, digits) => String.fromCodePoint(Number(digits)));
      expect(shown.replaceAll('\u200d', '')).toContain(`It is ${reference}, as said.`);
      expect(shown).not.toMatch(/[@#]\w|gh-\d/i);
    },
  );
});
