import { expect, test } from 'vitest';
import { playText } from './support.ts';

const ours = 'OWNER/site-deploy-action@v1';

/** A step of ours that says something. */
const say = (text: string, more = '') => `{ uses: ${ours}, ${more}with: { say: "${text}" } }`;

/** A workflow with these jobs, each as the lines of its mapping. */
const jobs = (all: Record<string, string[]>, on = 'push') =>
  [
    `on: ${on}`,
    'jobs:',
    ...Object.entries(all).flatMap(([id, lines]) => [
      `  ${id}:`,
      ...lines.map((line) => `    ${line}`),
    ]),
  ].join('\n');

const runner = 'runs-on: ubuntu-latest';
const steps = (...all: string[]) => [runner, 'steps:', ...all.map((one) => `  - ${one}`)];
const one = (...all: string[]) => jobs({ one: steps(...all) });

const setup = '{ uses: actions/setup-node@v4, with: { node-version: 24 } }';
const filter = '{ id: changes, uses: dorny/paths-filter@v3 }';
const build = '{ id: build, run: echo dist=out >> $GITHUB_OUTPUT }';
const composite = (...all: string[]) => ({
  'act/action.yml': `name: A\ndescription: A\ninputs: { say: { description: S } }
outputs: { word: { description: W, value: "\${{ steps.in.outputs.word }}" } }
runs:\n  using: composite\n  steps:\n${all.map((line) => `    - ${line}`).join('\n')}\n`,
});

/** Counts how many such steps run at once: each waits until ten do, or until there are no more to come. */
const counting =
  'mkdir -p at; touch at/N; for i in $(seq 200); do ls at | wc -l >> most; [ $(ls at | wc -l) -ge 10 ] && sleep 0.3 && ls at | wc -l >> most && break; [ -e over ] && break; sleep 0.05; done; touch over; rm at/N';

type Row = [
  what: string,
  source: string,
  said: string[],
  conclusion: string,
  /** What the log or the end names. */
  named?: string,
  runSteps?: boolean,
  files?: Record<string, string>,
];

