import { expect, test } from 'vitest';
import { readWebhook } from '../github/runner/webhook.ts';
import { type SubjectFacts, subjectOf } from './describe-subject.ts';

const projectId = '2f2227dd-fe4b-4ee0-8363-d76f03da5a89';
const contextOf = (name: string): SubjectFacts['context'] => ({
  event: readWebhook({ name, payload: {}, sha: '', refName: '', refType: '', actor: '' }),
  serverUrl: 'https://github.example',
  repository: 'o/r',
});
const ofPullRequest: SubjectFacts = {
  context: contextOf('pull_request'),
  pullRequest: { number: 7 },
  environmentName: undefined,
  projectId,
};
const ofPush = { ...ofPullRequest, context: contextOf('push'), pullRequest: undefined };

test.each<[string, SubjectFacts, string, string | undefined]>([
  ['a pull request', ofPullRequest, 'Preview of #7', '2f2227dd'],
  ['leased projects', { ...ofPullRequest, projectId: undefined }, 'Preview of #7', undefined],
  [
    'one not asked for yet',
    { ...ofPullRequest, pullRequest: { number: undefined } },
    'Preview',
    '2f2227dd',
  ],
  ['a push', ofPush, 'Production', undefined],
  ['an environment', { ...ofPush, environmentName: 'staging' }, 'staging', undefined],
  ['a queue', { ...ofPush, context: contextOf('merge_group') }, 'Merge queue', undefined],
])('%s has its name, and a mark where it needs one', (_name, facts, name, mark) => {
  const subject = subjectOf(facts);
  expect([subject.name, subject.mark]).toEqual([name, mark]);
  expect(subject.commitsUrl).toBe('https://github.example/o/r/commit/');
});
