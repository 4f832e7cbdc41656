import { z } from 'zod';
import { codePoints } from '../../../src/contract/limits.ts';
import type { Call, Handler } from '../operation.ts';
import { pageOf } from '../pages.ts';
import { invalid, notFound } from '../refusal.ts';
import type { World } from '../state/world.ts';

const longest = 65_536;
const resource = 'IssueComment';

/** The text of a request's comment. @throws a Refusal if there is none, or too much */
function textOf(body: unknown): string {
  const { body: text } = z.object({ body: z.string() }).parse(body);
  if (text.trim() === '') {
    throw invalid({ resource, code: 'custom', field: 'body', message: 'body cannot be blank' });
  }
  if (codePoints(text) > longest) {
    const message = `Body is too long (maximum is ${longest} characters)`;
    throw invalid({ resource, code: 'unprocessable', field: 'data', message });
  }
  return text;
}

const idIn = ({ parameters }: Call) => Number(parameters['comment_id']);

/** The operations on the comments of issues and pull requests. */
export function commentOperations(world: World) {
  const { comments } = world;
  const issueIn = ({ repository, parameters }: Call): number => {
    const key = `${repository}#${parameters['issue_number']}`;
    if (!world.pullRequests.has(key) && !world.issues.has(key)) throw notFound();
    return Number(parameters['issue_number']);
  };

  return {
    'issues/list-comments': (call) => {
      const since = Date.parse(call.query['since'] ?? '1970-01-01');
      const all = comments.of(call.repository, issueIn(call));
      const chosen = all.filter(({ updated_at }) => Date.parse(updated_at) >= since);
      return pageOf(world, call, chosen);
    },
    'issues/create-comment': (call) => {
      const number = issueIn(call);
      const written = { author: call.login, body: textOf(call.body) };
      const body = comments.add(call.repository, number, written);
      return { status: 201, headers: { location: body.url }, body };
    },
    'issues/get-comment': (call) => ({
      status: 200,
      body: comments.get(call.repository, idIn(call)),
    }),
    'issues/update-comment': (call) => {
      const found = comments.get(call.repository, idIn(call));
      Object.assign(found, { body: textOf(call.body), updated_at: world.now() });
      return { status: 200, body: found };
    },
    'issues/delete-comment': (call) => {
      comments.remove(call.repository, idIn(call));
      return { status: 204 };
    },
  } satisfies Record<string, Handler>;
}