const rows: Row[] = [
  ['the smallest', one(say('a')), ['a'], 'success'],
  ['after a checkout', one('{ uses: actions/checkout@v4 }', say('a')), ['a'], 'success'],
  [
    'after a setup and a build',
    one(setup, '{ run: npm ci }', '{ run: npm run build }', say('a')),
    ['a'],
    'success',
    '2 run: steps',
  ],
  ['no step of ours', one(setup, '{ run: npm test }'), [], 'success', 'actions/setup-node@v4'],
  [
    'an input of a step that is not played',
    one(filter, say(`\${{ steps.changes.outputs.site }}`)),
    [],
    'neutral',
    `${ours}: the outputs of dorny/paths-filter@v3 (changes) are unknown`,
  ],
  [
    'a condition of a step that is not played',
    one(filter, say('a', "if: steps.changes.outputs.site == 'true', ")),
    [],
    'neutral',
    'dorny/paths-filter@v3 (changes) are unknown',
  ],
  [
    'a condition that holds whatever is unknown',
    one(filter, say('a', 'if: "github.ref_name == \'main\' || steps.changes.outputs.site", ')),
    ['a'],
    'success',
  ],
  [
    'a condition that fails whatever is unknown',
    one(filter, say('a', 'if: "github.ref_name == \'x\' && steps.changes.outputs.site", ')),
    [],
    'success',
  ],
  [
    'an env that is unknown',
    one(build, `{ uses: ${ours}, env: { D: "\${{ steps.build.outputs.dist }}" } }`),
    [],
    'neutral',
    'a run: step (build) are unknown',
  ],
  [
    'all outputs as JSON',
    one(build, say(`\${{ toJSON(steps) }}`)),
    [],
    'neutral',
    'a run: step (build) are unknown',
  ],
  [
    'a filter over steps',
    one(build, say(`\${{ join(steps.*.outputs.dist, ',') }}`)),
    [],
    'neutral',
    'a run: step (build) are unknown',
  ],
  [
    'the outcome of a step that is not played: it counts as a success',
    one(build, say('a', "if: steps.build.outcome == 'success', ")),
    ['a'],
    'success',
  ],
  [
    'a step that is skipped is known',
    one('{ id: x, if: false, uses: a/b@v1 }', say(`<\${{ steps.x.outputs.y }}>`)),
    ['<>'],
    'success',
  ],
  [
    'an output of a script, which runs',
    one(build, say(`\${{ steps.build.outputs.dist }}`)),
    ['out'],
    'success',
    '',
    true,
  ],
  [
    'a script that needs what is unknown',
    one(filter, `{ id: s, run: "echo OUT \${{ steps.changes.outputs.x }}" }`, say('a')),
    ['a'],
    'success',
    'a run: step (s): the outputs of dorny/paths-filter@v3 (changes) are unknown',
    true,
  ],
  [
    'what is unknown is passed on',
    one(
      filter,
      `{ id: s, run: "echo x=\${{ steps.changes.outputs.x }} >> $GITHUB_OUTPUT" }`,
      say(`\${{ steps.s.outputs.x }}`),
    ),
    [],
    'neutral',
    'the outputs of a run: step (s) are unknown',
    true,
  ],
  [
    'a variable that a script sets',
    one('{ run: echo SHA=1 >> $GITHUB_ENV }', say(`\${{ env.SHA }}`)),
    [],
    'neutral',
    'the variables that a run: step sets are unknown',
  ],
  [
    'a variable that is there, beside a script that sets one',
    one('{ run: echo SHA=1 >> $GITHUB_ENV }', say(`\${{ env.A }}`, 'env: { A: b }, ')),
    ['b'],
    'success',
  ],
  ['a variable that nothing sets', one(setup, say(`<\${{ env.ACT }}>`)), ['<>'], 'success'],
  [
    'an index that is unknown',
    one(filter, say(`\${{ fromJSON('{}')[steps.changes.outputs.x] }}`)),
    [],
    'neutral',
    'dorny/paths-filter@v3 (changes) are unknown',
  ],
  [
    'a folder of ours that there is not',
    one(`{ uses: ${ours.replace('@', '/nowhere@')} }`),
    [],
    'neutral',
    'one: OWNER/site-deploy-action/nowhere@v1: there is no such action of site-deploy-action',
  ],
  [
    'a name that is like ours',
    one(`{ uses: ${ours.replace('deploy-action', 'deplyo-acton')} }`),
    [],
    'neutral',
    'site-deplyo-acton@v1: there is no such action of site-deploy-action',
  ],
  ['ours in another case', one(say('a').replace('OWNER/site', 'owner/Site')), ['a'], 'success'],
  [
    'a job whose failure the run goes on with',
    jobs({
      one: ['continue-on-error: true', ...steps('{ run: exit 3 }')],
      two: ['needs: one', ...steps(say(`\${{ needs.one.result }}`))],
    }),
    ['success'],
    'success',
    'Error: Process completed with exit code 3.',
    true,
  ],
  [
    'a script that takes longer than its step may',
    one('{ run: sleep 60, timeout-minutes: 1 }', say('a')),
    [],
    'failure',
    "Error: The action 'Run sleep 60' has timed out after 1 minutes.",
    true,
  ],
  [
    'a script for another system',
    one('{ run: Get-Date, shell: pwsh }', say('a')),
    ['a'],
    'success',
    '1 run: step',
    true,
  ],
  [
    'a folder to work in that is not there',
    one('{ run: ls, working-directory: nowhere }'),
    [],
    'failure',
    "working-directory: there is no folder 'nowhere'",
    true,
  ],
  [
    'twelve steps in the background, of which ten run at once',
    one(
      ...Array.from({ length: 12 }, (_, index) =>
        `{ run: '${counting}', background: true }`.replaceAll('N', `${index}`),
      ),
      '{ wait-all: true }',
      `{ run: 'echo "OUT $(sort -n most | tail -1)"' }`,
    ),
    ['10'],
    'success',
    '',
    true,
  ],
  ['hashFiles', one(say(`\${{ hashFiles('a') }}`)), [], 'neutral', 'hashFiles() is not played'],
  [
    'an output of ours',
    one(say('a', 'id: d, '), say(`\${{ steps.d.outputs.word }}b`)),
    ['a', 'ab'],
    'success',
  ],
  [
    'ours fails',
    one(say('fail'), say('no'), say('late', 'if: failure(), ')),
    ['fail', 'late'],
    'failure',
  ],
  [
    'ours fails and is forgiven',
    one(say('fail', 'id: d, continue-on-error: true, '), say(`\${{ steps.d.outcome }}`)),
    ['fail', 'failure'],
    'success',
  ],
  [
    'a failure beside what is not played',
    one(filter, say(`\${{ steps.changes.outputs.x }}`), say('fail')),
    ['fail'],
    'failure',
    'are unknown',
  ],
  [
    'an output of a job, which is unknown',
    jobs({
      first: [`outputs: { x: "\${{ steps.build.outputs.dist }}" }`, ...steps(build)],
      next: ['needs: first', ...steps(say(`\${{ needs.first.outputs.x }}`))],
    }),
    [],
    'neutral',
    'the output x of first is unknown',
  ],
  [
    'another output of such a job',
    jobs({
      first: [
        `outputs: { x: "\${{ steps.build.outputs.dist }}", y: "\${{ steps.d.outputs.word }}" }`,
        ...steps(build, say('a', 'id: d, ')),
      ],
      next: ['needs: first', ...steps(say(`\${{ needs.first.outputs.y }}!`))],
    }),
    ['a', 'a!'],
    'success',
  ],
  [
    'a job under an unknown condition',
    jobs({
      first: [`outputs: { x: "\${{ steps.changes.outputs.x }}" }`, ...steps(filter)],
      next: ['needs: first', "if: needs.first.outputs.x == 'true'", ...steps(say('no'))],
    }),
    [],
    'neutral',
    'next: the output x of first is unknown',
  ],
  [
    'a matrix that is unknown',
    jobs({
      first: [`outputs: { x: "\${{ steps.changes.outputs.x }}" }`, ...steps(filter)],
      next: [
        'needs: first',
        `strategy: { matrix: { p: "\${{ fromJSON(needs.first.outputs.x) }}" } }`,
        ...steps(say('no')),
      ],
    }),
    [],
    'neutral',
    'next: the output x of first is unknown',
  ],
  [
    'a job env that is unknown',
    jobs({
      first: [`outputs: { x: "\${{ steps.changes.outputs.x }}" }`, ...steps(filter)],
      next: ['needs: first', `env: { X: "\${{ needs.first.outputs.x }}" }`, ...steps(say('no'))],
    }),
    [],
    'neutral',
    'next: the output x of first is unknown',
  ],
  [
    'a job whose name is unknown',
    jobs({
      first: [`outputs: { x: "\${{ steps.changes.outputs.x }}" }`, ...steps(filter)],
      next: ['needs: first', `name: "\${{ needs.first.outputs.x }}"`, ...steps(say('a'))],
    }),
    ['a'],
    'success',
  ],
  [
    'a reusable workflow of the repository',
    jobs({
      first: ['uses: ./.github/workflows/build.yml'],
      next: ['needs: first', ...steps(say('a'))],
    }),
    ['a'],
    'neutral',
    'first: the workflow ./.github/workflows/build.yml',
  ],
  [
    'a reusable workflow of others, whose output is used',
    jobs({
      first: ['uses: a/b/.github/workflows/c.yml@v1', 'secrets: inherit'],
      next: ['needs: [first]', ...steps(say(`\${{ needs.first.outputs.url }}`))],
    }),
    [],
    'neutral',
    'the outputs of the job first are unknown',
  ],
  [
    'what needs a reusable workflow to succeed',
    jobs({
      first: ['uses: a/b/.github/workflows/c.yml@v1'],
      next: ['needs: first', "if: needs.first.result == 'success'", ...steps(say('a'))],
    }),
    ['a'],
    'neutral',
  ],
  [
    'a reusable workflow that is skipped',
    jobs({
      first: ['if: false', 'uses: a/b/.github/workflows/c.yml@v1'],
      next: steps(say('a')),
    }),
    ['a'],
    'success',
  ],
  [
    'a job that is skipped',
    jobs({ one: ["if: github.ref == 'refs/heads/x'", ...steps(say('no'))] }),
    [],
    'skipped',
  ],
  [
    'a matrix',
    jobs({
      one: ['strategy: { matrix: { p: [a, b] } }', ...steps(say(`\${{ matrix.p }}`))],
    }),
    ['a', 'b'],
    'success',
  ],
  [
    'one leg of a matrix that needs what is unknown',
    jobs({
      one: [
        'strategy: { matrix: { p: [a, b] } }',
        ...steps(filter, say(`\${{ matrix.p == 'a' && 'a' || steps.changes.outputs.x }}`)),
      ],
    }),
    ['a'],
    'neutral',
    'one (b): ',
  ],
  [
    'a container',
    jobs({ one: ['container: node:24', ...steps(say('a'))] }),
    ['a'],
    'success',
    'Not played: container',
  ],
  [
    'a service whose port is used',
    jobs({
      one: [
        'services: { db: { image: postgres, ports: [5432] } }',
        ...steps(say(`\${{ job.services.db.ports[5432] }}`)),
      ],
    }),
    [],
    'neutral',
    'job.services is unknown',
  ],
  [
    'an image as a step',
    one('{ uses: "docker://alpine:3" }', say('a')),
    ['a'],
    'success',
    'docker:',
  ],
  [
    'a local action, unless scripts run',
    one('{ uses: ./act }', say('a')),
    ['a'],
    'neutral',
    'one: ./act',
    false,
    composite(say('in')),
  ],
  [
    'a local action that uses ours',
    one('{ id: l, uses: ./act, with: { say: in } }', say(`\${{ steps.l.outputs.word }}!`)),
    ['in', 'in!'],
    'success',
    '',
    true,
    composite(say(`\${{ inputs.say }}`, 'id: in, ')),
  ],
  [
    'a local action in which ours needs what is unknown',
    one('{ id: l, uses: ./act }', say(`\${{ steps.l.outputs.word }}`)),
    [],
    'neutral',
    `one: ${ours} (in): the outputs of dorny/paths-filter@v3 (changes) are unknown`,
    true,
    composite(filter, say(`\${{ steps.changes.outputs.x }}`, 'id: in, ')),
  ],
  [
    'a local action with an unknown output that nothing uses',
    one('{ uses: ./act }', say('b')),
    ['a', 'b'],
    'success',
    'Not played: dorny/paths-filter@v3',
    true,
    composite('{ id: in, uses: dorny/paths-filter@v3 }', say('a')),
  ],
  [
    'a local action that is given what is unknown',
    one(filter, `{ uses: ./act, with: { say: "\${{ steps.changes.outputs.x }}" } }`),
    [],
    'neutral',
    'one: ./act: the outputs of dorny/paths-filter@v3 (changes) are unknown',
    true,
    composite(say(`\${{ inputs.say }}`, 'id: in, ')),
  ],
  [
    'a local action of JavaScript, whose output is used',
    one('{ id: l, uses: ./act }', say(`\${{ steps.l.outputs.word }}`)),
    [],
    'neutral',
    './act, which is no composite action',
    true,
    { 'act/action.yml': 'name: N\ndescription: D\nruns: { using: node24, main: a.js }\n' },
  ],
  [
    'an action of the repository without a checkout',
    one('{ uses: $/act }', say('a')),
    ['a'],
    'neutral',
    'one: $/act',
    true,
  ],
  [
    'steps side by side',
    one(
      `parallel: [${say('a', 'id: a, ')}, ${say('b', 'id: b, ')}]`,
      say(`\${{ steps.a.outputs.word }}\${{ steps.b.outputs.word }}`),
    ),
    ['a', 'b', 'ab'],
    'success',
  ],
  [
    'one of several side by side fails',
    one(`parallel: [${say('fail')}, ${say('b')}]`, say('no'), say('late', 'if: failure(), ')),
    ['fail', 'b', 'late'],
    'failure',
  ],
  [
    'one of several side by side needs what is unknown',
    one(filter, `parallel: [${say(`\${{ steps.changes.outputs.x }}`)}, ${say('b')}]`),
    ['b'],
    'neutral',
    'dorny/paths-filter@v3 (changes) are unknown',
  ],
  [
    'a server in the background that is canceled',
    one(
      '{ id: serve, background: true, run: "echo OUT up; touch up; exec sleep 600" }',
      '{ run: "until [ -f up ]; do :; done" }',
      say('a'),
      '{ cancel: serve }',
      say(`\${{ steps.serve.conclusion }}`),
    ),
    ['a', 'up', 'cancelled'],
    'success',
    '',
    true,
  ],
  [
    'a script in the background that is waited for',
    one(
      '{ id: x, background: true, run: "echo w=1 >> $GITHUB_OUTPUT" }',
      say(`<\${{ steps.x.outputs.w }}>`),
      '{ wait: x }',
      say(`<\${{ steps.x.outputs.w }}>`),
    ),
    ['<>', '<1>'],
    'success',
    '',
    true,
  ],
  [
    'a failure in the background, of which the end of the job is told',
    one('{ background: true, run: exit 1 }', say('a')),
    ['a'],
    'failure',
    '',
    true,
  ],
  [
    'a key that the parser does not know',
    `cache-mode: read\n${jobs({ one: ['cache-mode: read', ...steps(say('a'))] })}`,
    ['a'],
    'success',
    'Not played: cache-mode',
  ],
  [
    'inputs without a value, and a time zone',
    `on:\n  push:\n  workflow_dispatch:\n    inputs:\n  schedule:\n    - cron: '7 4 * * *'\n      timezone: Europe/Berlin\n${jobs({ one: steps(say('a')) }).replace('on: push\n', '')}`,
    ['a'],
    'success',
  ],
];

