import { describeTrouble, mayHaveReachedGitHub, StrangeAnswer } from '../github/errors.ts';
import { type ListedIssue, openIssues, type RepositoryIssues } from '../github/issues.ts';
import { digestOf } from '../kernel/change.ts';
import { accessOf, type KeyValues, type TokenValues } from '../step/access.ts';
import type { OpenStep } from '../step/open-step.ts';
import { startGracePeriod } from '../step/run-outcome.ts';
import { assemble, type CommentContext, readWritten } from './model/assemble.ts';
import { type IssueWrite, noDrift, planIssues } from './model/drift-issue.ts';
import { type MarkerSigner, readMarker } from './model/marker.ts';
import { commentSignerFor } from './run-comment.ts';

/** What a plan found, as an issue shows it. */
export interface DriftFinding {
  /** One issue for each key. */
  key: string;
  /** What differs, without values; false if nothing does. */
  facts: readonly unknown[] | false;
  title: string;
  render: (context: CommentContext) => string;
}

/**
 * Reports what a plan found as an issue, if it is to: opens, edits, closes or reopens the one of the key.
 *
 * @returns false if drift must fail the step: that is asked for, or the issue can't be written, which is a warning
 */
export async function reportDrift(
  { context, log, signal, warn }: Pick<OpenStep<unknown>, 'context' | 'log' | 'signal' | 'warn'>,
  values: KeyValues & TokenValues & { 'drift-issue': boolean; 'fail-on-drift': boolean },
  { key, facts, ...content }: DriftFinding,
): Promise<boolean> {
  if (!values['drift-issue']) return !values['fail-on-drift'];
  const { event, identity, repository, runUrl } = context;
  if (event.trust.code !== 'merged') {
    log.write({ kind: 'notice', text: 'No drift issue is written: the code is not merged.' });
    return true;
  }
  const drift = facts === false ? noDrift : digestOf(facts).slice(0, 32);
  const marker = { key, runId: identity.runId, runAttempt: identity.runAttempt, drift };
  // 0: an issue has no number before it is created.
  const signer = commentSignerFor(values, repository, 0);
  try {
    const issues = await openIssues(accessOf(values, context), startGracePeriod(signal).whole);
    const issue = await writeIssues(issues, { ...content, marker, signer, runUrl });
    if (issue !== undefined && facts !== false) {
      const text = issue.isOpen ? 'The drift is in' : 'Closed until the drift changes:';
      log.write({ kind: 'notice', text: `${text} ${issue.url}` });
    }
    return true;
  } catch (error) {
    const setting = 'fail-on-drift instead of drift-issue';
    warn(describeTrouble('write the drift issue', error, 'issues: write', setting));
    return false;
  }
}

/** The limit of lists: a response may be lost, and GitHub's list may lag behind a write. */
const mostLists = 5;

type IssueContext = Omit<DriftFinding, 'facts' | 'key'> & CommentContext & { signer: MarkerSigner };

/**
 * Writes what is to be written, and lists the issues again after it: another run may have created one at the same time.
 * Then both find the same lowest number. If GitHub's list lags, a later run closes what is doubled.
 *
 * @returns the issue of the key, if there is one
 */
async function writeIssues(
  issues: RepositoryIssues,
  context: IssueContext,
): Promise<ListedIssue | undefined> {
  const author = await issues.readAuthor();
  let created: ListedIssue | undefined;
  for (let lists = 1; ; lists += 1) {
    const existing = await findIssues(issues.list(author), created, context);
    const writes = planIssues(existing, context.marker);
    if (writes.length === 0 || lists === mostLists) return existing[0];
    for (const write of writes) {
      try {
        if (write.kind === 'create') {
          created = await issues.create(context.title, context.render(context));
        } else await issues.update(write.number, changeOf(write, context));
      } catch (error) {
        if (!mayHaveReachedGitHub(error) || lists === mostLists - 1) throw error;
      }
    }
    if (created !== undefined && created.author !== author) {
      // Another app's token, whose issue no later run would find.
      await issues.update(created.number, changeOf({ ...created, kind: 'none' }, context));
      throw new StrangeAnswer(
        `its author is ${created.author}, not ${author}. Leave github-token at its default`,
      );
    }
  }
}

/** The issues with our marker, and the one that this run created. */
async function findIssues(
  list: AsyncIterable<ListedIssue>,
  created: ListedIssue | undefined,
  { marker: { key }, signer }: IssueContext,
) {
  const existing = new Map<number, ListedIssue>();
  if (created !== undefined) existing.set(created.number, created);
  for await (const issue of list) {
    if (readMarker(issue.body, key) !== undefined) existing.set(issue.number, issue);
  }
  return [...existing.values()]
    .map((issue) => ({ ...issue, marker: readWritten(issue.body, key, signer)?.marker }))
    .toSorted((one, other) => one.number - other.number);
}

/** What a write sets an issue to. */
function changeOf(
  write: Exclude<IssueWrite, { kind: 'create' }>,
  { title, render, ...context }: IssueContext,
) {
  if (write.kind === 'drift') return { title, body: render(context), state: 'open' } as const;
  const quiet = { ...context, marker: { ...context.marker, drift: noDrift } };
  const isGone = write.kind === 'none';
  const words = isGone ? 'The service has what is declared.' : `Duplicate of #${write.of}.`;
  const state_reason = isGone ? 'completed' : 'duplicate';
  return { body: assemble(quiet, [words]), state: 'closed', state_reason } as const;
}
