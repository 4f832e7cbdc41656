import type { Code } from '../kernel/code.ts';
import type { Mistake, Path, Position } from '../site-file/position.ts';
import { type CheckedProblem, checkZone } from './dns/check.ts';
import type { DeclaredRecord } from './dns/content.ts';
import { fullName } from './dns/name.ts';
import type { SiteConnectedDomain, SiteDomains, SiteRegisteredDomain } from './site-file.ts';

/** A connected domain as declared (section "Connected domains"). */
export interface DeclaredConnection {
  hostname: string;
  /** The project to assign it to; null: none; absent: unchanged. */
  projectId?: string | null | undefined;
}

/** A registered domain as declared (section "Registered domains"). What is absent is not changed. */
export interface DeclaredRegistration {
  /** In lower case and punycode. */
  name: string;
  renewal?: boolean | undefined;
  /** The project to bind it to; null: none. */
  projectId?: string | null | undefined;
  records?: readonly DeclaredRecord[] | undefined;
}

/** The domains that a site file declares. */
export interface DeclaredDomains {
  connections: readonly DeclaredConnection[];
  registrations: readonly DeclaredRegistration[];
}

/** The declared domains, with mistakes and notices. */
export interface DeclaredReading {
  declared: DeclaredDomains;
  mistakes: Mistake[];
  notices: string[];
}

/** Collects mistakes, each with its position in the file. */
class IssueCollector {
  readonly mistakes: Mistake[] = [];
  readonly notices: string[] = [];
  readonly #reported = new Set<string>();

  add({ line, column }: Position, code: Code, message: string): void {
    this.mistakes.push({ line, column, code, message });
  }

  /**
   * Adds the mistake of a record once for all aliases of its anchor.
   *
   * @param inside a position in the record, which aliases share
   */
  addOnce(inside: Position, { code, fault, message }: CheckedProblem, position: Position): void {
    const key = `${inside.line}:${inside.column} ${fault}`;
    if (!this.#reported.has(key)) this.add(position, code, message);
    this.#reported.add(key);
  }
}

/** The project of an entry; `self` is the one of the input `project-id`. */
function projectOf(
  { project, line, column }: SiteConnectedDomain | SiteRegisteredDomain,
  self: string | undefined,
  issues: IssueCollector,
): string | null | undefined {
  if (project !== 'self') return project;
  if (self === undefined) {
    issues.add({ line, column }, 'SD2006', 'project: self requires the input project-id');
  }
  return self;
}

function readRegistration(
  registration: SiteRegisteredDomain,
  { self, positionOf }: DeclaredContext,
  issues: IssueCollector,
): DeclaredRegistration {
  const { name: given, renewal, dns } = registration;
  const name = fullName(given, '@');
  const records = dns?.map(({ line, column, index, ...record }): DeclaredRecord => record);
  const { problems, notices } = checkZone(name, records ?? []);
  for (const problem of problems) {
    const { index, field } = problem;
    const path = ['registered-domains', given, 'dns', dns?.[index]?.index ?? index];
    const position = positionOf(field === undefined ? path : [...path, field]);
    issues.addOnce(positionOf([...path, 'type']), problem, position);
  }
  for (const notice of notices) issues.notices.push(notice);
  return { name, renewal, projectId: projectOf(registration, self, issues), records };
}

interface DeclaredContext {
  /** The input `project-id`. */
  self: string | undefined;
  positionOf: (path: Path) => Position;
}

/** Reads the domains that a site file declares, and all mistakes in them. It sends no request. */
export function readDeclaredDomains(
  { connectedDomains, registeredDomains }: SiteDomains,
  context: DeclaredContext,
): DeclaredReading {
  const issues = new IssueCollector();
  const connections = connectedDomains.map((one) => ({
    hostname: one.hostname,
    projectId: projectOf(one, context.self, issues),
  }));
  const registrations = registeredDomains.map((one) => readRegistration(one, context, issues));
  const current = new Set<string>();
  for (const [index, { name }] of registrations.entries()) {
    const position = registeredDomains[index];
    if (current.has(name) && position) {
      issues.add(position, 'SD2007', `${name} is declared twice, with different spellings`);
    }
    current.add(name);
  }
  const { mistakes, notices } = issues;
  return { declared: { connections, registrations }, mistakes, notices };
}