test.each(rows)(
  '%s',
  async (_what, source, said, conclusion, named = '', runSteps = false, files) => {
    const end = await playText(source, files, { runSteps, minute: 1000 });
    expect(end, end.log.join('\n')).toMatchObject({ said, conclusion });
    expect([...end.log, ...(end.notPlayed ?? [])].join('\n')).toContain(named);
    expect(conclusion === 'neutral').toBe(
      end.conclusion === 'neutral' && end.notPlayed?.length !== 0,
    );
  },
);

test('what is not known is said once, where a step needs it', async () => {
  const { log, notPlayed } = await playText(one(filter, say(`\${{ steps.changes.outputs.x }}`)));
  const line = `${ours}: the outputs of dorny/paths-filter@v3 (changes) are unknown`;
  expect(log.filter((text) => text.includes('unknown'))).toEqual([`Not played: ${line}`]);
  expect(notPlayed).toEqual([`one: ${line}`]);
});

test.each([
  ['no ref', one('{ uses: OWNER/site-deploy-action }'), "play.yml, line 6: uses: 'OWNER/site"],
  ['no owner', one('{ uses: site-deploy-action@v1 }'), "play.yml, line 6: uses: 'site-deploy"],
  [
    'branches that are wanted and ignored',
    jobs({ one: steps(say('a')) }, '{ push: { branches: [a], branches-ignore: [b] } }'),
    'play.yml: on: push has branches and branches-ignore',
  ],
  [
    'paths that are wanted and ignored',
    jobs({ one: steps(say('a')) }, '{ push: { paths: [a], paths-ignore: [b] } }'),
    'play.yml: on: push has paths and paths-ignore',
  ],
  [
    'a queue that is cancelled',
    `concurrency: { group: a, queue: max, cancel-in-progress: true }\n${one(say('a'))}`,
    "play.yml: concurrency: queue: max can't be used with cancel-in-progress",
  ],
])('%s is a mistake', async (_what, source, mistake) => {
  await expect(playText(source)).rejects.toThrow(mistake);
});
