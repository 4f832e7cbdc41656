import { accessOf } from '../frame/access.ts';
import type { Host } from '../frame/host.ts';
import type { Step } from '../frame/step.ts';
import { recordSealFor } from '../recording/record-seal.ts';
import type { DeployHistory } from '../release/history.ts';
import { openHistory } from './history.ts';
import type { HistoryFacts } from './read-gates.ts';
import type { Recorder } from './recorder.ts';
import type { DeployWork } from './work.ts';

/** Opens our records for a run that asks them. */
export function historyFor(
  facts: HistoryFacts,
  { values, record, sign }: DeployWork,
  { context }: Step<'deploy'>,
  recorder: Recorder,
  host: Host,
): DeployHistory {
  const access = accessOf(values, context);
  const seal = recordSealFor(values, context.repository);
  const { mark } = record.deployment ?? {};
  // A record that holds a claim is made when the preview is placed.
  const own = () => (sign === undefined ? recorder.beginDeployment() : recorder.recorded);
  const forgo = () => recorder.forgoDeployment();
  const place = () => facts.place;
  return openHistory({ ...facts, place, access, seal, mark, host, record: own, forgo });
}
