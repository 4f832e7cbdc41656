import { describe, expect, test } from 'vitest';
import { event, head, pullRequest, push } from '../../../test/support/events.ts';
import { readWebhook } from './webhook.ts';

const bad = ['failure', 'cancelled', 'skipped', 'timed_out', 'action_required', 'neutral', 'stale'];

const reports: readonly [name: string, field: string, payload: (result: unknown) => object][] = [
  [
    'workflow_run',
    'workflow_run.conclusion',
    (conclusion) => ({ workflow_run: { event: 'push', head_sha: head, conclusion } }),
  ],
  ['check_run', 'check_run.conclusion', (conclusion) => ({ check_run: { conclusion } })],
  ['check_suite', 'check_suite.conclusion', (conclusion) => ({ check_suite: { conclusion } })],
  [
    'deployment_status',
    'deployment_status.state',
    (state) => ({ deployment_status: { state }, deployment: { sha: head } }),
  ],
  ['status', 'state', (state) => ({ state, sha: head })],
];

const reportedBy = (name: string, payload: object) =>
  readWebhook(event(name, { ...payload })).reported;

describe.each(reports)('%s reports a result', (name, field, payload) => {
  test.each(bad)('that is not a success: %s', (result) => {
    expect(reportedBy(name, payload(result))).toEqual({ field, result });
  });

  test('that is not there yet', () => {
    expect(reportedBy(name, payload(null))).toEqual({ field, result: undefined });
    expect(reportedBy(name, {})).toEqual({ field, result: undefined });
  });

  test('that is a success, of which nothing is said', () => {
    expect(reportedBy(name, payload('success'))).toBeUndefined();
  });
});

test.each([
  push(),
  event('schedule', {}),
  event('pull_request', { pull_request: pullRequest() }),
  event('deployment', { deployment: { sha: head } }),
])('$name reports none', (given) => {
  expect(readWebhook(given).reported).toBeUndefined();
});
