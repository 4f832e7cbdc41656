import { describeTrouble, mayHaveReachedGitHub, StrangeAnswer } from '../github/errors.ts';
import {
  type IssueText,
  type ListedIssue,
  openIssues,
  type RepositoryIssues,
} from '../github/issues.ts';
import { digestOf } from '../kernel/change.ts';
import { accessOf, type KeyValues, type TokenValues } from '../step/access.ts';
import type { OpenStep } from '../step/open-step.ts';
import { startGracePeriod } from '../step/run-outcome.ts';
import { assemble, type CommentContext, readWritten } from './model/assemble.ts';
import { type IssueWrite, noDrift, planIssues } from './model/drift-issue.ts';
import { type MarkerSigner, type Planner, planKey, readMarker } from './model/marker.ts';
import { commentSignerFor } from './run-comment.ts';

/** What a plan found. */
export interface DriftFinding {
  action: Exclude<Planner, 'deploy'>;
  /** One issue for each action and key. */
  key: string;
  /** What differs, without values; undefined if nothing does. */
  facts: readonly unknown[] | undefined;
  /** The title of the issue. */
  title: string;
  /** Its text, if something differs. */
  render: (context: CommentContext) => string;
}

/**
 * Reports drift as an issue: opens, edits, closes or reopens the one of the finding's key.
 *
 * @returns false if it can't be written, which is a warning
 */
export async function writeDriftIssue(
  { context, log, signal, warn }: Pick<OpenStep<unknown>, 'context' | 'log' | 'signal' | 'warn'>,
  values: KeyValues & TokenValues,
  finding: DriftFinding,
): Promise<boolean> {
  const { event, identity, repository, runUrl } = context;
  if (event.trust.code !== 'merged') {
    log.write({ kind: 'notice', text: 'No drift issue is written: the code is not merged.' });
    return true;
  }
  const { action, facts } = finding;
  const drift = facts === undefined ? noDrift : digestOf(facts).slice(0, 32);
  const { runId, runAttempt } = identity;
  const marker = { key: planKey(action, finding.key), runId, runAttempt, drift };
  // 0: an issue has no number before it is created.
  const signer = commentSignerFor(values, repository, 0);
  const access = accessOf(values, context);
  try {
    const { title, render } = finding;
    const content = { title, render, marker, signer, runUrl };
    const issues = await openIssues(access, startGracePeriod(signal).whole);
    const issue = await settleIssues(issues, content);
    if (issue !== undefined && facts !== undefined) {
      const text = issue.isOpen ? 'The drift is in' : 'Closed until the drift changes:';
      log.write({ kind: 'notice', text: `${text} ${issue.url}` });
    }
    return true;
  } catch (error) {
    const doing = 'write the drift issue';
    warn(describeTrouble(doing, error, 'issues: write', 'fail-on-drift instead of drift-issue'));
    return false;
  }
}

/** The limit of rounds: a response may be lost, and GitHub's list may lag behind a write. */
const mostRounds = 4;

interface IssueContext extends CommentContext, Pick<DriftFinding, 'render' | 'title'> {
  signer: MarkerSigner;
}

/**
 * Writes what is to be written, and lists the issues again after it: another run may have created one at the same time.
 * Then both find the same lowest number. If GitHub's list lags, a later run closes what is doubled.
 *
 * @returns the issue of the key, if there is one
 */
async function settleIssues(
  issues: RepositoryIssues,
  context: IssueContext,
): Promise<ListedIssue | undefined> {
  const author = await issues.readAuthor();
  let created: ListedIssue | undefined;
  let lost: unknown;
  for (let round = 0; ; round += 1) {
    const ours = await findIssues(issues.list(author), created, context);
    const writes = planIssues(ours, context.marker);
    if (round === mostRounds && lost !== undefined) throw lost;
    if (writes.length === 0 || round === mostRounds) return ours[0];
    lost = undefined;
    for (const write of writes) {
      try {
        if (write.kind !== 'create') await issues.update(write.number, textOf(write, context));
        else created = await issues.create(context.title, context.render(context));
      } catch (error) {
        if (!mayHaveReachedGitHub(error)) throw error;
        lost = error;
      }
    }
    if (created !== undefined && created.author !== author) {
      await refuseAuthor(issues, created, context);
    }
  }
}

/** The issues with our marker, and the one that this run created: GitHub's list may lag. */
async function findIssues(
  list: AsyncIterable<ListedIssue>,
  created: ListedIssue | undefined,
  { marker: { key }, signer }: IssueContext,
) {
  const ours = new Map<number, ListedIssue>();
  if (created !== undefined) ours.set(created.number, created);
  for await (const issue of list) {
    if (readMarker(issue.body, key) !== undefined) ours.set(issue.number, issue);
  }
  return [...ours.values()]
    .map((issue) => ({ ...issue, marker: readWritten(issue.body, key, signer)?.marker }))
    .toSorted((one, other) => one.number - other.number);
}

/** What an issue is set to. */
function textOf(
  write: Exclude<IssueWrite, { kind: 'create' }>,
  { title, render, ...context }: IssueContext,
): IssueText {
  if (write.kind === 'drift') return { title, body: render(context), state: 'open' };
  const quiet = { ...context, marker: { ...context.marker, drift: noDrift } };
  const [state_reason, words] =
    write.kind === 'none'
      ? (['completed', 'Nothing drifts any more: the service has what is declared.'] as const)
      : (['duplicate', `Duplicate of #${write.of}.`] as const);
  return { body: assemble(quiet, [words]), state: 'closed', state_reason };
}

/** No later run would find an issue of another app's token: its author is known only once it is created. */
async function refuseAuthor(
  issues: RepositoryIssues,
  { number, author }: ListedIssue,
  context: IssueContext,
): Promise<never> {
  const { body } = textOf({ kind: 'none', number }, context);
  await issues.update(number, { body, state: 'closed', state_reason: 'not_planned' });
  throw new StrangeAnswer(`its author is ${author}. Use the job's own token or a user's`);
}
