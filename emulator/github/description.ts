import { URLPattern } from 'node:url';
import description from './openapi.json' with { type: 'json' };

/** GitHub's name of an operation that the stand-in answers: `issues/create-comment`. */
export type OperationId = keyof typeof description.operations;

/** Where a method and a path lead. */
export type Match = {
  operationId: OperationId;
  /** What stands for each placeholder of the path, decoded: `owner`, `repo`, `issue_number`. */
  parameters: Readonly<Record<string, string>>;
};

const operations = (Object.keys(description.operations) as OperationId[]).map((operationId) => {
  const { method, path } = description.operations[operationId];
  const pathname = path.replaceAll(/\{(\w+)\}/g, ':$1');
  return { operationId, method, pattern: new URLPattern({ pathname }) };
});

/** Finds the operation that is described for a method and a path. */
export function matchOperation(method: string, path: string): Match | undefined {
  for (const { operationId, pattern, ...described } of operations) {
    const match = described.method === method ? pattern.exec({ pathname: path }) : null;
    if (match === null) continue;
    const groups = Object.entries(match.pathname.groups);
    const decoded = groups.map(([name, value = '']) => [name, decodeURIComponent(value)]);
    return { operationId, parameters: Object.fromEntries(decoded) };
  }
  return undefined;
}

/** The page of GitHub's documentation on an operation. */
export function documentationOf(operationId: OperationId): string {
  return description.operations[operationId].documentation;
}
