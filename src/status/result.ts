import type { ConnectedDomain } from '../contract/connected-domain.ts';
import type { Environment } from '../contract/environment.ts';
import { assignedTo } from '../domains/evaluate.ts';
import { type ConnectedReport, reportConnected } from '../domains/result.ts';
import type { CustomStatuses } from '../follow/model/status.ts';
import type { SafeText, Sanitize } from '../kernel/text/safe.ts';
import type { RunReport } from '../report/closing.ts';
import type { StatusOutputs } from './outputs.ts';

/** The value of an output whose texts are safe to show. */
type Shown<Value> = Value extends object
  ? { [Key in keyof Value]: Shown<Value[Key]> }
  : string extends Value
    ? SafeText
    : Value;

/** Something that can't be known, and why. */
export type Unknown = NonNullable<Shown<StatusOutputs['unknown']>>[number];

/** The variables of a project, the last changed first. */
export type VariablesStatus = NonNullable<Shown<StatusOutputs['variables']>>;

/** A preview that is not known to have ended. */
export type PreviewStatus = NonNullable<Shown<StatusOutputs['previews']>>[number];

/** What is known of a project; a field is undefined if it could not be read. */
export interface StatusState {
  live?: NonNullable<Shown<StatusOutputs['live']>> | undefined;
  variables?: VariablesStatus;
  domains?: readonly ConnectedReport[];
  previews?: readonly PreviewStatus[];
  unknown: readonly Unknown[];
}

/** The report of the command `status`. */
export interface StatusReport extends RunReport, StatusState {}

/** The variables as the service shows them. Fields that it leaves out are undefined. */
export function variablesStatus(
  { variables, production, preview }: Environment,
  clean: Sanitize,
): VariablesStatus {
  // Times in UTC are in the order of their texts.
  const newest = variables.toSorted((one, other) =>
    (other.updatedAt ?? '').localeCompare(one.updatedAt ?? ''),
  );
  return {
    pending: production?.pending ?? undefined,
    stale: preview?.stale ?? undefined,
    list: newest.map((variable) => ({
      name: clean(variable.name),
      production: variable.production,
      preview: variable.preview,
      'updated-at': clean(variable.updatedAt ?? '') || undefined,
    })),
  };
}

/** The connected domains of a project, and those of no project that are not verified: they may be meant for it. */
export function domainsStatus(
  all: readonly ConnectedDomain[],
  { projectId, customStatuses }: { projectId: string; customStatuses: CustomStatuses },
  clean: Sanitize,
): ConnectedReport[] {
  const byName = new Map(all.map((domain) => [clean(domain.hostname), domain]));
  const connections = [...byName.keys()].map((hostname) => ({ declared: { hostname } }));
  return reportConnected({ connections }, byName, clean, customStatuses).filter((domain) =>
    domain.projectId === '' ? domain.verification !== 'good' : domain.projectId === projectId,
  );
}

/** A preview with the domains that its project has now. */
export function withHostnames(
  preview: PreviewStatus,
  all: readonly ConnectedDomain[],
  clean: Sanitize,
): PreviewStatus {
  const { 'project-id': projectId } = preview;
  if (projectId === undefined) return preview;
  const own = all.filter((domain) => assignedTo(domain) === projectId);
  return { ...preview, hostnames: own.map(({ hostname }) => clean(hostname)) };
}
