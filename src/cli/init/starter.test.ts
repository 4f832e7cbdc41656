import { expect, test } from 'vitest';
import { type StarterChoice, starterFiles } from './starter.ts';
import { starterSource } from './starter-source.ts';

const asItIs: StarterChoice = { names: ['EXAMPLE_KEY'], branch: 'main', hasPreviews: true };

const textOf = (path: string, choice: StarterChoice): string =>
  Object.fromEntries(starterFiles(choice))[`.github/${path}`] ?? '';

test('with the name of the example, only the lines about it differ from the example', () => {
  for (const [path, text] of starterFiles(asItIs)) {
    const source = starterSource()[path] ?? '';
    if (path.endsWith('/site.yml')) {
      const [header] = source.split(/(?<=^environment:\n)/m);
      expect(text.startsWith(header ?? '-')).toBe(true);
      continue;
    }
    const [lines, others] = [text, source].map((one) => one.split('\n'));
    const changed = others?.filter((line, index) => line !== lines?.[index]);
    expect(lines).toHaveLength(others?.length ?? 0);
    expect(changed?.every((line) => /EXAMPLE_(TEST_)?KEY/.test(line))).toBe(true);
    expect(text.match(/EXAMPLE_KEY/g)).toHaveLength(2);
  }
  expect(starterFiles(asItIs).map(([path]) => path)).toEqual(Object.keys(starterSource()));
});

test.each<StarterChoice>([
  { names: [], branch: 'main', hasPreviews: true },
  { names: ['A_KEY', 'B_KEY'], branch: 'release/2.x', hasPreviews: true },
  { names: ['A_KEY', 'B_KEY'], branch: 'release/2.x', hasPreviews: false },
])('nothing of the example remains with %j', (choice) => {
  const all = starterFiles(choice)
    .map(([, text]) => text)
    .join('\n');
  expect(all).not.toContain('EXAMPLE');
  if (choice.branch !== 'main') expect(all).not.toMatch(/\bmain\b/);
  expect(/preview\.yml/.test(all)).toBe(choice.hasPreviews);
  expect(all.match(/^ {8}env:$/gm) ?? []).toHaveLength(
    choice.names.length === 0 ? 0 : starterFiles(choice).length - 1,
  );
});

test('a variable of a preview is from a secret of its own', () => {
  const choice = { ...asItIs, names: ['A_KEY'] };
  expect(textOf('workflows/preview.yml', choice)).toContain(
    `\n          A_KEY: \${{ secrets.PREVIEW_A_KEY }}\n`,
  );
  for (const file of ['deploy', 'drift', 'sync']) {
    expect(textOf(`workflows/${file}.yml`, choice)).toContain(
      `\n          A_KEY: \${{ secrets.A_KEY }}\n`,
    );
  }
});

test.each([
  ['main', 'main'],
  ['release/2.x', "'release/2.x'"],
  ['2.0', "'2.0'"],
  ['on', "'on'"],
])('the branch %s is a text', (branch, written) => {
  expect(textOf('workflows/deploy.yml', { ...asItIs, branch })).toContain(
    `    branches: [${written}]\n`,
  );
});
