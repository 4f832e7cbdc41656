import type { Environment } from '../../contract/environment.ts';
import { syncEnvironment } from '../environment/sync.ts';
import { EarlyEnd } from '../host.ts';
import type { Run } from './context.ts';

/** Syncs the variables. Gives the metadata as last seen; a conflict ends the run. */
export async function syncVariables(run: Run, observed: Environment): Promise<Environment> {
  const { client, host, request, report } = run;
  const { variables, onConflict: policy } = request;
  const { projectId } = report;
  const end = await syncEnvironment(client, host, { projectId, observed, variables, policy });
  report.environment = end.result;
  if (end.error !== undefined) throw end.error;
  const { ambiguous } = end.result;
  const conflicts = end.result.variables.filter(({ outcome }) => outcome === 'conflict');
  if (ambiguous.length + conflicts.length === 0) return end.environment;
  const told = [...ambiguous, ...conflicts].map(({ name, reason }) => `${name} ${reason}`);
  const what = told.length === 1 ? 'a conflict' : 'conflicts';
  const advice =
    conflicts.length === 0
      ? 'Settle it on the service, and run the job again.'
      : 'Settle it on the service, or set env-on-conflict to overwrite or keep, and run the job again.';
  const message = `Nothing was deployed, because of ${what}: ${told.join('; ')}. ${advice}`;
  throw new EarlyEnd('conflict', message);
}
