import { readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { DiagnosedError, diagnose } from '../../kernel/diagnostic.ts';
import { asObject, type JsonObject, parseJson } from '../../kernel/json.ts';
import { secretParts } from '../../kernel/text/redact.ts';
import { safe } from '../../kernel/text/safe.ts';
import { onCancel, readFileBelow } from '../../machine.ts';
import type { Platform, RunContext, StepEnvironment } from '../../platform.ts';
import { createLog, mask } from './log.ts';
import { readWebhook } from './webhook.ts';

/** The most bytes of an event's payload: GitHub's own have 25 MB. */
const largestPayload = 64 * 1024 * 1024;

/** @throws a DiagnosedError if the file is too large, or could have no end */
function readPayload(path: string | undefined): JsonObject {
  if (path === undefined || path === '') return {};
  const details = statSync(path);
  if (!details.isFile() || details.size > largestPayload) {
    const text = safe`GITHUB_EVENT_PATH: the event's payload is not a file of at most 64 MiB. Remove what sets this variable.`;
    throw new DiagnosedError(diagnose('SD1110', text));
  }
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
    event: readWebhook({
      name: get('EVENT_NAME'),
      payload: readPayload(environment['GITHUB_EVENT_PATH']),
      sha: get('SHA'),
      refName: get('REF_NAME'),
      refType: get('REF_TYPE'),
      actor: get('ACTOR'),
    }),
    can: { recordsDeployments: true, readsPullRequests: true },
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

/** The text of an input as the runner gives it: `INPUT_NAME`, dashes kept. */
export const inputIn =
  (environment: StepEnvironment) =>
  (name: string): string | undefined =>
    environment[`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`];

/** The tokens that the runner gives an action for GitHub's own services. */
const jobTokens = (environment: StepEnvironment): string[] =>
  ['ACTIONS_RUNTIME_TOKEN', 'ACTIONS_ID_TOKEN_REQUEST_TOKEN']
    .map((name) => environment[name]?.trim() ?? '')
    .filter((token) => token !== '');

/**
 * Registers secrets with the runner, multi-line secrets by lines. The runner itself would mask every line of these, however
 * short, such as the `{` of a JSON key.
 */
function maskSecrets(secrets: readonly string[]): void {
  for (const part of secretParts(secrets)) if (!/[\r\n]/.test(part)) mask(part);
}

/** GitHub's runner. */
export const gitHub = (environment: StepEnvironment): Platform => ({
  started: Date.now(),
  input: inputIn(environment),
  environment,
  problems: [],
  secrets: jobTokens(environment),
  readContext: () => readContext(environment),
  readFile: (path) => readFileBelow(environment['GITHUB_WORKSPACE'] ?? '', path),
  onCancel,
  mask: maskSecrets,
  openLog: createLog,
  load: async () => (await import('./runner-files.ts')).runnerFiles(environment),
});
