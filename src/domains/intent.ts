import type { Code } from '../kernel/code.ts';
import type { Mistake, Path, Position } from '../site-file/position.ts';
import { type CheckedProblem, checkZone } from './dns/check.ts';
import { fullName } from './dns/name.ts';
import type { DeclaredRecord } from './dns/record.ts';
import type {
  SiteConnectedDomain,
  SiteDnsRecord,
  SiteDomains,
  SiteProject,
  SiteRegisteredDomain,
} from './site-file.ts';

/** A domain that must be connected (section "Connected domains"). */
export interface DeclaredConnection {
  hostname: string;
  /** The project that it must be assigned to; null: to none; absent: left alone. */
  projectId?: string | null;
}

/** What a registered domain must be (section "Registered domains"). What is absent is left alone. */
export interface DeclaredRegistration {
  /** In lower case and punycode. */
  name: string;
  renewal?: boolean;
  /** The project that it must be bound to; null: to none. */
  projectId?: string | null;
  records?: readonly DeclaredRecord[];
}

/** The domains that a site file declares. */
export interface DeclaredDomains {
  connections: readonly DeclaredConnection[];
  registrations: readonly DeclaredRegistration[];
}

/** What reading the declaration found beside it. */
export interface DeclaredReading {
  declared: DeclaredDomains;
  mistakes: Mistake[];
  notices: string[];
}

/** Gathers what is wrong, each with its place in the file. */
class DeclaredFindings {
  readonly mistakes: Mistake[] = [];
  readonly notices: string[] = [];
  readonly #told = new Set<string>();

  add({ line, column }: Position, code: Code, message: string): void {
    this.mistakes.push({ line, column, code, message });
  }

  /**
   * The same for a record, once for all aliases of its anchor.
   *
   * @param inside a place in the record, which aliases share
   */
  addOnce(inside: Position, { code, fault, message }: CheckedProblem, place: Position): void {
    const key = `${inside.line}:${inside.column} ${fault}`;
    if (!this.#told.has(key)) this.add(place, code, message);
    this.#told.add(key);
  }
}

/** The project of an entry; `self` is the one of the input `project-id`. */
function projectOf(
  project: SiteProject | undefined,
  self: string | undefined,
  place: Position,
  findings: DeclaredFindings,
): { projectId?: string | null } {
  if (project === undefined) return {};
  if (project !== 'self') return { projectId: project };
  if (self !== undefined) return { projectId: self };
  findings.add(place, 'SD2006', 'project: self needs the input project-id');
  return {};
}

function readConnection(
  { hostname, project, ...place }: SiteConnectedDomain,
  self: string | undefined,
  findings: DeclaredFindings,
): DeclaredConnection {
  return { hostname, ...projectOf(project, self, place, findings) };
}

const withoutPlace = ({ line, column, index, ...record }: SiteDnsRecord): DeclaredRecord => record;

function readRegistration(
  { name: given, renewal, project, dns, line, column }: SiteRegisteredDomain,
  { self, positionOf }: DeclaredContext,
  findings: DeclaredFindings,
): DeclaredRegistration {
  const name = fullName(given, '@');
  const records = dns?.map(withoutPlace);
  const { problems, notices } = checkZone(name, records ?? []);
  for (const problem of problems) {
    const { index, field } = problem;
    const path = ['registered-domains', given, 'dns', dns?.[index]?.index ?? index];
    const place = positionOf(field === undefined ? path : [...path, field]);
    findings.addOnce(positionOf([...path, 'type']), problem, place);
  }
  for (const notice of notices) findings.notices.push(notice);
  return {
    name,
    ...(renewal === undefined ? {} : { renewal }),
    ...projectOf(project, self, { line, column }, findings),
    ...(records === undefined ? {} : { records }),
  };
}

/** What a declaration is read with. */
export interface DeclaredContext {
  /** The input `project-id`. */
  self: string | undefined;
  positionOf: (path: Path) => Position;
}

/** Reads which domains a site file declares, and everything that is wrong with them. Nothing is asked. */
export function readDeclaredDomains(
  { connectedDomains, registeredDomains }: SiteDomains,
  context: DeclaredContext,
): DeclaredReading {
  const findings = new DeclaredFindings();
  const connections = connectedDomains.map((one) => readConnection(one, context.self, findings));
  const registrations = registeredDomains.map((one) => readRegistration(one, context, findings));
  const seen = new Set<string>();
  for (const [index, { name }] of registrations.entries()) {
    const place = registeredDomains[index];
    if (seen.has(name) && place) {
      findings.add(place, 'SD2007', `${name} is given twice, in two spellings`);
    }
    seen.add(name);
  }
  const { mistakes, notices } = findings;
  return { declared: { connections, registrations }, mistakes, notices };
}
