import { describe, expect, test } from 'vitest';
import { readWorkflow } from '../../workflow/read-workflow.ts';
import { jobOf, playText } from './support.ts';

/** A step that says what an expression gives, in one line. */
const tell = (expression: string) =>
  `- if: always()
  env: { X: "\${{ ${expression} }}" }
  run: echo OUT $X
`;

type Row = [what: string, steps: string, said: string[], conclusion: string, around?: string];

// What GitHub's runner 2.336.0 says of each.
test.each<Row>([
  [
    'a skipped step',
    `- { id: a, if: false, run: 'true' }
${tell('toJSON(steps.a)')}- { if: steps.a.outcome == 'skipped', run: echo OUT ran }`,
    ['{ "outputs": {}, "outcome": "skipped", "conclusion": "skipped" }', 'ran'],
    'success',
  ],
  [
    'a step that has not run yet, and one without an id',
    `- run: 'true'
${tell("format('{0} {1}', toJSON(steps.later), toJSON(steps))")}- { id: later, run: 'true' }`,
    ['null {}'],
    'success',
  ],
  [
    'a failure that is forgiven',
    `- { id: a, continue-on-error: true, run: exit 1 }
- { if: failure(), run: echo OUT failure }
${tell("format('{0} {1} {2}', steps.a.outcome, steps.a.conclusion, job.status)")}`,
    ['failure success success'],
    'success',
  ],
  [
    'what the steps so far are, by a filter',
    `- { id: a, run: 'true' }
- { id: b, if: false, run: 'true' }
- { id: c, continue-on-error: true, run: exit 1 }
${tell("format('{0} {1}', join(steps.*.outcome), join(steps.*.conclusion))")}`,
    ['success,skipped,failure success,skipped,success'],
    'success',
  ],
  [
    'continue-on-error by what the step itself wrote',
    `- id: a
  continue-on-error: \${{ env.SOFT == 'yes' }}
  run: echo SOFT=yes >> $GITHUB_ENV; exit 1
${tell('steps.a.conclusion')}`,
    ['success'],
    'success',
  ],
  [
    'an error in env, which nothing forgives',
    `- { id: a, continue-on-error: true, env: { X: "\${{ fromJSON('{') }}" }, run: echo OUT no }
- run: echo OUT no
${tell("format('{0} {1}', steps.a.outcome, steps.a.conclusion)")}`,
    ['failure failure'],
    'failure',
  ],
  [
    'an error in a condition',
    `- { id: a, continue-on-error: true, if: "fromJSON('{')", run: echo OUT no }
${tell('steps.a.conclusion')}`,
    ['failure'],
    'failure',
  ],
  [
    'an error in a script, which is forgiven',
    `- { id: a, continue-on-error: true, run: "echo OUT \${{ fromJSON('{') }}" }
- { id: b, run: 'true', continue-on-error: "\${{ fromJSON('{') }}" }
${tell("format('{0} {1} {2}', steps.a.outcome, steps.a.conclusion, steps.b.conclusion)")}`,
    ['failure success success'],
    'success',
  ],
  [
    'an error in a working directory and in an input, which is forgiven',
    `- { id: a, continue-on-error: true, working-directory: "\${{ fromJSON('{') }}", run: echo OUT no }
- { id: b, continue-on-error: true, uses: o/site-deploy-action@v1, with: { say: "\${{ fromJSON('{') }}" } }
- { name: "\${{ fromJSON('{') }}", run: "echo OUT \${{ steps.a.outcome }} \${{ steps.b.conclusion }}" }`,
    ['failure success'],
    'success',
  ],
  [
    'a list where a text is wanted',
    `- { id: a, env: { X: "\${{ github.event.list }}" }, run: echo OUT no }
${tell("format('{0} {1}', steps.a.outcome, github.event.list)")}`,
    ['failure Array'],
    'failure',
  ],
  [
    'env of a step, which is evaluated before it holds',
    `- env: { A: step, B: "\${{ env.A }}" }
  run: echo OUT \${{ env.A }} $A $B`,
    ['step step job'],
    'success',
    '    env: { A: job }\n',
  ],
  [
    'names in env that differ in case',
    `- run: printf 'Name=one\\nNAME=two\\n' >> $GITHUB_ENV
${tell("format('{0} {1} <{2}>', env.Name, env.NAME, env.name)")}`,
    ['one two <>'],
    'success',
  ],
  [
    'the names of steps',
    `- run: echo OUT $GITHUB_ACTION
- { id: named, run: echo OUT $GITHUB_ACTION }
- run: "echo OUT $GITHUB_ACTION \${{ github.action }} \${{ github.workflow }}"`,
    ['__run', 'named', '__run_2 __run_2 Play'],
    'success',
  ],
  [
    'a job without a matrix',
    tell("format('{0} {1}', toJSON(matrix), toJSON(strategy))"),
    ['null { "fail-fast": true, "job-index": 0, "job-total": 1, "max-parallel": 1 }'],
    'success',
  ],
  [
    'shells with arguments',
    `- { shell: 'bash -c "source {0}"', run: echo OUT double }
- { shell: 'env X=1 bash {0}', run: echo OUT $X }
- { shell: "bash -c 'source {0}'", run: echo OUT single }`,
    ['double', '1'],
    'failure',
  ],
])('%s', async (_what, steps, said, conclusion, around) => {
  expect(await playText(jobOf(steps, around))).toMatchObject({ said, conclusion });
});

