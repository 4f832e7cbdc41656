import type { Tokens } from './access.ts';
import type { ReceivedRequest, Reply } from './exchange.ts';
import { failure, RequestRefusal } from './refusal.ts';
import type { ServedRepositories } from './served.ts';

const route = /^\/repos\/([^/]+\/[^/]+)\/actions\/workflows\/([\w.-]+\.ya?ml)\/schedule$/;

/**
 * What GitHub itself has no request for: a schedule whose time has come. Undefined for any other request.
 */
export async function answerSchedule(
  { method, path, headers }: ReceivedRequest,
  tokens: Tokens,
  served: ServedRepositories,
): Promise<Reply | undefined> {
  const [, repository = '', workflow = ''] = route.exec(path) ?? [];
  if (method !== 'POST' || repository === '') return undefined;
  const [, token = ''] = /^(?:token|bearer) (.+)$/i.exec(headers.authorization ?? '') ?? [];
  if (tokens.of(token)?.permissions !== 'all') {
    return failure({ status: 401, message: 'Requires authentication' });
  }
  try {
    await served.startSchedule(repository, workflow, '');
    return { status: 204 };
  } catch (error) {
    if (error instanceof RequestRefusal) return failure(error);
    throw error;
  }
}
