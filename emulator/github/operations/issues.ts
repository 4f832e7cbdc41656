import { z } from 'zod';
import { codePoints } from '../../../src/contract/limits.ts';
import { asIssue, type Issue, type StateReason, shownIssue } from '../objects/issue.ts';
import type { Call, Handler } from '../operation.ts';
import { pageOf } from '../pages.ts';
import { invalid, notFound, RequestRefusal } from '../refusal.ts';
import type { World } from '../state/world.ts';

const longest = { title: 256, body: 65_536 };

const creation = z.object({ title: z.string(), body: z.string().default('') });

const change = z.object({
  title: z.string().optional(),
  body: z.string().nullable().optional(),
  state: z.enum(['open', 'closed']).optional(),
  state_reason: z
    .enum(['completed', 'not_planned', 'duplicate', 'reopened'])
    .nullable()
    .default(null),
});

/** What an issue may change to. */
export type IssueChange = z.input<typeof change>;

/** @throws a Refusal for a blank title, or a text that is too long */
function checkTexts({ title, body }: { title: string; body: string | null }): void {
  if (title.trim() === '') {
    throw invalid({ resource: 'Issue', code: 'missing_field', field: 'title' });
  }
  for (const [field, text] of Object.entries({ title, body: body ?? '' })) {
    const most = field === 'title' ? longest.title : longest.body;
    if (codePoints(text) <= most) continue;
    const message = `${field} is too long (maximum is ${most} characters)`;
    throw invalid({ resource: 'Issue', code: 'custom', field, message });
  }
}

/** Changes an issue as GitHub does. Its reason counts only if its state changes. */
export function changeIssue(world: World, issue: Issue, given: IssueChange, login: string): void {
  const { title = issue.title, body = issue.body, state, state_reason } = change.parse(given);
  checkTexts({ title, body });
  Object.assign(issue, { title, body, updatedAt: world.now() });
  if (state === undefined || state === issue.state) return;
  const usual: StateReason = state === 'open' ? 'reopened' : 'completed';
  const reason = state === 'open' ? usual : (state_reason ?? usual);
  Object.assign(issue, { state, reason, closedBy: state === 'open' ? null : login });
}

/** The operations on issues. */
export function issueOperations(world: World) {
  const countComments = (repository: string, number: number): number =>
    world.comments.of(repository, number).length;
  const shown = (repository: string, issue: Issue) =>
    shownIssue(world.api, repository, issue, countComments(repository, issue.number));
  const requireIssues = ({ repository }: Call): void => {
    if (!world.withoutIssues.has(repository)) return;
    throw new RequestRefusal(410, 'Issues are disabled for this repo');
  };

  return {
    'issues/list-for-repo': (call) => {
      const { repository, query } = call;
      // With issues turned off, pull requests are still listed.
      const own = world.withoutIssues.has(repository) ? [] : world.issues.of(repository);
      const all = [
        ...own.map((one) => shown(repository, one)),
        ...world
          .pullRequestsOf(repository)
          .map((one) => asIssue(world.api, repository, one, countComments(repository, one.number))),
      ];
      const { state = 'open', creator, direction = 'desc' } = query;
      const chosen = all
        .filter((one) => state === 'all' || one.state === state)
        .filter(({ user }) => creator === undefined || user.login === creator)
        .sort((a, b) => (direction === 'asc' ? a.number - b.number : b.number - a.number));
      return pageOf(world, call, chosen);
    },
    'issues/create': (call) => {
      requireIssues(call);
      const given = creation.parse(call.body);
      checkTexts(given);
      const issue = world.issues.open(call.repository, { author: call.login, ...given });
      const body = shown(call.repository, issue);
      return { status: 201, headers: { location: body.url }, body };
    },
    'issues/update': (call) => {
      requireIssues(call);
      const found = world.issues.get(`${call.repository}#${call.parameters['issue_number']}`);
      if (found === undefined) throw notFound();
      changeIssue(world, found, call.body as IssueChange, call.login);
      return { status: 200, body: shown(call.repository, found) };
    },
  } satisfies Record<string, Handler>;
}