test('each leg of a matrix knows its place', async () => {
  const around = '    strategy: { fail-fast: false, matrix: { n: [1, 2] } }\n';
  const place = "format('{0} {1} {2} {3}', matrix.n, strategy.job-index, strategy.job-total,";
  const steps = tell(`${place} strategy.fail-fast)`);
  const { said } = await playText(jobOf(steps, around));
  expect(said).toEqual(['1 0 2 false', '2 1 2 false']);
});

describe('a text of several lines with an expression is that of YAML', () => {
  const shown = `printf '%s' "$X" | sed 's/^/OUT |/'; echo`;
  test.each([
    [
      'a script',
      `- run: |\n    cat <<'E' | sed 's/^/OUT |/'\n    a:\n      b: \${{ github.job }}\n    E`,
      ['|a:', '|  b: one'],
    ],
    [
      'Python',
      `- shell: python\n  run: |\n    if True:\n        print('OUT \${{ github.job }}')`,
      ['one'],
    ],
    [
      'kept',
      `- env:\n    X: |\n      \${{ github.job }}\n        {0} 'two'\n  run: ${shown}`,
      ['|one', "|  {0} 'two'"],
    ],
    [
      'stripped',
      `- env:\n    X: |-\n      \${{ github.job }}\n      two\n  run: ${shown}`,
      ['|one', '|two'],
    ],
    [
      'an input',
      `- uses: o/site-deploy-action@v1\n  with:\n    say: >\n      \${{ github.job }}\n      two\n\n      OUT three`,
      ['one two', 'three'],
    ],
    [
      'folded',
      `- env:\n    X: >-\n      \${{ github.job }}\n      two\n\n      three\n  run: ${shown}`,
      ['|one two', '|three'],
    ],
    [
      'quoted',
      `- env:\n    X: "\${{ github.job }}\n      two\\n  \\\n      three"\n  run: ${shown}`,
      ['|one two', '|  three'],
    ],
  ])('%s', async (_what, steps, said) => {
    expect((await playText(jobOf(steps))).said).toEqual(said);
  });

  test('and a mistake in it has its line', async () => {
    const workflow = await readWorkflow(
      'a.yml',
      jobOf(`- run: |\n    echo\n    echo \${{ no.x }}`),
    );
    expect(workflow).toEqual({ mistakes: ["a.yml, line 9: Unrecognized named-value: 'no'"] });
  });
});
