import { z } from 'zod';
import { hostname } from '../../emulator/service/domains/hostname.ts';
import { describeIssue, readDocument, suggestion } from '../../src/site-file/document.ts';
import { inOrder, showMistake } from '../../src/site-file/position.ts';
import { UsageError } from './usage-error.ts';

const text = z.string({ error: 'must be a string: put it in quotes' });
const projectName = z.string().min(1).max(100);

const project = z.strictObject({ variables: z.record(z.string().min(1), text).default({}) });

const dnsRecord = z.strictObject({
  type: z.string().min(1),
  name: z.string().min(1),
  content: text,
  ttl: z.int().min(0).optional(),
  priority: z.int().min(0).max(65_535).optional(),
  /** Why the system keeps it, so that no customer may change it. */
  managed: z.string().min(1).optional(),
});

const registeredDomain = z.strictObject({
  project: projectName.nullable().default(null),
  renewal: z.boolean().default(true),
  dns: z.array(dnsRecord).default([]),
});

const sections = {
  projects: z.record(
    projectName,
    project.nullable().transform((given) => given ?? { variables: {} }),
  ),
  'connected-domains': z.record(hostname, projectName.nullable()).default({}),
  'registered-domains': z
    .record(
      hostname,
      registeredDomain.nullable().transform((given) => given ?? registeredDomain.parse({})),
    )
    .default({}),
};

const shape = z.strictObject(sections);

/** What there is in a local world: projects by name, and the domains of each kind. */
export type WorldContents = z.output<typeof shape>;

/** The keys that a mapping may have, by how deep it stands and what its section is. */
function keysAt(path: readonly PropertyKey[]): readonly string[] {
  if (path.length === 0) return Object.keys(sections);
  if (path[0] === 'projects') return Object.keys(project.shape);
  return Object.keys((path.includes('dns') ? dnsRecord : registeredDomain).shape);
}

function unknownKey(key: string, path: readonly PropertyKey[]): string {
  const known = keysAt(path);
  const near = suggestion(key, known);
  return `unknown key "${key}"${near === '' ? `; allowed here: ${known.join(', ')}` : near}`;
}

/** Projects that a domain names and that are not there. */
function* unknownProjects(contents: WorldContents) {
  const names = Object.keys(contents.projects);
  const named = [
    ...Object.entries(contents['connected-domains']).map(
      ([host, name]) => [['connected-domains', host], name] as const,
    ),
    ...Object.entries(contents['registered-domains']).map(
      ([host, domain]) => [['registered-domains', host, 'project'], domain.project] as const,
    ),
  ];
  for (const [path, name] of named) {
    if (name === null || names.includes(name)) continue;
    yield {
      path,
      message: `no project "${name}" is listed under projects${suggestion(name, names)}`,
    };
  }
}

/**
 * Reads a world file.
 *
 * @param file its path, for the error
 * @throws UsageError that names the line and the key of everything that is wrong
 */
export function readContents(source: string, file: string): WorldContents {
  const document = readDocument(source);
  const refuse = (mistakes: Parameters<typeof inOrder>[0]) => {
    const lines = inOrder(mistakes, []).map((mistake) => `${file}, ${showMistake(mistake)}`);
    throw new UsageError(lines.join('\n'));
  };
  if (document.mistakes.length > 0) refuse(document.mistakes);
  if (document.value === null) {
    refuse([{ ...document.positionOf([]), message: 'the file is empty: list projects in it' }]);
  }
  const result = shape.safeParse(document.value, { error: describeIssue });
  if (!result.success) {
    const mistakes = result.error.issues.flatMap((issue) => {
      if (issue.code === 'unrecognized_keys') {
        return issue.keys.map((key) => ({
          ...document.keyPositionOf([...issue.path, key]),
          message: unknownKey(key, issue.path),
        }));
      }
      const place = issue.code === 'invalid_key' ? document.keyPositionOf : document.positionOf;
      const [cause] = issue.code === 'invalid_key' ? issue.issues : [issue];
      return [{ ...place(issue.path), message: keyed(issue.path, cause?.message ?? '') }];
    });
    return refuse(mistakes);
  }
  const unknown = [...unknownProjects(result.data)];
  if (unknown.length > 0) {
    refuse(
      unknown.map(({ path, message }) => ({
        ...document.positionOf(path),
        message: keyed(path, message),
      })),
    );
  }
  if (Object.keys(result.data.projects).length === 0) {
    refuse([
      {
        ...document.positionOf(['projects']),
        message: keyed(['projects'], 'must list a project, such as `site: {}`'),
      },
    ]);
  }
  return result.data;
}

const keyed = (path: readonly PropertyKey[], message: string) =>
  path.length === 0 ? message : `${path.join(' › ')}: ${message}`;
