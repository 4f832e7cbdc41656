import { expect, test } from 'vitest';
import { jobOf, playText } from './support.ts';

/** A composite action with these steps, as YAML. */
const action = (steps: string, around = '') =>
  `name: Act\ndescription: An action\n${around}runs:\n  using: composite\n  steps:\n${steps.replaceAll(/^(?=.)/gm, '    ')}\n`;

type Row = [
  what: string,
  files: Record<string, string>,
  steps: string,
  said: string[],
  conclusion: string,
];

// What GitHub's runner 2.336.0 says of each.
test.each<Row>([
  [
    'inputs have their defaults, and outputs their values',
    {
      'act/action.yml': action(
        `- { id: in, shell: bash, run: "echo OUT \${{ inputs.a }} \${{ inputs.n }} [$INPUT_A]; echo v=of-\${{ inputs.a }} >> $GITHUB_OUTPUT" }`,
        `inputs: { a: { description: A, default: "\${{ github.ref_name }}" }, n: { description: N, default: 5 } }
outputs: { out: { description: O, value: "\${{ steps.in.outputs.v }}" } }\n`,
      ),
    },
    `- { id: a, uses: ./act }
- { id: b, uses: ./act, with: { A: you } }
- run: "echo OUT \${{ steps.a.outputs.out }} \${{ steps.b.outputs.out }} \${{ steps.in == null }}"`,
    ['main 5 []', 'you 5 []', 'of-main of-you true'],
    'success',
  ],
  [
    'variables reach it, and what it writes leaves it',
    {
      'act/action.yml': action(
        `- shell: bash
  env: { I: "\${{ env.S }}-i" }
  run: |
    echo "OUT $S $I $GITHUB_ACTION \${GITHUB_ACTION_PATH##*/}"
    printf 'S=file\\nG=file\\n' >> "$GITHUB_ENV"
- { shell: bash, run: "echo OUT $S $G \${{ env.S }}" }`,
      ),
    },
    `- { id: x, uses: ./act, env: { S: step } }
- run: echo "OUT $S $G <$GITHUB_ACTION_PATH>"`,
    ['step step-i x act', 'step file step', 'file file <>'],
    'success',
  ],
  [
    'a failure within ends the rest of it, as its conditions say',
    {
      'act/action.yml': action(
        `- { id: one, shell: bash, run: "echo v=1 >> $GITHUB_OUTPUT; exit 1" }
- { shell: bash, run: echo OUT no }
- { shell: bash, if: failure(), run: "echo OUT failed \${{ job.status }}" }`,
        `outputs: { v: { description: V, value: "\${{ steps.one.outputs.v }}" } }\n`,
      ),
    },
    `- { id: a, uses: ./act, continue-on-error: true }
- run: "echo OUT \${{ steps.a.outcome }} \${{ steps.a.conclusion }} \${{ steps.a.outputs.v }}"
- uses: ./act
- run: echo OUT no`,
    ['failed success', 'failure success 1', 'failed success'],
    'failure',
  ],
  [
    'after a failure in the job, its own steps stand for themselves',
    {
      'act/action.yml': action(
        `- { shell: bash, run: "echo OUT in \${{ job.status }}" }
- { shell: bash, if: failure(), run: echo OUT no }`,
      ),
    },
    `- run: exit 1
- uses: ./act
- { uses: ./act, if: failure() }`,
    ['in failure'],
    'failure',
  ],
  [
    'one uses another',
    {
      'outer/action.yaml': action(
        `- { id: in, uses: ./inner, with: { x: "\${{ inputs.x }}-o" }, env: { E: outer } }
- { shell: bash, run: "echo OUT [$E] $GITHUB_ACTION \${GITHUB_ACTION_PATH##*/}" }`,
        `inputs: { x: { description: X } }
outputs: { z: { description: Z, value: "z-\${{ steps.in.outputs.y }}" } }\n`,
      ),
      'inner/action.yml': action(
        `- { id: s, shell: bash, run: "echo OUT $E $GITHUB_ACTION \${GITHUB_ACTION_PATH##*/}; echo y=\${{ inputs.x }}-i >> $GITHUB_OUTPUT" }`,
        `inputs: { x: { description: X } }
outputs: { y: { description: Y, value: "\${{ steps.s.outputs.y }}" } }\n`,
      ),
    },
    `- { id: o, uses: ./outer, with: { x: 1 } }
- run: echo OUT \${{ steps.o.outputs.z }}`,
    ['outer o inner', '[] o outer', 'z-1-o-i'],
    'success',
  ],
  [
    'what it cannot evaluate fails it, a condition at once',
    {
      'act/action.yml': action(
        `- { id: e, shell: bash, continue-on-error: true, run: "echo OUT \${{ fromJSON('{') }}" }
- { shell: bash, run: "echo OUT \${{ steps.e.outcome }} \${{ steps.e.conclusion }}" }
- { shell: bash, if: "fromJSON('{')", run: echo OUT no }
- { shell: bash, if: always(), run: echo OUT no }`,
      ),
    },
    `- { id: a, uses: ./act, continue-on-error: true }
- run: echo OUT \${{ steps.a.outcome }}`,
    ['failure success', 'failure'],
    'success',
  ],
  [
    'one that is not there, or has a mistake, fails',
    { 'act/action.yml': action('- run: echo OUT no shell') },
    `- { id: a, uses: ./act, continue-on-error: true }
- { id: b, uses: ./nowhere, continue-on-error: true }
- run: echo OUT \${{ steps.a.outcome }} \${{ steps.b.outcome }}`,
    ['failure failure'],
    'success',
  ],
])('%s', async (_what, files, steps, said, conclusion) => {
  expect(await playText(jobOf(steps), files)).toMatchObject({ said, conclusion });
});

test('one that uses itself ends', async () => {
  const steps = '- { shell: bash, run: echo OUT in }\n- uses: ./act';
  const end = await playText(jobOf('- uses: ./act'), { 'act/action.yml': action(steps) });
  expect(end.said).toHaveLength(10);
  expect(end.log).toContain('Error: Composite action depth exceeded max depth 9');
  expect(end.conclusion).toBe('failure');
});

test('what is not played of an action, or at all, is named', async () => {
  const { log, conclusion } = await playText(jobOf('- uses: ./act\n- uses: ./node'), {
    'act/action.yml': action('- uses: actions/setup-node@v4\n- { shell: bash, run: echo OUT }'),
    'node/action.yml': 'name: N\ndescription: D\nruns: { using: node24, main: main.js }\n',
  });
  expect(log).toContain('Not played: actions/setup-node@v4');
  expect(log).toContain('Not played: ./node, which is no composite action');
  expect(conclusion).toBe('success');
});
