// Attack (reports): GitHub answers with another comment or deployment, which would be edited
// Defense: They are known by marker and mark; others are ignored
// Attack (reports): An edit of the comment, or a last status, is answered with success and did nothing
// Defense: Read again, written once more, otherwise a warning

import { describe, expect, it } from 'vitest';
import { type GitHubStandIn, startGitHub } from '../../emulator/github/index.ts';
import { commentSignerFor } from '../../src/comments/run-comment.ts';
import { sha as asSha } from '../../src/contract/commit.ts';
import { Recorder } from '../../src/deploy/recorder.ts';
import type { RecordingPlan } from '../../src/deploy/recording-plan.ts';
import { type Diagnostic, printed } from '../../src/kernel/diagnostic.ts';
import type { Outcome } from '../../src/kernel/outcome.ts';
import { unsafeText } from '../../src/kernel/text/safe.ts';
import { recordSignerFor } from '../../src/releases/series.ts';
import type { Recorded } from '../../src/step/end-step.ts';
import { startGracePeriod } from '../../src/step/run-outcome.ts';
import { pairwise } from '../support/exhaustive.ts';
import { type GitHubAnswer, githubAnswers, githubWrites } from './truth/github.ts';

const repository = 'octo-org/octo-site';
const number = 7;
const sha = asSha('0123456789'.repeat(4));
const environment = 'preview/pr-7';
const plan: RecordingPlan = {
  runUrl: 'https://github.example/octo-org/octo-site/actions/runs/5',
  subject: { name: unsafeText('Preview of #7'), commitsUrl: 'https://github.example/o/r/commit/' },
  projectId: 'p',
  commit: sha,
  comment: { number, marker: { key: 'p', runId: '5', runAttempt: '1' } },
  deployment: {
    ref: sha,
    environment,
    key: 'pr-7/p',
    isPreview: true,
    mark: 'a mark of its own',
    until: Date.now() + 60_000,
  },
};

/** A pull request with a comment and a deployment that are none of this run's. */
async function startWorld() {
  const github = await startGitHub();
  const head = { ref: 'topic', sha, repo: { full_name: repository, fork: false } };
  const pullRequest = { number, state: 'open' as const, head, base: { ref: 'main', sha } };
  github.pullRequests.set(`${repository}#${number}`, pullRequest);
  const body = 'Written by another workflow.';
  const [comment] = github.addComments(repository, number, [
    { author: 'github-actions[bot]', body },
  ]);
  const payload = { maker: 'another' };
  const deployment = github.addDeployment(repository, { sha, environment, payload }, [
    { state: 'success' },
  ]);
  if (comment === undefined) throw new Error('no comment was made');
  return { github, comment, deployment };
}

/** Records a run as the deploy step does, and gives what was recorded and warned of. */
async function record(github: GitHubStandIn, outcome: Outcome) {
  const warnings: string[] = [];
  const access = { apiUrl: github.url, token: github.token, repository };
  const warn = (diagnostic: Diagnostic<string>) => warnings.push(printed(diagnostic));
  const context = {
    access,
    warn,
    commentSignerFor: () => commentSignerFor({ 'api-key': 'fake-key' }, repository, number),
    recordSigner: recordSignerFor({ 'api-key': 'fake-key' }, repository),
    journal: () => undefined,
  };
  const recorder = new Recorder(plan, context);
  recorder.beginComment();
  void recorder.ensureCreated();
  const report = { outcome, projectId: 'p', commit: sha, phases: [], requests: 1, durationMs: 1 };
  const recorded = await recorder.finish(report, startGracePeriod());
  return { recorded, warnings };
}

/** What the run says that is not so, or is silent of. */
function untruths(
  github: GitHubStandIn,
  { commentUrl, deploymentId }: Recorded,
  {
    warnings,
    title,
    state,
    isSeen,
  }: { warnings: readonly string[]; title: string; state: string; isSeen: boolean },
): string[] {
  const ours = github
    .comments(repository, number)
    .filter(({ body = '' }) => body.startsWith('<!-- site-deploy key=p '));
  const named = ours.find(({ html_url }) => html_url === commentUrl);
  const made = github
    .deployments(repository)
    .filter(({ payload }) => JSON.stringify(payload).includes('site-deploy-action'));
  const live = made.find(({ id }) => String(id) === deploymentId);
  const isOpen = made.some(({ statuses }) =>
    [undefined, 'in_progress'].includes(statuses.at(-1)?.state),
  );
  const isWarned = warnings.length > 0;
  const rules: readonly (readonly [boolean, string])[] = [
    [commentUrl !== '' && named === undefined, 'names a comment that is not its own'],
    [
      !isWarned && !named?.body?.includes(title),
      'is silent of a comment that does not tell the end',
    ],
    [ours.length > 1, 'leaves two comments'],
    [deploymentId !== '' && live === undefined, 'names a deployment that is not its own'],
    [
      !isWarned && live?.statuses.at(-1)?.state !== state,
      'is silent of a deployment that has not its end',
    ],
    [!isWarned && isOpen, 'is silent of a deployment that stays open'],
    [
      made.filter(({ statuses }) => statuses.at(-1)?.state === 'success').length > 1,
      'has two live',
    ],
    [isSeen && isWarned, 'warns of what was carried out'],
  ];
  return rules.filter(([isUntrue]) => isUntrue).map(([, words]) => words);
}

const ends = [
  { outcome: 'succeeded', title: 'is deployed', state: 'success' },
  { outcome: 'failed', title: 'was not deployed', state: 'failure' },
] as const;

/** Answers, or none, to what was carried out, as a look shows at once: all of it can be known. */
const isSeenIn = (kind: string): boolean => /carried out$|^lost after|^given twice$/.test(kind);

const cells = githubWrites.flatMap((write) =>
  Object.entries(githubAnswers).flatMap(([kind, answer]) =>
    ends.map((end) => ({ ...write, kind, answer, end, ended: end.outcome })),
  ),
);

describe.concurrent('what is recorded on GitHub is so', () => {
  const tried = pairwise(cells, ({ name, kind, ended }) => [name, kind, ended]);
  it.each(tried)('$name, with an answer: $kind, of a run that $ended', async (cell) => {
    const { operation, nth, kind, answer, end } = cell;
    const { github, comment, deployment } = await startWorld();
    await using _ = github;
    const before = structuredClone({ comment, deployment });
    const other = operation.startsWith('issues/')
      ? { ...before.comment }
      : { ...before.deployment, ...before.deployment.statuses[0], id: before.deployment.id };
    let seen = 0;
    github.trouble = ({ operationId }): GitHubAnswer | undefined => {
      if (operationId !== operation) return undefined;
      seen += 1;
      return seen === nth ? answer(other) : undefined;
    };
    const { recorded, warnings } = await record(github, end.outcome);
    expect(seen).toBeGreaterThanOrEqual(nth);
    const said = { warnings, ...end, isSeen: isSeenIn(kind) };
    expect(untruths(github, recorded, said).join('; ')).toBe('');
    expect({ comment, deployment }).toEqual(before);
    expect(github.violations).toEqual([]);
  });
});
