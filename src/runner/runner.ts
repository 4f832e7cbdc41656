import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { WorkflowEvent } from '../kernel/event.ts';
import { asObject, parseJson } from '../kernel/json.ts';
import { secretParts } from '../kernel/text/redact.ts';
import type { RunContext, StepEnvironment } from '../platform.ts';
import { mask } from './log.ts';

function readPayload(path: string | undefined): WorkflowEvent['payload'] {
  if (path === undefined || path === '') return {};
  return asObject(parseJson(readFileSync(path, 'utf8'))) ?? {};
}

/** A server of one's own has the action's pages only if the action was copied to it under the same name. */
function troubleshootingUrl(
  serverUrl: string,
  repository: string,
  ref: string,
): string | undefined {
  const isKnown = serverUrl === 'https://github.com' && /^\w[\w.-]*\/\w[\w.-]*$/.test(repository);
  if (!isKnown || ref === '') return undefined;
  return `${serverUrl}/${repository}/blob/${ref}/docs/troubleshooting.md`;
}

/** Reads what the runner reports about the run, from the step's environment. */
export function readContext(environment: StepEnvironment): RunContext {
  const get = (name: string) => environment[`GITHUB_${name}`] ?? '';
  const repository = get('REPOSITORY');
  const serverUrl = get('SERVER_URL') || 'https://github.com';
  const [job, step] = [get('JOB'), get('ACTION')];
  const help = troubleshootingUrl(serverUrl, get('ACTION_REPOSITORY'), get('ACTION_REF'));
  let nonce: string | undefined;
  return {
    repository,
    workspace: get('WORKSPACE'),
    temp: environment['RUNNER_TEMP'] || tmpdir(),
    apiUrl: get('API_URL') || 'https://api.github.com',
    serverUrl,
    runUrl: `${serverUrl}/${repository}/actions/runs/${get('RUN_ID')}/attempts/${get('RUN_ATTEMPT')}`,
    ...(help !== undefined && { troubleshootingUrl: help }),
    refName: get('REF_NAME'),
    event: {
      name: get('EVENT_NAME'),
      payload: readPayload(environment['GITHUB_EVENT_PATH']),
      sha: get('SHA'),
      actor: get('ACTOR'),
    },
    identity: {
      repository,
      runId: get('RUN_ID'),
      runAttempt: get('RUN_ATTEMPT'),
      job,
      step,
      // Created with the first key: it loads Node's crypto module, which read-only runs don't need.
      get nonce() {
        nonce ??= crypto.randomUUID();
        return nonce;
      },
    },
  };
}

/**
 * Registers secrets with the runner, multi-line secrets by lines. The runner itself would mask every line of these, however
 * short, such as the `{` of a JSON key.
 */
export function maskSecrets(secrets: readonly string[]): void {
  for (const part of secretParts(secrets)) if (!/[\r\n]/.test(part)) mask(part);
}

/** The signals with which the runner cancels a step; Node calls CTRL_BREAK of Windows SIGBREAK. */
const cancelSignals = ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const;

/**
 * Calls back once on the first signal with which the runner cancels a step. Later ones are ignored, so that the
 * report can be finished.
 *
 * @returns a function that stops listening
 */
export function onCancel(callback: (signal: NodeJS.Signals) => void): () => void {
  let called = false;
  const listen = (signal: NodeJS.Signals) => {
    if (!called) callback(signal);
    called = true;
  };
  for (const signal of cancelSignals) process.on(signal, listen);
  return () => {
    for (const signal of cancelSignals) process.off(signal, listen);
  };
}
