import { isProjectId } from '../contract/limits.ts';
import type { Hostname, ProjectId } from '../contract/safe-text.ts';
import { type SafeText, unsafeText } from '../kernel/text/safe.ts';
import type { Mistake, Path, Position } from '../site-file/position.ts';
import { checkZone } from './dns/check.ts';
import type { DeclaredRecord } from './dns/content.ts';
import { fullName } from './dns/name.ts';
import type { SiteConnectedDomain, SiteDomains, SiteRegisteredDomain } from './site-file.ts';

/** A connected domain as declared (section "Connected domains"). */
export interface DeclaredConnection {
  hostname: Hostname;
  /** The project to assign it to; null: none; absent: unchanged. */
  projectId?: ProjectId | null | undefined;
}

/** A registered domain as declared (section "Registered domains"). What is absent is not changed. */
export interface DeclaredRegistration {
  /** In lower case and punycode. */
  name: SafeText;
  renewal?: boolean | undefined;
  /** The project to bind it to; null: none. */
  projectId?: ProjectId | null | undefined;
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

/**
 * Reads the domains that a site file declares, and all mistakes in them. It sends no request.
 *
 * @param context `self`: the input `project-id`
 */
export function readDeclaredDomains(
  { connectedDomains, registeredDomains }: SiteDomains,
  { self, positionOf }: { self: ProjectId | undefined; positionOf: (path: Path) => Position },
): DeclaredReading {
  const mistakes: Mistake[] = [];
  const notices: string[] = [];
  const projectOf = ({ project, line, column }: SiteConnectedDomain | SiteRegisteredDomain) => {
    if (project === undefined || project === null || isProjectId(project)) return project;
    const message = 'project: self requires the input project-id';
    if (self === undefined) mistakes.push({ line, column, code: 'SD2006', message });
    return self;
  };
  const connections = connectedDomains.map((one) => ({
    hostname: one.hostname,
    projectId: projectOf(one),
  }));

  const registrations: DeclaredRegistration[] = [];
  const names = new Set<string>();
  // Aliases of an anchor share the position of its record, whose mistakes are reported once.
  const reported = new Set<string>();
  for (const registration of registeredDomains) {
    const { name: given, renewal, dns } = registration;
    const name = unsafeText(fullName(given, '@'));
    const records = dns?.map(({ line, column, index, ...record }): DeclaredRecord => record);
    const zone = checkZone(name, records ?? []);
    for (const { index, field, fault, code, message } of zone.problems) {
      const path = ['registered-domains', given, 'dns', dns?.[index]?.index ?? index];
      const { line, column } = positionOf(field === undefined ? path : [...path, field]);
      const inside = positionOf([...path, 'type']);
      const key = `${inside.line}:${inside.column} ${fault}`;
      if (!reported.has(key)) mistakes.push({ line, column, code, message });
      reported.add(key);
    }
    notices.push(...zone.notices);
    registrations.push({ name, renewal, projectId: projectOf(registration), records });
    if (names.has(name)) {
      const { line, column } = registration;
      const message = `${name} is declared twice, with different spellings`;
      mistakes.push({ line, column, code: 'SD2007', message });
    }
    names.add(name);
  }
  return { declared: { connections, registrations }, mistakes, notices };
}
