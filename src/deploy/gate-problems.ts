import { isWhole } from '../contract/commit.ts';
import type { Values } from '../inputs.ts';
import type { Problem } from '../kernel/diagnostic.ts';

const refusal = (input: string, message: string): Problem => ({ input, code: 'SD1101', message });

const needsRecords = 'needs github-deployment: true';

/** What is wrong with the inputs that depend on earlier deployments. */
export function gateProblems({
  deploy,
  'commit-sha': given,
  'github-deployment': isRecorded,
}: Values<'deploy'>): Problem[] {
  const problems: Problem[] = [];
  if (given === 'PREVIOUS' && !isRecorded) {
    problems.push(refusal('commit-sha', `PREVIOUS ${needsRecords}`));
  }
  if (deploy === 'if-needed' && !isRecorded) {
    problems.push(refusal('deploy', `if-needed ${needsRecords}`));
  }
  if (deploy === 'if-needed' && given === 'HEAD') {
    const message = 'if-needed needs a commit that GitHub knows, but commit-sha is HEAD';
    problems.push(refusal('deploy', message));
  }
  return problems;
}

/** What is wrong with `on-failed-checks: roll-back`, which needs checks, records, and a commit in them. */
export function rollBackProblems(values: Values<'deploy'>, isChecked: boolean): Problem[] {
  const messages: string[] = [];
  if (values['on-failed-checks'] !== 'roll-back' || values.deploy === false) return [];
  if (!values['github-deployment']) messages.push(needsRecords);
  if (!isChecked) {
    messages.push('roll-back needs a check: set verify-url, or checks in the file of config');
  }
  if (values.wait === 'none') messages.push('roll-back needs a wait other than none');
  if (values['commit-sha'] === 'HEAD') {
    messages.push('roll-back needs a commit SHA, but commit-sha is HEAD: use 40 hex digits');
  }
  return messages.map((message) => refusal('on-failed-checks', message));
}

/** Why a commit that is given in part can't be looked up. */
export function searchProblems({
  'commit-sha': given,
  'github-token': token = '',
}: Values<'deploy'>): Problem[] {
  if (given === undefined || isWhole(given) || token !== '') return [];
  const message = "can't be resolved, because github-token is empty: use all 40 hex digits";
  return [{ input: 'commit-sha', code: 'SD1121', message }];
}
