import { Ajv, type ValidateFunction } from 'ajv';
import type { Match, OperationId } from './description.ts';
import type { GitHubRequest, Reply } from './exchange.ts';
import description from './openapi.json' with { type: 'json' };

const formats = {
  uri: (text: string) => URL.canParse(text),
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  email: /^\S+@\S+$/,
  int64: true,
  'repo.nwo': /^[\w.-]+\/[\w.-]+$/,
} as const;

const json = new Ajv({ strict: false, allErrors: true, formats });
/** For paths and queries, where every value is text. */
const text = new Ajv({ strict: false, allErrors: true, coerceTypes: true, formats });
for (const ajv of [json, text]) ajv.addSchema(description, 'github');

/** The check that is described at `place`, if one is; a place is `answers/201`. */
function checkAt(ajv: Ajv, operationId: OperationId, place: string): ValidateFunction | undefined {
  return ajv.getSchema(`github#/operations/${operationId.replaceAll('/', '~1')}/${place}`);
}

function problems(check: ValidateFunction | undefined, value: unknown, name: string): string[] {
  if (check === undefined || check(value)) return [];
  return (check.errors ?? []).map(({ instancePath, message, params }) => {
    const extra = 'additionalProperty' in params ? ` (${params['additionalProperty']})` : '';
    return `${name}${instancePath} ${message}${extra}`;
  });
}

/**
 * What GitHub's description does not allow in a request: in its path, its query or its body. What it does not
 * mention counts too: GitHub ignores it, so that it can only be a mistake.
 */
export function requestProblems(
  { operationId, parameters }: Match,
  { query, body }: GitHubRequest,
): string[] {
  const described = description.operations[operationId].body !== null;
  return [
    ...problems(checkAt(text, operationId, 'pathParameters'), { ...parameters }, 'path'),
    ...problems(checkAt(text, operationId, 'query'), { ...query }, 'query'),
    ...(described ? problems(checkAt(json, operationId, 'body'), body, 'body') : []),
    ...(!described && body !== undefined
      ? ['this operation has no body in the OpenAPI description']
      : []),
  ];
}

/**
 * What GitHub's description does not allow in an answer. An error page in HTML, and an error whose status is
 * not described, pass: the description leaves most of the errors out.
 */
export function answerProblems(operationId: OperationId, { status, body }: Reply): string[] {
  const { answers } = description.operations[operationId];
  if (!(status in answers))
    return status < 400 ? [`the OpenAPI description has no status ${status}`] : [];
  if (typeof body === 'string') return [];
  const check = checkAt(json, operationId, `answers/${status}`);
  return problems(check, body, `answer ${status}`);
}
