// The tables of docs/attacks.md. Test files describe at their top, in comments, which attacks they play:
//
//     // Attack (secrets): Something is printed before the masks
//     // Defense: Inputs are masked first, variables before the log opens
import { globSync, readFileSync } from 'node:fs';

/** An attack, the defense against it, and the test that plays it. */
interface Attack {
  /** The word in parentheses: the table that it is in. */
  topic: string;
  attack: string;
  defense: string;
  /** The path of the test from the root. */
  test: string;
}

/**
 * Reads the attacks that a test file describes at its top.
 *
 * @param test the path of the file from the root
 * @throws if a description is not of the form that all have
 */
export function attacksOf(test: string, source: string): Attack[] {
  const [head = ''] = /^(?:\/\/.*\n)*/.exec(source) ?? [];
  const comments = head.split(/^(?=\/\/ Attack\b)/m).filter((part) => part.startsWith('// Attack'));
  return comments.map((comment) => {
    const text = comment.trim().replaceAll(/\n?\/\/ /g, ' ');
    const [, topic = '', attack = '', defense] =
      /^ Attack \((\w+)\): (.+?) Defense: (.+)$/.exec(text) ?? [];
    if (defense === undefined)
      throw new Error(`${test}: "${text}" is not "Attack (topic): … Defense: …"`);
    return { topic, attack, defense, test };
  });
}

/** The attacks that any test plays, by their topics. */
export function readAttacks(): Map<string, Attack[]> {
  const paths = globSync('{src,test,emulator}/**/*.test.ts').map((path) =>
    path.replaceAll('\\', '/'),
  );
  const all = paths.sort().flatMap((path) => attacksOf(path, readFileSync(path, 'utf8')));
  return Map.groupBy(all, ({ topic }) => topic);
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** The table of the attacks of one topic. */
export const renderAttacks = (attacks: readonly Attack[]): string =>
  [
    '| attack | defense | test |',
    '| --- | --- | --- |',
    ...attacks.map(({ attack, defense, test }) => {
      const name = test.replace(/^test\//, '').replace(/\.test\.ts$/, '');
      return `| ${cell(attack)} | ${cell(defense)} | [${name}](../${test}) |`;
    }),
  ].join('\n');
