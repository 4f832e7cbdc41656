import { itemsOf } from '../../input-schemas.ts';
import type { Problem } from '../../kernel/diagnostic.ts';
import { fillTemplate } from '../../kernel/text/format.ts';
import { clean } from '../../kernel/text/safe.ts';
import { type CustomStatuses, foldStatus } from './status.ts';

/** Where progress is read, which the interface does not define: path templates by their keys in `service`. */
export const defaultPaths = {
  'deployment-status': '/v1/projects/{projectId}/deployments/{deploymentId}',
  'deployment-events': '/v1/projects/{projectId}/deployments/{deploymentId}/events',
  'message-events': '/v1/projects/{projectId}/messages/{messageId}/events',
} as const;

type PathKey = keyof typeof defaultPaths;

/** A line `key=value` of the input; without `=`, it has no key. */
interface Line {
  number: number;
  key: string;
  value: string;
}

const isOfPath = (line: Line): line is Line & { key: PathKey } =>
  Object.hasOwn(defaultPaths, line.key);

const isOfStatuses = (line: Line): line is Line & { key: keyof CustomStatuses } =>
  line.key === 'success' || line.key === 'failure';

/** The lines, numbered from 1; blank ones and those that start with `#` are skipped. */
const linesOf = (text: string): Line[] =>
  text.split(/\r\n|\r|\n/).flatMap((whole, index) => {
    const line = whole.trim();
    if (line === '' || line.startsWith('#')) return [];
    const end = line.indexOf('=');
    const [key, value] = end === -1 ? ['', ''] : [line.slice(0, end), line.slice(end + 1)];
    return [{ number: index + 1, key: key.trim(), value: value.trim() }];
  });

const statusesIn = ({ value }: Line): string[] =>
  itemsOf(value).filter((status) => foldStatus(status) !== '');

/** The first line by each name: that of a path, or a folded status. */
type FirstLines = ReadonlyMap<string, Line>;

/** A URL parser must take the path as it is, so that it leads nowhere else. */
function pathFaults({ key, number, value }: Line & { key: PathKey }, first: FirstLines): string[] {
  const earlier = first.get(key)?.number;
  if (earlier !== number) return [`${key} is already in line ${earlier}`];
  const id = key === 'message-events' ? 'messageId' : 'deploymentId';
  const base = 'http://service';
  const url = base + fillTemplate(value, { projectId: 'x', [id]: 'x' });
  const isPlain = /^\/[^/]/.test(value) && !/\.\.|[?#]/.test(value);
  if (isPlain && value.includes(`{${id}}`) && URL.parse(url)?.href === url) return [];
  return [
    `${key} must be a path such as ${defaultPaths[key]}: with {${id}}, without dot segments, query, fragment and host`,
  ];
}

function statusFaults(line: Line, first: FirstLines): string[] {
  const statuses = statusesIn(line);
  if (statuses.length === 0) {
    return [`${line.key} must be one or more statuses, with commas between them`];
  }
  return statuses.flatMap((status) => {
    const earlier = first.get(foldStatus(status)) ?? line;
    return earlier.key === line.key
      ? []
      : [`"${clean(status, 40)}" means ${earlier.key} in line ${earlier.number}`];
  });
}

function faultsOf(line: Line, first: FirstLines): string[] {
  if (isOfPath(line)) return pathFaults(line, first);
  if (isOfStatuses(line)) return statusFaults(line, first);
  return [
    'must begin with deployment-status=, deployment-events=, message-events=, success= or failure=',
  ];
}

/** Reads the input `service`: what is particular to a service, and what is wrong with each line. */
export function readService(text = '') {
  const lines = linesOf(text);
  const ofPaths = lines.filter(isOfPath);
  const ofStatuses = lines.filter(isOfStatuses);
  // No folded status is the key of a path, which has a hyphen.
  const named = [
    ...ofPaths.map((line) => [line.key, line] as const),
    ...ofStatuses.flatMap((line) =>
      statusesIn(line).map((status) => [foldStatus(status), line] as const),
    ),
  ];
  const first = new Map<string, Line>(named.toReversed());
  const statuses = (key: keyof CustomStatuses) =>
    ofStatuses.filter((line) => line.key === key).flatMap(statusesIn);
  const paths: Record<PathKey, string> = {
    ...defaultPaths,
    ...Object.fromEntries(ofPaths.map(({ key, value }) => [key, value])),
  };
  const customStatuses: CustomStatuses = {
    success: statuses('success'),
    failure: statuses('failure'),
  };
  const problems = lines.flatMap((line) =>
    faultsOf(line, first).map(
      (fault): Problem => ({
        input: 'service',
        code: 'SD1108',
        message: `line ${line.number}: ${fault}`,
      }),
    ),
  );
  return { paths, customStatuses, problems };
}
