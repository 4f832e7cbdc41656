import { expect, it } from 'vitest';
import { type RunHistory, recordProgress } from '../../workflow/run-history.ts';
import { startOwn } from './support.ts';

const workflow = `name: Deploy
on: push
jobs:
  deploy:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/setup-node@v4
      - uses: actions/checkout@v4
      - { name: 'Say \${{ vars.WORD }} \${{ secrets.GIVEN }}', uses: OWNER/site-deploy-action@v1, with: { say: hello } }
      - { if: false, run: exit 1 }
      - { name: "\${{ fromJSON('{') }}", uses: ./inner }
      - run: |
          echo '::warning title=Careful::Mind the gap'
          echo '## Done' >> "$GITHUB_STEP_SUMMARY"
          exit 3
`;

const inner = `name: Inner
description: Writes a summary
runs:
  using: composite
  steps:
    - { shell: bash, run: 'echo "## Inner" >> "$GITHUB_STEP_SUMMARY"; echo "::notice::Within"' }
    - { shell: bash, run: 'echo "## And more" >> "$GITHUB_STEP_SUMMARY"' }
`;

it('has the steps of a run in order: their titles, ends, lines, annotations and summaries', async () => {
  await using own = await startOwn({ runSteps: true });
  await own.push('trunk', { '.github/workflows/deploy.yml': workflow, 'inner/action.yml': inner });
  const history: RunHistory = { runs: [], unstarted: [] };
  for (const progress of own.told) recordProgress(history, progress, 1000);
  const [record] = history.runs;
  expect(record).toMatchObject({ conclusion: 'failure', run: { number: 1, name: 'Deploy' } });
  const [job] = record?.jobs ?? [];
  expect(job).toMatchObject({ name: 'deploy', conclusion: 'failure' });
  expect(job?.steps.map(({ title, conclusion }) => [title, conclusion])).toEqual([
    ['Run actions/setup-node@v4', 'not-played'],
    ['Run actions/checkout@v4', 'success'],
    ['Say from-vars ***', 'success'],
    ['Run exit 1', 'skipped'],
    [`$\{{ fromJSON('{') }}`, 'success'],
    ["Run echo '::warning title=Careful::Mind the gap'", 'failure'],
    ['Post Say from-vars ***', 'success'],
  ]);
  expect(job?.steps[2]?.lines).toContainEqual(expect.stringContaining('said hello'));
  expect(job?.steps[5]).toMatchObject({ summary: '## Done\n' });
  expect(job?.steps[5]?.annotations).toContainEqual({
    level: 'warning',
    title: 'Careful',
    message: 'Mind the gap',
  });
  expect(job?.steps[4]).toMatchObject({
    summary: '## Inner\n## And more\n',
    annotations: [{ level: 'notice', message: 'Within' }],
  });
  expect(job?.steps[6]?.lines).toContain('cleaned up');
});
